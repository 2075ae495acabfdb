// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include <optional>

namespace torch {
using namespace at;
using Dtype = at::ScalarType;
using std::optional, std::nullopt;
// Names by kind and bits, long and short.
#define CUDAMIGRATE_UNSIGNED_NAME(bits, type) constexpr Dtype kUInt##bits = at::type;
#define CUDAMIGRATE_NAMES(kind, letter, bits, type) constexpr Dtype k##letter##bits = at::type, k##kind##bits = at::type;
CUDAMIGRATE_NAMES(Float, F, 16, kHalf)
CUDAMIGRATE_NAMES(Float, F, 32, kFloat)
CUDAMIGRATE_NAMES(Float, F, 64, kDouble)
CUDAMIGRATE_NAMES(Int, I, 8, kChar)
CUDAMIGRATE_NAMES(Int, I, 16, kShort)
CUDAMIGRATE_NAMES(Int, I, 32, kInt)
CUDAMIGRATE_NAMES(Int, I, 64, kLong)
CUDAMIGRATE_NAMES(UInt, U, 8, kByte)
CUDAMIGRATE_UNSIGNED_NAME(16, kUInt16)
CUDAMIGRATE_UNSIGNED_NAME(32, kUInt32)
CUDAMIGRATE_UNSIGNED_NAME(64, kUInt64)
#undef CUDAMIGRATE_NAMES
#undef CUDAMIGRATE_UNSIGNED_NAME
}  // namespace torch
