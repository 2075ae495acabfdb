// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

#include <vector>

namespace c10 {
template <class T>
class List final {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;
  explicit List();
  List(std::initializer_list<T> values);
  explicit List(ArrayRef<T> values);
  T get(size_t position) const;
  T extract(size_t position) const;
  T operator[](size_t position) const;
  void set(size_t position, const T& value) const;
  void set(size_t position, T&& value) const;
  iterator begin() const;
  iterator end() const;
  bool empty() const;
  size_t size() const;
  void reserve(size_t capacity) const;
  void clear() const;
  void push_back(const T& value) const;
  void push_back(T&& value) const;
  template <class... Args>
  void emplace_back(Args&&... args) const;
  void append(List<T> list) const;
  void pop_back() const;
  void resize(size_t count) const;
  std::vector<T> vec() const;
};
}  // namespace c10
namespace torch {
using c10::List;
}
