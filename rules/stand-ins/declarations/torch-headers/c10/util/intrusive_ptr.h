// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <memory>

namespace c10 {
class intrusive_ptr_target {
 public:
  virtual ~intrusive_ptr_target();

 protected:
  virtual void release_resources() {}
};
namespace detail {
template <class T>
struct intrusive_target_default_null_type final {
  static constexpr T* singleton() noexcept { return nullptr; }
};
}  // namespace detail
template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class intrusive_ptr final {
 public:
  using element_type = T;
  intrusive_ptr() noexcept = default;
  intrusive_ptr(std::nullptr_t) noexcept {}
  template <class From, class FromNull, typename = std::enable_if_t<std::is_convertible_v<From*, T*>>>
  intrusive_ptr(const intrusive_ptr<From, FromNull>& other) noexcept : target_(other.get()) {}
  T* get() const noexcept { return target_; }
  T& operator*() const noexcept { return *target_; }
  T* operator->() const noexcept { return target_; }
  operator bool() const noexcept { return target_ != nullptr; }
  void reset() noexcept { target_ = nullptr; }
  bool defined() const noexcept { return target_ != nullptr; }
  uint32_t use_count() const noexcept;
  uint32_t weak_use_count() const noexcept;
  bool unique() const noexcept;
  T* release() noexcept;
  static intrusive_ptr reclaim(T* owned);
  static intrusive_ptr reclaim_copy(T* owned);
  static intrusive_ptr unsafe_steal_from_new(T* raw);
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    intrusive_ptr made;
    made.target_ = new T(static_cast<Args&&>(args)...);
    return made;
  }

 private:
  T* target_ = nullptr;
};
template <class T, class NullType = detail::intrusive_target_default_null_type<T>, class... Args>
intrusive_ptr<T, NullType> make_intrusive(Args&&... args) {
  return intrusive_ptr<T, NullType>::make(static_cast<Args&&>(args)...);
}
template <class A, class AN, class B, class BN>
bool operator==(const intrusive_ptr<A, AN>& a, const intrusive_ptr<B, BN>& b) noexcept;
template <class A, class AN, class B, class BN>
bool operator!=(const intrusive_ptr<A, AN>& a, const intrusive_ptr<B, BN>& b) noexcept;
}  // namespace c10
namespace torch {
using CustomClassHolder = c10::intrusive_ptr_target;
}
