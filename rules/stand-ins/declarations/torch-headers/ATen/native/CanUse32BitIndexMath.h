// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/TensorBase.h>

#include <limits>

namespace at::native {
bool canUse32BitIndexMath(const TensorBase& t, int64_t max_elem = std::numeric_limits<int32_t>::max());
}
