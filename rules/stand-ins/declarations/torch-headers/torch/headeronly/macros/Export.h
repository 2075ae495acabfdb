// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#define C10_EXPORT __attribute__((__visibility__("default")))
#define C10_IMPORT C10_EXPORT
#define C10_HIDDEN __attribute__((__visibility__("hidden")))
#define C10_API
#define C10_API_ENUM
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define TORCH_HIP_CPP_API
#define TORCH_HIP_API
#define TORCH_XPU_API
#define TORCH_PYTHON_API
