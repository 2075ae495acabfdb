// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Tensor.h>

namespace at {
Tensor scalar_to_tensor(const Scalar& s, const Device device = kCPU);
}
