// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::detail {
TensorBase empty_cuda(IntArrayRef size, const TensorOptions& options);
TensorBase empty_strided_cuda(IntArrayRef size, IntArrayRef stride, const TensorOptions& options);
}
