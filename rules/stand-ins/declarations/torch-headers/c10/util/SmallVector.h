// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <initializer_list>
#include <ostream>
#include <vector>

namespace c10 {
template <typename T>
class ArrayRef;
template <typename T, typename = void>
class SmallVectorTemplateCommon : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  template <typename Range>
  void append(const Range& range);
  template <typename It>
  void append(It begin, It end);
  void append(size_t count, const T& value);
  void append(std::initializer_list<T> list);
  void truncate(size_t count);
  T pop_back_val();
};
template <typename T>
class SmallVectorImpl : public SmallVectorTemplateCommon<T> {
 public:
  using SmallVectorTemplateCommon<T>::SmallVectorTemplateCommon;
};
template <typename T, unsigned N = 8>
class SmallVector : public SmallVectorImpl<T> {
 public:
  using SmallVectorImpl<T>::SmallVectorImpl;
  SmallVector() = default;
  SmallVector(std::initializer_list<T> list);
  template <typename Container, typename = decltype(std::declval<Container>().begin())>
  explicit SmallVector(Container&& container);
};
template <typename T, unsigned N>
std::ostream& operator<<(std::ostream& out, const SmallVector<T, N>& list);
}  // namespace c10
