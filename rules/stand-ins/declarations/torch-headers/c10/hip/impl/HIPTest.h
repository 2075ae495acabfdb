// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/hip/HIPMacros.h>

namespace c10::cuda::impl {
int c10_cuda_test();
}
