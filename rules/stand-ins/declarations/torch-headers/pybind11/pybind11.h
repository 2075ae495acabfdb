// cudamigrate declarations: pybind11, names and types only; not the library's own header
#pragma once

// Python.h, which pybind11 includes, brings these
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

struct _object;
typedef struct _object PyObject;

namespace pybind11 {
class handle {
 public:
  handle() = default;
  handle(PyObject* pointer);
  PyObject* ptr() const;
  template <typename T>
  T cast() const;
  handle attr(const char* name) const;
  template <typename... Args>
  handle operator()(Args&&... args) const;
  bool is_none() const;
  explicit operator bool() const;
};
class object : public handle {
 public:
  using handle::handle;
};
class module_ : public object {
 public:
  template <typename Func, typename... Extra>
  module_& def(const char* name, Func&& f, const Extra&... extra) { return *this; }
  module_ def_submodule(const char* name, const char* doc = nullptr);
  static module_ import(const char* name);
};
using module = module_;
class bytes : public object {
 public:
  bytes(const char* data, size_t size);
  bytes(const std::string& text);
  operator std::string() const;
};
class str : public object {
 public:
  str(const std::string& text);
  operator std::string() const;
};
class int_ : public object {};
class float_ : public object {};
class bool_ : public object {};
class none : public object {};
class tuple : public object {
 public:
  size_t size() const;
  object operator[](size_t i) const;
};
class list : public object {
 public:
  size_t size() const;
  object operator[](size_t i) const;
  template <typename T>
  void append(T&& value);
};
class dict : public object {
 public:
  object operator[](const char* key) const;
  template <typename T>
  bool contains(T&& key) const;
};
class function : public object {};
class args : public tuple {};
class kwargs : public dict {};
template <typename... Args>
tuple make_tuple(Args&&... args);
template <typename T>
object cast(T&& value);
template <typename T>
T cast(const handle& value);
struct arg {
  constexpr explicit arg(const char* name = nullptr);
  template <typename T>
  struct arg_v operator=(T&& value) const;
  arg& noconvert(bool flag = true);
  arg& none(bool flag = true);
};
struct arg_v : arg {
  using arg::arg;
};
template <typename T>
arg_v arg::operator=(T&&) const {
  return arg_v(nullptr);
}
inline namespace literals {
constexpr arg operator""_a(const char* name, size_t);
}
struct doc {
  doc(const char* text);
};
enum class return_value_policy : uint8_t {
  automatic, automatic_reference, take_ownership, copy, move, reference, reference_internal
};
template <typename... Ts>
struct call_guard {};
struct gil_scoped_release {
  gil_scoped_release();
  ~gil_scoped_release();
};
struct gil_scoped_acquire {
  gil_scoped_acquire();
  ~gil_scoped_acquire();
};
template <size_t Nurse, size_t Patient>
struct keep_alive {};
struct module_local {
  constexpr module_local(bool local = true);
};
struct dynamic_attr {};
struct arithmetic {};
template <typename... Args>
struct init_tag {};
template <typename... Args>
init_tag<Args...> init();
template <typename Func, typename = decltype(&std::decay_t<Func>::operator())>
init_tag<> init(Func&& f) { return {}; }
template <typename Return, typename... Args>
init_tag<> init(Return (*f)(Args...));
template <typename Get, typename Set>
init_tag<> pickle(Get&& get, Set&& set) { return {}; }
template <typename T, typename... Options>
class class_ : public object {
 public:
  template <typename... Extra>
  class_(handle scope, const char* name, const Extra&... extra);
  template <typename Func, typename... Extra>
  class_& def(const char* name, Func&& f, const Extra&... extra) { return *this; }
  template <typename... Args, typename... Extra>
  class_& def(init_tag<Args...> made, const Extra&... extra);
  template <typename Func, typename... Extra>
  class_& def_static(const char* name, Func&& f, const Extra&... extra) { return *this; }
  template <typename D, typename... Extra>
  class_& def_readwrite(const char* name, D field, const Extra&... extra);
  template <typename D, typename... Extra>
  class_& def_readonly(const char* name, D field, const Extra&... extra);
  template <typename Get, typename... Extra>
  class_& def_property_readonly(const char* name, Get&& get, const Extra&... extra) { return *this; }
  template <typename Get, typename Set, typename... Extra>
  class_& def_property(const char* name, Get&& get, Set&& set, const Extra&... extra) { return *this; }
};
template <typename T>
class enum_ : public class_<T> {
 public:
  template <typename... Extra>
  enum_(const handle& scope, const char* name, const Extra&... extra);
  enum_& value(const char* name, T value, const char* doc = nullptr);
  enum_& export_values();
};
template <typename... Overload>
struct overload_cast {
  template <typename Return>
  constexpr overload_cast(Return (*)(Overload...));
};
class error_already_set : public std::exception {};
using value_error = std::invalid_argument;
}  // namespace pybind11

#define PYBIND11_CONCAT_IMPL(a, b) a##b
#define PYBIND11_CONCAT(a, b) PYBIND11_CONCAT_IMPL(a, b)
#define PYBIND11_MODULE(name, variable, ...)                                 \
  static void PYBIND11_CONCAT(pybind11_init_, name)(::pybind11::module_&);   \
  extern "C" PyObject* PYBIND11_CONCAT(PyInit_, name)() {                    \
    ::pybind11::module_ made;                                                \
    PYBIND11_CONCAT(pybind11_init_, name)(made);                             \
    return made.ptr();                                                       \
  }                                                                          \
  void PYBIND11_CONCAT(pybind11_init_, name)(::pybind11::module_ & (variable))
