// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <c10/util/SmallVector.h>

namespace c10 {
template <typename T>
class ArrayRef {
 public:
  using iterator = const T*;
  using const_iterator = const T*;
  using size_type = size_t;
  using value_type = T;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : data_(&one), length_(1) {}
  constexpr ArrayRef(const T* data, size_t length) : data_(data), length_(length) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), length_(end - begin) {}
  template <typename Container, typename U = decltype(std::declval<Container>().data()),
            typename = std::enable_if_t<std::is_same_v<U, T*> || std::is_same_v<U, T const*>>>
  ArrayRef(const Container& container) : data_(container.data()), length_(container.size()) {}
  template <typename A>
  ArrayRef(const std::vector<T, A>& from) : data_(from.data()), length_(from.size()) {
    static_assert(!std::is_same_v<T, bool>, "bits of a vector<bool> have no address");
  }
  template <typename U>
  ArrayRef(const SmallVectorTemplateCommon<T, U>& from) : data_(from.data()), length_(from.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& from) : data_(from.data()), length_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&from)[N]) : data_(from), length_(N) {}
  constexpr ArrayRef(const std::initializer_list<T>& from)
      : data_(from.begin() == from.end() ? static_cast<T*>(nullptr) : from.begin()), length_(from.size()) {}

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + length_; }
  constexpr const_iterator cbegin() const { return data_; }
  constexpr const_iterator cend() const { return data_ + length_; }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }
  constexpr bool empty() const { return length_ == 0; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return length_; }
  constexpr bool equals(ArrayRef other) const;
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[length_ - 1]; }
  constexpr ArrayRef<T> slice(size_t start, size_t count) const { return ArrayRef<T>(data_ + start, count); }
  constexpr ArrayRef<T> slice(size_t start) const { return slice(start, length_ - start); }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& at(size_t i) const { return data_[i]; }
  template <typename U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(U&& temporary) = delete;
  template <typename U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(std::initializer_list<U>) = delete;
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

 protected:
  const T* data_ = nullptr;
  size_t length_ = 0;
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
