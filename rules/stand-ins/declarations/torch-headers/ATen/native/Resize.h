// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {
bool resize_output(const Tensor& output, IntArrayRef shape);
bool resize_output_check(const Tensor& output, IntArrayRef shape);
void resize_bytes_cpu(StorageImpl* storage, size_t bytes);
}
