// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/ScalarType.h>

#include <hip/library_types.h>

namespace at::cuda {
template <typename scalar_t>
hipDataType getCudaDataType();
hipDataType ScalarTypeToCudaDataType(const c10::ScalarType& type);
}  // namespace at::cuda
