// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/ApplyGridUtils.cuh>
#include <ATen/hip/HIPContext.h>
#include <ATen/hip/detail/IndexUtils.cuh>
#include <ATen/core/TensorBase.h>
#include <ATen/ceil_div.h>

namespace at::cuda {
enum class TensorArgType { ReadWrite, ReadOnly };
template <typename scalar, int step, typename Op>
bool CUDA_tensor_apply1(at::TensorBase a, const Op op, TensorArgType aType = TensorArgType::ReadWrite);
template <typename scalar, typename Op>
bool CUDA_tensor_apply1(at::TensorBase a, const Op op, TensorArgType aType = TensorArgType::ReadWrite);
template <typename scalar1, typename scalar2, int step, typename Op>
bool CUDA_tensor_apply2(at::TensorBase a, at::TensorBase b, const Op op, TensorArgType aType = TensorArgType::ReadWrite,
                        TensorArgType bType = TensorArgType::ReadOnly);
template <typename scalar1, typename scalar2, typename Op>
bool CUDA_tensor_apply2(at::TensorBase a, at::TensorBase b, const Op op, TensorArgType aType = TensorArgType::ReadWrite,
                        TensorArgType bType = TensorArgType::ReadOnly);
}  // namespace at::cuda
