// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <type_traits>

namespace torch::headeronly {

// How an accessor holds its pointer. Only compilers for GPUs know the one that promises no aliases.
#ifdef __HIPCC__
template <typename T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};
#endif
template <typename T>
struct DefaultPtrTraits {
  using PtrType = T*;
};

namespace detail {

// What all accessors tell: pointer, sizes and strides.
template <typename T, size_t N, template <typename> class Traits, typename Index>
class Strided {
 public:
  using PtrType = typename Traits<T>::PtrType;
  static_assert(N > 0, "a tensor of no dimensions is read through data_ptr");
  C10_HOST_DEVICE Index size(Index dimension) const;
  C10_HOST_DEVICE Index stride(Index dimension) const;
  C10_HOST_DEVICE const PtrType data() const;
  C10_HOST_DEVICE PtrType data();
};

template <class List, typename T, size_t N, template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
class TensorAccessorBase : public Strided<T, N, Traits, Index> {
 public:
  C10_HOST_DEVICE TensorAccessorBase(typename Traits<T>::PtrType first, const Index* sizes, const Index* strides);
  C10_HOST List strides() const;
  C10_HOST List sizes() const;
};

// Indexing takes one dimension off; the last one leads to an element.
template <class List, typename T, size_t N, template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
class TensorAccessor : public TensorAccessorBase<List, T, N, Traits, Index> {
 public:
  using TensorAccessorBase<List, T, N, Traits, Index>::TensorAccessorBase;
  C10_HOST_DEVICE const TensorAccessor<List, T, N - 1, Traits, Index> operator[](Index row) const;
  C10_HOST_DEVICE TensorAccessor<List, T, N - 1, Traits, Index> operator[](Index row);
};
template <class List, typename T, template <typename> class Traits, typename Index>
class TensorAccessor<List, T, 1, Traits, Index> : public TensorAccessorBase<List, T, 1, Traits, Index> {
 public:
  using TensorAccessorBase<List, T, 1, Traits, Index>::TensorAccessorBase;
  C10_HOST_DEVICE const T& operator[](Index place) const;
  C10_HOST_DEVICE T& operator[](Index place);
};

// What a packed accessor holds is its own, so that it can be handed to a kernel by value.
template <class List, typename T, size_t N, template <typename> class Traits, typename Index>
class PackedAccessorBase : public Strided<T, N, Traits, Index> {
 public:
  C10_HOST PackedAccessorBase(typename Traits<T>::PtrType first, const Index* sizes, const Index* strides);
  template <typename Wide, std::enable_if_t<std::is_same_v<Wide, int64_t> && !std::is_same_v<Wide, Index>, int> = 0>
  C10_HOST PackedAccessorBase(typename Traits<T>::PtrType first, const Wide* sizes, const Wide* strides);
};
template <class List, typename T, size_t N, template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
class PackedAccessor : public PackedAccessorBase<List, T, N, Traits, Index> {
 public:
  using PackedAccessorBase<List, T, N, Traits, Index>::PackedAccessorBase;
  C10_HOST PackedAccessor transpose(Index one, Index other) const;
  C10_DEVICE const TensorAccessor<List, T, N - 1, Traits, Index> operator[](Index row) const;
  C10_DEVICE TensorAccessor<List, T, N - 1, Traits, Index> operator[](Index row);
};
template <class List, typename T, template <typename> class Traits, typename Index>
class PackedAccessor<List, T, 1, Traits, Index> : public PackedAccessorBase<List, T, 1, Traits, Index> {
 public:
  using PackedAccessorBase<List, T, 1, Traits, Index>::PackedAccessorBase;
  C10_HOST PackedAccessor transpose(Index one, Index other) const;
  C10_DEVICE const T& operator[](Index place) const;
  C10_DEVICE T& operator[](Index place);
};

}  // namespace detail

template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
using HeaderOnlyGenericPackedTensorAccessor = detail::PackedAccessor<IntHeaderOnlyArrayRef, T, N, Traits, Index>;
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
using HeaderOnlyTensorAccessor = detail::TensorAccessor<IntHeaderOnlyArrayRef, T, N, Traits, Index>;
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
using HeaderOnlyTensorAccessorBase = detail::TensorAccessorBase<IntHeaderOnlyArrayRef, T, N, Traits, Index>;

}  // namespace torch::headeronly
