// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/TensorBase.h>

#include <array>
#include <tuple>
#include <vector>

namespace at {
using c10::string_view;
class Tensor : public TensorBase {
 public:
  Tensor() = default;
  explicit Tensor(c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl);
  Tensor(const Tensor& tensor) = default;
  Tensor(Tensor&& tensor) = default;
  explicit Tensor(const TensorBase& base);
  Tensor(TensorBase&& base);
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  Tensor conj() const;
  using TensorBase::size;
  using TensorBase::stride;
  using TensorBase::sym_size;

  // An rvalue such as x[1] is written through, not rebound.
  Tensor& operator=(const TensorBase& x) & noexcept;
  Tensor& operator=(TensorBase&& x) & noexcept;
  Tensor& operator=(const Tensor& x) & noexcept;
  Tensor& operator=(Tensor&& x) & noexcept;
  Tensor& operator=(const Scalar& v) &&;
  Tensor& operator=(const Tensor& rhs) &&;
  Tensor& operator=(Tensor&& rhs) &&;

  DeprecatedTypeProperties& type() const;
  Tensor toType(ScalarType t) const;
  bool is_variable() const noexcept;
  template <typename T>
  T item() const;
  template <typename T>
  T* data() const;
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> packed_accessor() && = delete;
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> packed_accessor() const&;
  Tensor operator~() const;
  Tensor operator-() const;
  Tensor& operator+=(const Tensor& other);
  Tensor& operator+=(const Scalar& other);
  Tensor& operator-=(const Tensor& other);
  Tensor& operator-=(const Scalar& other);
  Tensor& operator*=(const Tensor& other);
  Tensor& operator*=(const Scalar& other);
  Tensor& operator/=(const Tensor& other);
  Tensor& operator/=(const Scalar& other);
  Tensor& operator&=(const Tensor& other);
  Tensor& operator|=(const Tensor& other);
  Tensor& operator^=(const Tensor& other);
  Tensor operator[](const Scalar& index) const;
  Tensor operator[](const Tensor& index) const;
  Tensor operator[](int64_t index) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, Tensor const& rhs);
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& v);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, Tensor const& rhs);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& v);
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor hip() const;
  Tensor ve() const;
  Tensor vulkan() const;
  Tensor metal() const;
  Tensor meta() const;
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                std::optional<TensorList> inputs = std::nullopt) const;
  const Tensor& set_requires_grad(bool requires_grad) const;
  Tensor& mutable_grad() const;
  const Tensor& grad() const;
  Tensor tensor_data() const;
  Tensor variable_data() const;
  template <typename T>
  unsigned register_hook(T&&) const { return 0; }
  Tensor data() const;
  const Tensor& requires_grad_(bool requires_grad = true) const;
  const Tensor& _base() const;
  int64_t sparse_dim() const;
  int64_t _dimI() const;
  int64_t dense_dim() const;
  bool is_coalesced() const;

#include <ATen/core/TensorMethods.inc>
};
}  // namespace at
#include <ATen/core/List.h>
#include <ATen/TensorIndexing.h>
