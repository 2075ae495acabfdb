// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <array>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <type_traits>
#include <vector>

namespace c10 {
namespace cudamigrate {
// Whatever has data() of the right type is a list of it.
template <typename List, typename T>
using IfList = std::enable_if_t<
    std::is_same_v<std::remove_const_t<std::remove_pointer_t<decltype(std::declval<List>().data())>>, T>, int>;

// What lists that do not own their items tell of them.
template <typename T>
class Items {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = const T*;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<const T*>;

  constexpr const T& operator[](size_t place) const;
  constexpr const T& at(size_t place) const;
  constexpr const T& back() const;
  constexpr const T& front() const;
  constexpr const T* data() const;
  constexpr size_t size() const;
  constexpr bool empty() const;
  constexpr iterator begin() const;
  constexpr const_iterator cbegin() const;
  constexpr reverse_iterator rbegin() const;
  constexpr iterator end() const;
  constexpr const_iterator cend() const;
  constexpr reverse_iterator rend() const;
  std::vector<T> vec() const;
};
}  // namespace cudamigrate

template <typename T>
class HeaderOnlyArrayRef : public cudamigrate::Items<T> {
 public:
  constexpr HeaderOnlyArrayRef() = default;
  constexpr HeaderOnlyArrayRef(const T& only);
  constexpr HeaderOnlyArrayRef(const T* first, const T* last);
  constexpr HeaderOnlyArrayRef(const T* first, size_t count);
  constexpr HeaderOnlyArrayRef(const std::initializer_list<T>& items);
  template <size_t N>
  constexpr HeaderOnlyArrayRef(const T (&items)[N]);
  template <size_t N>
  constexpr HeaderOnlyArrayRef(const std::array<T, N>& items);
  template <typename Allocator>
  HeaderOnlyArrayRef(const std::vector<T, Allocator>& items) {
    static_assert(!std::is_same_v<T, bool>, "bits of a vector<bool> have no address");
  }
  template <typename List, cudamigrate::IfList<List, T> = 0>
  HeaderOnlyArrayRef(const List& items);

  // A list that ends with the statement cannot be assigned.
  template <typename Other, std::enable_if_t<std::is_same_v<Other, T>, int> = 0>
  HeaderOnlyArrayRef& operator=(std::initializer_list<Other>) = delete;
  template <typename Other, std::enable_if_t<std::is_same_v<Other, T>, int> = 0>
  HeaderOnlyArrayRef& operator=(Other&&) = delete;

  constexpr bool equals(HeaderOnlyArrayRef other) const;
  constexpr HeaderOnlyArrayRef slice(size_t from) const;
  constexpr HeaderOnlyArrayRef slice(size_t from, size_t count) const;
};
using IntHeaderOnlyArrayRef = HeaderOnlyArrayRef<int64_t>;
}  // namespace c10
namespace torch::headeronly {
using c10::IntHeaderOnlyArrayRef, c10::HeaderOnlyArrayRef;
}  // namespace torch::headeronly
