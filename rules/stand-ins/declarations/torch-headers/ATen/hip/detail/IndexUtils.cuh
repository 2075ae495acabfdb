// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/hip/detail/TensorInfo.cuh>
#include <ATen/native/CanUse32BitIndexMath.h>

namespace at::cuda::detail {
bool maybeOverlappingIndices(const at::TensorBase& t);
using at::native::canUse32BitIndexMath;
template <typename scalar, typename IndexType>
TensorInfo<scalar, IndexType> getTensorInfo(const at::TensorBase& t);
}  // namespace at::cuda::detail
