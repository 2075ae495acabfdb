// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/Functions.h>

namespace at {
std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
Tensor sum_to(Tensor tensor, const IntArrayRef shape, bool always_return_non_view = false);
bool are_expandable(IntArrayRef shape1, IntArrayRef shape2);
}
