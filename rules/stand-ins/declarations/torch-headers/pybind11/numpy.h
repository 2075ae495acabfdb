// cudamigrate declarations: pybind11, names and types only; not the library's own header
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace pybind11 {
class dtype : public object {
 public:
  template <typename T>
  static dtype of();
};
class array : public buffer {
 public:
  enum { c_style = 1, f_style = 2, forcecast = 16 };
  ssize_t size() const;
  ssize_t ndim() const;
  ssize_t nbytes() const;
  ssize_t shape(ssize_t index) const;
  const ssize_t* shape() const;
  const void* data() const;
  void* mutable_data();
};
template <typename T, int flags = array::forcecast>
class array_t : public array {
 public:
  array_t();
  explicit array_t(ssize_t count, const T* pointer = nullptr, handle base = handle());
  explicit array_t(std::vector<ssize_t> shape, const T* pointer = nullptr, handle base = handle());
  template <typename... Index>
  const T* data(Index... index) const;
  template <typename... Index>
  T* mutable_data(Index... index);
  template <typename... Index>
  const T& at(Index... index) const;
};
}  // namespace pybind11
