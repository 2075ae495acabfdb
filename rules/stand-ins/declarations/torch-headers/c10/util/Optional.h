// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <optional>
#include <type_traits>

namespace c10 {
using std::optional, std::make_optional, std::bad_optional_access;
using std::nullopt, std::nullopt_t, std::in_place, std::in_place_t;
namespace detail_ {
template <class T, class F>
constexpr T value_or_else(const std::optional<T>& value, F&& otherwise) {
  return value ? *value : otherwise();
}
}  // namespace detail_
using detail_::value_or_else;
}  // namespace c10
