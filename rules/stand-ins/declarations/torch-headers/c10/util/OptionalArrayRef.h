// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>

namespace c10 {
template <typename T>
class OptionalArrayRef {
 public:
  constexpr OptionalArrayRef() noexcept = default;
  constexpr OptionalArrayRef(std::nullopt_t) noexcept {}
  template <typename U = ArrayRef<T>,
            std::enable_if_t<!std::is_same_v<std::decay_t<U>, OptionalArrayRef> &&
                !std::is_same_v<std::decay_t<U>, std::in_place_t> &&
                                 std::is_constructible_v<ArrayRef<T>, U&&> && std::is_convertible_v<U&&, ArrayRef<T>> &&
                                 !std::is_convertible_v<U&&, T>, int> = 0>
  constexpr OptionalArrayRef(U&& value) : wrapped_(ArrayRef<T>(static_cast<U&&>(value))) {}
  constexpr OptionalArrayRef(const std::initializer_list<T>& list) : wrapped_(ArrayRef<T>(list)) {}
  constexpr OptionalArrayRef(const T& one) : wrapped_(ArrayRef<T>(one)) {}
  OptionalArrayRef(const std::optional<ArrayRef<T>>& value) : wrapped_(value) {}
  constexpr const ArrayRef<T>* operator->() const { return &*wrapped_; }
  constexpr const ArrayRef<T>& operator*() const { return *wrapped_; }
  constexpr explicit operator bool() const noexcept { return wrapped_.has_value(); }
  constexpr bool has_value() const noexcept { return wrapped_.has_value(); }
  constexpr const ArrayRef<T>& value() const { return wrapped_.value(); }
  template <typename U>
  constexpr ArrayRef<T> value_or(U&& otherwise) const;
  constexpr void reset() noexcept { wrapped_.reset(); }

 private:
  std::optional<ArrayRef<T>> wrapped_;
};
using OptionalIntArrayRef = OptionalArrayRef<int64_t>;
}  // namespace c10
