// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <iterator>
#include <type_traits>

namespace c10 {
namespace detail {
template <typename I>
struct integer_iterator {
  I value;
  using value_type = I;
  using reference = value_type&;
  using pointer = value_type*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  constexpr I operator*() const { return value; }
  constexpr integer_iterator& operator++() {
    ++value;
    return *this;
  }
  constexpr bool operator==(const integer_iterator& other) const { return value == other.value; }
  constexpr bool operator!=(const integer_iterator& other) const { return value != other.value; }
};
}  // namespace detail
template <typename I>
struct integer_range {
  detail::integer_iterator<I> begin_, end_;
  constexpr detail::integer_iterator<I> begin() const { return begin_; }
  constexpr detail::integer_iterator<I> end() const { return end_; }
};
template <typename A, typename B, std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, bool> = true>
constexpr integer_range<B> irange(A begin, B end) {
  return {{static_cast<B>(begin)}, {end}};
}
template <typename I, std::enable_if_t<std::is_integral_v<I>, bool> = true>
constexpr integer_range<I> irange(I end) {
  return {{I()}, {end}};
}
}  // namespace c10
