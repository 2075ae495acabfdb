// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>

#define C10_CUDA_EXPORT C10_EXPORT
#define C10_CUDA_IMPORT C10_IMPORT
#define C10_CUDA_API
#define C10_HIP_API
#define C10_COMPILE_TIME_MAX_GPUS 120
