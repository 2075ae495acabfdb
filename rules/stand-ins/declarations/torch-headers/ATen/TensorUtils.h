// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/TensorGeometry.h>
#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

namespace at {
struct TensorArg {
  const Tensor& tensor;
  const char* name;
  int pos;
  TensorArg(const Tensor& tensor, const char* name, int pos);
  TensorArg(Tensor&& tensor, const char* name, int pos) = delete;
  const Tensor* operator->() const;
  const Tensor& operator*() const;
};
using CheckedFrom = const char*;
void checkDim(CheckedFrom c, const Tensor& tensor, const char* name, int pos, int64_t dim);
void checkDim(CheckedFrom c, const TensorArg& t, int64_t dim);
void checkDimRange(CheckedFrom c, const TensorArg& t, int64_t dim_start, int64_t dim_end);
void checkSameDim(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
void checkContiguous(CheckedFrom c, const TensorArg& t);
void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> ts);
void checkSize(CheckedFrom c, const TensorArg& t, IntArrayRef sizes);
void checkSize(CheckedFrom c, const TensorArg& t, int64_t dim, int64_t size);
void checkNumel(CheckedFrom c, const TensorArg& t, int64_t numel);
void checkAllSameNumel(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType s);
void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<ScalarType> l);
void checkSameGPU(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkSameType(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkSameSize(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkDefined(CheckedFrom c, const TensorArg& t);
void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> t);
void checkDeviceType(CheckedFrom c, ArrayRef<Tensor> tensors, DeviceType type);
void checkLayout(CheckedFrom c, const Tensor& t, Layout layout);
void* maybe_data_ptr(const Tensor& tensor);
void* maybe_data_ptr(const TensorArg& tensor);
}  // namespace at
