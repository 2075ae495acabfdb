// bfloat16 by HIP's names.
#ifndef CUDAMIGRATE_EMULATION_HIP_BF16_H
#define CUDAMIGRATE_EMULATION_HIP_BF16_H

#include "hip_fp16.h"

typedef CudamigrateEmulationBrain __hip_bfloat16;
typedef CudamigrateEmulationBrainPair __hip_bfloat162;

#endif  // CUDAMIGRATE_EMULATION_HIP_BF16_H
