// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>
#include <ATen/core/Generator.h>
#include <ATen/core/TensorAccessor.h>

#include <string>

namespace at {
class TensorBase {
 public:
  TensorBase() = default;
  explicit TensorBase(c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl);
  TensorBase(const TensorBase&) = default;
  TensorBase(TensorBase&&) noexcept = default;
  ~TensorBase() noexcept = default;
  TensorBase& operator=(TensorBase&&) && noexcept = delete;
  TensorBase& operator=(TensorBase&&) & noexcept = default;
  TensorBase& operator=(const TensorBase&) && = delete;
  TensorBase& operator=(const TensorBase&) & = default;

  // Accessors of a tensor that ends with the statement are refused.
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() const&;
#define CUDAMIGRATE_PACKED_ACCESSOR(name, Index)                                           \
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>     \
  GenericPackedTensorAccessor<T, N, Traits, Index> name() && = delete;                     \
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>     \
  GenericPackedTensorAccessor<T, N, Traits, Index> name() const&;
  CUDAMIGRATE_PACKED_ACCESSOR(packed_accessor32, int32_t)
  CUDAMIGRATE_PACKED_ACCESSOR(packed_accessor64, int64_t)
#undef CUDAMIGRATE_PACKED_ACCESSOR
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> generic_packed_accessor() && = delete;
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> generic_packed_accessor() const&;

  const TensorBase& _base() const;
  const void* const_data_ptr() const;
  template <typename T>
  const std::remove_const_t<T>* const_data_ptr() const;
  TensorBase contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  TensorBase data() const;
  void* data_ptr() const;
  template <typename T>
  T* data_ptr() const;
  bool defined() const;
  Device device() const;
  int64_t dim() const;
  caffe2::TypeMeta dtype() const;
  int64_t element_size() const;
  const TensorBase& fill_(const c10::Scalar& scalar) const;
  DeviceIndex get_device() const;
  const c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl>& getIntrusivePtr() const;
  const c10::intrusive_ptr<torch::autograd::Node>& grad_fn() const;
  bool has_storage() const;
  bool is_alias_of(const TensorBase& other) const;
  bool is_complex() const;
  bool is_conj() const;
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_contiguous_or_false(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_cpu() const;
  bool is_cuda() const;
  bool is_floating_point() const;
  bool is_hip() const;
  bool is_hpu() const;
  bool is_inference() const;
  bool is_ipu() const;
  bool is_lazy() const;
  bool is_leaf() const;
  bool is_maia() const;
  bool is_meta() const;
  bool is_metal() const;
  bool is_mkldnn() const;
  bool is_mps() const;
  bool is_mtia() const;
  bool is_neg() const;
  bool is_nested() const;
  bool is_non_overlapping_and_dense() const;
  bool is_privateuseone() const;
  bool is_quantized() const;
  bool is_same(const TensorBase& other) const noexcept;
  bool is_signed() const;
  bool is_sparse() const;
  bool is_sparse_csr() const;
  bool is_uniquely_owned() const noexcept;
  bool is_ve() const;
  bool is_view() const;
  bool is_vulkan() const;
  bool is_xla() const;
  bool is_xpu() const;
  size_t itemsize() const;
  DispatchKeySet key_set() const;
  Layout layout() const;
  void* mutable_data_ptr() const;
  template <typename T>
  T* mutable_data_ptr() const;
  const std::string& name() const;
  size_t nbytes() const;
  int64_t ndimension() const;
  int64_t numel() const;
  TensorOptions options() const;
  int64_t output_nr() const;
  void print() const;
  template <typename T>
  unsigned register_hook(T&&) const { return 0; }
  void remove_hook(unsigned position) const;
  bool requires_grad() const;
  const TensorBase& requires_grad_(bool requires_grad = true) const;
  void reset();
  void retain_grad() const;
  bool retains_grad() const;
  ScalarType scalar_type() const;
  void set_data(const TensorBase& data) const;
  const TensorBase& set_requires_grad(bool requires_grad) const;
  void share_memory_();
  int64_t size(int64_t dim) const;
  IntArrayRef sizes() const;
  const Storage& storage() const;
  int64_t storage_offset() const;
  int64_t stride(int64_t dim) const;
  IntArrayRef strides() const;
  MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const;
  SymInt sym_numel() const;
  SymInt sym_size(int64_t dim) const;
  SymIntArrayRef sym_sizes() const;
  SymInt sym_storage_offset() const;
  SymInt sym_stride(int64_t dim) const;
  SymIntArrayRef sym_strides() const;
  TensorBase tensor_data() const;
  TensorBase to(TensorOptions options = {}, bool non_blocking = false, bool copy = false,
                std::optional<MemoryFormat> memory_format = std::nullopt) const;
  std::string toString() const;
  TensorImpl* unsafeGetTensorImpl() const;
  TensorImpl* unsafeReleaseTensorImpl();
  size_t use_count() const noexcept;
  TensorBase variable_data() const;
  int64_t _version() const;
  size_t weak_use_count() const noexcept;
  const TensorBase& zero_() const;
};
DeviceIndex get_device(const TensorBase& self);
}  // namespace at
