// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#define TORCH_VERSION "2.13.0"
#define TORCH_VERSION_ABI_TAG 0
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_MAJOR 2
// A release as one number: major and minor in the two highest bytes.
#define CUDAMIGRATE_TORCH_RELEASE(major, minor) (major * 0x100000000000000ULL + minor * 0x1000000000000ULL)
#define TORCH_ABI_VERSION CUDAMIGRATE_TORCH_RELEASE(TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR)
