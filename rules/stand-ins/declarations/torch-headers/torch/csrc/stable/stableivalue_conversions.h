// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/tensor.h>

#include <optional>

namespace torch::stable::detail {
template <typename T>
StableIValue from(T value);
template <typename T>
T to(StableIValue value);
}  // namespace torch::stable::detail
