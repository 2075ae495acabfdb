// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/CollapseDims.h>
#include <c10/util/Exception.h>

#include <hip/hip_runtime.h>

namespace at::cuda::detail {
#define MAX_TENSORINFO_DIMS 25
template <typename T, typename Index>
struct TensorInfo {
  int dims;
  T* data;
  Index strides[MAX_TENSORINFO_DIMS], sizes[MAX_TENSORINFO_DIMS];
  __host__ __device__ bool isContiguous() const;
  int collapseDims(const int kept = -1);
  void reduceDim(int dimension);
  TensorInfo(T* first, int count, Index sizes[MAX_TENSORINFO_DIMS], Index strides[MAX_TENSORINFO_DIMS]);
  TensorInfo();
};
template <typename T, typename IndexType, int Dims>
struct IndexToOffset {
  static __host__ __device__ IndexType get(IndexType linearId, const TensorInfo<T, IndexType>& info);
};
}  // namespace at::cuda::detail
