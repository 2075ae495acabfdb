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
  TensorBase& operator=(const TensorBase& x) & = default;
  TensorBase& operator=(TensorBase&& x) & noexcept = default;
  TensorBase& operator=(const TensorBase&) && = delete;
  TensorBase& operator=(TensorBase&&) && noexcept = delete;

  int64_t dim() const;
  int64_t ndimension() const;
  int64_t storage_offset() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t numel() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  SymInt sym_size(int64_t dim) const;
  SymInt sym_stride(int64_t dim) const;
  SymInt sym_numel() const;
  SymInt sym_storage_offset() const;
  SymIntArrayRef sym_sizes() const;
  SymIntArrayRef sym_strides() const;
  TensorBase contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  const TensorBase& fill_(const c10::Scalar& scalar) const;
  const TensorBase& zero_() const;
  TensorBase to(TensorOptions options = {}, bool non_blocking = false, bool copy = false,
                std::optional<MemoryFormat> memory_format = std::nullopt) const;
  bool is_complex() const;
  bool is_floating_point() const;
  bool is_signed() const;
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_contiguous_or_false(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const;
  TensorImpl* unsafeGetTensorImpl() const;
  TensorImpl* unsafeReleaseTensorImpl();
  const c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl>& getIntrusivePtr() const;
  bool defined() const;
  void reset();
  bool is_same(const TensorBase& other) const noexcept;
  size_t use_count() const noexcept;
  size_t weak_use_count() const noexcept;
  bool is_uniquely_owned() const noexcept;
  std::string toString() const;
  size_t nbytes() const;
  size_t itemsize() const;
  int64_t element_size() const;
  DispatchKeySet key_set() const;
  ScalarType scalar_type() const;
  bool has_storage() const;
  const Storage& storage() const;
  bool is_alias_of(const TensorBase& other) const;
  void share_memory_();
  bool is_conj() const;
  bool is_neg() const;
  Layout layout() const;
  caffe2::TypeMeta dtype() const;
  Device device() const;
  DeviceIndex get_device() const;
  bool is_cpu() const;
  bool is_cuda() const;
  bool is_ipu() const;
  bool is_xpu() const;
  bool is_xla() const;
  bool is_mtia() const;
  bool is_hpu() const;
  bool is_lazy() const;
  bool is_hip() const;
  bool is_ve() const;
  bool is_privateuseone() const;
  bool is_sparse() const;
  bool is_sparse_csr() const;
  bool is_mkldnn() const;
  bool is_mps() const;
  bool is_maia() const;
  bool is_vulkan() const;
  bool is_metal() const;
  bool is_quantized() const;
  bool is_meta() const;
  bool is_inference() const;
  bool is_nested() const;
  TensorOptions options() const;
  const void* const_data_ptr() const;
  void* mutable_data_ptr() const;
  void* data_ptr() const;
  template <typename T>
  const std::remove_const_t<T>* const_data_ptr() const;
  template <typename T>
  T* mutable_data_ptr() const;
  template <typename T>
  T* data_ptr() const;
  void print() const;

  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() const& {
    static_assert(N > 0, "a tensor of no dimensions is read through data_ptr");
    return TensorAccessor<T, N>(mutable_data_ptr<T>(), sizes().data(), strides().data());
  }
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const& {
    static_assert(N > 0, "a tensor of no dimensions is read through data_ptr");
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(
        static_cast<typename PtrTraits<T>::PtrType>(mutable_data_ptr<T>()), sizes().data(), strides().data());
  }
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
  GenericPackedTensorAccessor<T, N> generic_packed_accessor() && = delete;
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const& {
    return generic_packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() && = delete;
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const& {
    return generic_packed_accessor<T, N, PtrTraits, int64_t>();
  }
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() && = delete;

  const TensorBase& set_requires_grad(bool requires_grad) const;
  bool requires_grad() const;
  TensorBase tensor_data() const;
  TensorBase variable_data() const;
  const c10::intrusive_ptr<torch::autograd::Node>& grad_fn() const;
  void remove_hook(unsigned position) const;
  template <typename T>
  unsigned register_hook(T&&) const { return 0; }
  bool is_leaf() const;
  int64_t output_nr() const;
  void set_data(const TensorBase& data) const;
  TensorBase data() const;
  int64_t _version() const;
  void retain_grad() const;
  bool retains_grad() const;
  const TensorBase& requires_grad_(bool requires_grad = true) const;
  bool is_view() const;
  const TensorBase& _base() const;
  const std::string& name() const;
};
DeviceIndex get_device(const TensorBase& self);
}  // namespace at
