// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/version.h>

#ifndef TORCH_TARGET_VERSION
#define TORCH_FEATURE_VERSION TORCH_ABI_VERSION
#else
#define TORCH_FEATURE_VERSION TORCH_TARGET_VERSION
#endif
#define TORCH_VERSION_2_13_0 CUDAMIGRATE_TORCH_RELEASE(2, 13)
#define TORCH_VERSION_2_12_0 CUDAMIGRATE_TORCH_RELEASE(2, 12)
#define TORCH_VERSION_2_11_0 CUDAMIGRATE_TORCH_RELEASE(2, 11)
#define TORCH_VERSION_2_10_0 CUDAMIGRATE_TORCH_RELEASE(2, 10)
