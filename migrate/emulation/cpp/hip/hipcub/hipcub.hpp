// hipCUB: see common/cub.h.
#ifndef CUDAMIGRATE_EMULATION_HIPCUB_H
#define CUDAMIGRATE_EMULATION_HIPCUB_H

#include "../hip/hip_runtime.h"
#define CUDAMIGRATE_EMULATION_CUB hipcub
#define CUDAMIGRATE_EMULATION_WARP 64
#define HIPCUB_WARP_THREADS 64
#define HIPCUB_DEVICE_WARP_THREADS 64
#define API(name) hip##name
#include "../../common/cub.h"
#undef API

#endif  // CUDAMIGRATE_EMULATION_HIPCUB_H
