// bfloat16 by CUDA's names.
#ifndef CUDAMIGRATE_EMULATION_CUDA_BF16_H
#define CUDAMIGRATE_EMULATION_CUDA_BF16_H

#include "cuda_fp16.h"

typedef CudamigrateEmulationBrain __nv_bfloat16;
typedef CudamigrateEmulationBrainPair __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif  // CUDAMIGRATE_EMULATION_CUDA_BF16_H
