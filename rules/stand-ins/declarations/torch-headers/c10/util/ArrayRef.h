// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <c10/util/SmallVector.h>

namespace c10 {
template <typename T>
class ArrayRef : public cudamigrate::Items<T> {
 public:
  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& only);
  constexpr ArrayRef(const T* first, const T* last);
  constexpr ArrayRef(const T* first, size_t count);
  constexpr ArrayRef(const std::initializer_list<T>& items);
  template <size_t N>
  constexpr ArrayRef(const T (&items)[N]);
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& items);
  template <typename Size>
  ArrayRef(const SmallVectorTemplateCommon<T, Size>& items);
  template <typename Allocator>
  ArrayRef(const std::vector<T, Allocator>& items) {
    static_assert(!std::is_same_v<T, bool>, "bits of a vector<bool> have no address");
  }
  template <typename List, cudamigrate::IfList<List, T> = 0>
  ArrayRef(const List& items);

  // A list that ends with the statement cannot be assigned.
  template <typename Other, std::enable_if_t<std::is_same_v<Other, T>, int> = 0>
  ArrayRef& operator=(std::initializer_list<Other>) = delete;
  template <typename Other, std::enable_if_t<std::is_same_v<Other, T>, int> = 0>
  ArrayRef& operator=(Other&&) = delete;

  constexpr bool equals(ArrayRef other) const;
  constexpr ArrayRef slice(size_t from) const;
  constexpr ArrayRef slice(size_t from, size_t count) const;
};
template <typename T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list);
template <typename T>
ArrayRef<T> makeArrayRef(const T& one);
template <typename T>
ArrayRef<T> makeArrayRef(const T* data, size_t length);
template <typename T>
ArrayRef<T> makeArrayRef(const std::vector<T>& from);
template <typename T>
ArrayRef<T> makeArrayRef(const ArrayRef<T>& from);
template <typename T, size_t N>
ArrayRef<T> makeArrayRef(const T (&from)[N]);
#define CUDAMIGRATE_ARRAY_COMPARISON(op)                                \
  template <typename T>                                                 \
  bool operator op(c10::ArrayRef<T> a, c10::ArrayRef<T> b);             \
  template <typename T>                                                 \
  bool operator op(const std::vector<T>& a, c10::ArrayRef<T> b);        \
  template <typename T>                                                 \
  bool operator op(c10::ArrayRef<T> a, const std::vector<T>& b);
CUDAMIGRATE_ARRAY_COMPARISON(==)
CUDAMIGRATE_ARRAY_COMPARISON(!=)
#undef CUDAMIGRATE_ARRAY_COMPARISON
using IntArrayRef = ArrayRef<int64_t>;
using IntList [[deprecated]] = ArrayRef<int64_t>;
}  // namespace c10
