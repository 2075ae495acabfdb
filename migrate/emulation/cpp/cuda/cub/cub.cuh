// CUB: see common/cub.h.
#ifndef CUDAMIGRATE_EMULATION_CUDA_CUB_H
#define CUDAMIGRATE_EMULATION_CUDA_CUB_H

#include "../cuda_runtime.h"
#define CUDAMIGRATE_EMULATION_CUB cub
#define CUDAMIGRATE_EMULATION_WARP 32
#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(version) 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_LOG_WARP_THREADS(version) 5
#define API(name) cuda##name
#include "../../common/cub.h"
#undef API

#endif  // CUDAMIGRATE_EMULATION_CUDA_CUB_H
