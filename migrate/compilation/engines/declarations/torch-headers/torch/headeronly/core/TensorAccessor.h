// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <type_traits>

namespace torch::headeronly {

template <typename T>
struct DefaultPtrTraits {
  typedef T* PtrType;
};
#ifdef __HIPCC__
template <typename T>
struct RestrictPtrTraits {
  typedef T* __restrict__ PtrType;
};
#endif

namespace detail {

template <class List, typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  C10_HOST_DEVICE TensorAccessorBase(PtrType data, const index_t* sizes, const index_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  C10_HOST List sizes() const { return List(sizes_, N); }
  C10_HOST List strides() const { return List(strides_, N); }
  C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
  C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
  C10_HOST_DEVICE PtrType data() { return data_; }
  C10_HOST_DEVICE const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  const index_t* sizes_;
  const index_t* strides_;
};

template <class List, typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<List, T, N, PtrTraits, index_t> {
 public:
  using TensorAccessorBase<List, T, N, PtrTraits, index_t>::TensorAccessorBase;
  typedef typename PtrTraits<T>::PtrType PtrType;
  using Row = TensorAccessor<List, T, N - 1, PtrTraits, index_t>;
  C10_HOST_DEVICE Row operator[](index_t i) {
    return Row(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
  C10_HOST_DEVICE const Row operator[](index_t i) const {
    return Row(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
};

template <class List, typename T, template <typename U> class PtrTraits, typename index_t>
class TensorAccessor<List, T, 1, PtrTraits, index_t> : public TensorAccessorBase<List, T, 1, PtrTraits, index_t> {
 public:
  using TensorAccessorBase<List, T, 1, PtrTraits, index_t>::TensorAccessorBase;
  typedef typename PtrTraits<T>::PtrType PtrType;
  C10_HOST_DEVICE T& operator[](index_t i) { return this->data_[this->strides_[0] * i]; }
  C10_HOST_DEVICE const T& operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

template <class List, typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class PackedAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  C10_HOST PackedAccessorBase(PtrType data, const index_t* sizes, const index_t* strides);
  template <typename source_t, class = std::enable_if_t<std::is_same_v<source_t, int64_t>>>
  C10_HOST PackedAccessorBase(PtrType data, const source_t* sizes, const source_t* strides);
  C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
  C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
  C10_HOST_DEVICE PtrType data() { return data_; }
  C10_HOST_DEVICE const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  index_t sizes_[N];
  index_t strides_[N];
};

template <class List, typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class PackedAccessor : public PackedAccessorBase<List, T, N, PtrTraits, index_t> {
 public:
  using PackedAccessorBase<List, T, N, PtrTraits, index_t>::PackedAccessorBase;
  typedef typename PtrTraits<T>::PtrType PtrType;
  using Row = TensorAccessor<List, T, N - 1, PtrTraits, index_t>;
  C10_DEVICE Row operator[](index_t i) {
    return Row(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
  C10_DEVICE const Row operator[](index_t i) const {
    return Row(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
  C10_HOST PackedAccessor transpose(index_t dim1, index_t dim2) const;
};

template <class List, typename T, template <typename U> class PtrTraits, typename index_t>
class PackedAccessor<List, T, 1, PtrTraits, index_t> : public PackedAccessorBase<List, T, 1, PtrTraits, index_t> {
 public:
  using PackedAccessorBase<List, T, 1, PtrTraits, index_t>::PackedAccessorBase;
  typedef typename PtrTraits<T>::PtrType PtrType;
  C10_DEVICE T& operator[](index_t i) { return this->data_[this->strides_[0] * i]; }
  C10_DEVICE const T& operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
  C10_HOST PackedAccessor transpose(index_t dim1, index_t dim2) const;
};

}  // namespace detail

template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using HeaderOnlyTensorAccessorBase = detail::TensorAccessorBase<IntHeaderOnlyArrayRef, T, N, PtrTraits, index_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using HeaderOnlyTensorAccessor = detail::TensorAccessor<IntHeaderOnlyArrayRef, T, N, PtrTraits, index_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using HeaderOnlyGenericPackedTensorAccessor = detail::PackedAccessor<IntHeaderOnlyArrayRef, T, N, PtrTraits, index_t>;

}  // namespace torch::headeronly
