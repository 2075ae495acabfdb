// cudamigrate declarations: pybind11, names and types only; not the library's own header
#pragma once

// Python.h, which pybind11 includes, brings these
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

struct _object;
typedef struct _object PyObject;

namespace pybind11 {
using ssize_t = std::ptrdiff_t;
class accessor;
class iterator;
class object;
class str;
class handle {
 public:
  handle() = default;
  handle(PyObject* pointer);
  PyObject* ptr() const;
  template <typename T>
  T cast() const;
  accessor attr(handle key) const;
  accessor attr(const char* name) const;
  accessor doc() const;
  accessor operator[](handle key) const;
  accessor operator[](const char* key) const;
  template <typename T>
  bool contains(T&& key) const;
  template <typename... Args>
  object operator()(Args&&... args) const;
  iterator begin() const;
  iterator end() const;
  handle get_type() const;
  bool is(handle other) const;
  bool is_none() const;
  bool equal(handle other) const;
  bool not_equal(handle other) const;
  const handle& inc_ref() const;
  const handle& dec_ref() const;
  explicit operator bool() const;
};
class object : public handle {
 public:
  object() = default;
  object(const object& other) = default;
  object(const accessor& place);
  object(handle pointer, bool borrowed);
  object& operator=(const object& other) = default;
  handle release();
};
// What indices, attributes and documentation give: a value, and a place for another one.
class accessor : public handle {
 public:
  accessor(const accessor& other) = default;
  void operator=(const accessor& other) &&;
  void operator=(const accessor& other) &;
  template <typename T>
  void operator=(T&& value) &&;
  template <typename T>
  void operator=(T&& value) &;
};
class iterator : public object {
 public:
  using object::object;
  using pointer = const handle*;
  using reference = const handle&;
  using value_type = handle;
  using difference_type = ssize_t;
  using iterator_category = std::input_iterator_tag;
  iterator& operator++();
  iterator operator++(int);
  reference operator*() const;
  pointer operator->() const;
  friend bool operator==(const iterator& one, const iterator& other);
  friend bool operator!=(const iterator& one, const iterator& other);
};
template <typename T>
T reinterpret_borrow(handle value);
template <typename T>
T reinterpret_steal(handle value);
class module_ : public object {
 public:
  using object::object;
  template <typename Func, typename... Extra>
  module_& def(const char* name, Func&& f, const Extra&... extra) { return *this; }
  module_ def_submodule(const char* name, const char* doc = nullptr);
  void add_object(const char* name, handle value, bool overwrite = false);
  static module_ import(const char* name);
  void reload();
};
using module = module_;
// The conversions of an object of any kind, as Python makes them.
#define CUDAMIGRATE_CONVERTED(name) \
  using object::object;             \
  name(const object& value);        \
  name(const accessor& value);
class bytes : public object {
 public:
  using object::object;
  bytes(const char* data = "");
  template <typename Size, typename = std::enable_if_t<std::is_integral<Size>::value>>
  bytes(const char* data, const Size& size);
  bytes(const std::string& text);
  explicit bytes(const str& text);
  operator std::string() const;
};
class str : public object {
 public:
  CUDAMIGRATE_CONVERTED(str)
  template <typename Size, typename = std::enable_if_t<std::is_integral<Size>::value>>
  str(const char* text, const Size& size);
  str(const char* text = "");
  str(const std::string& text);
  str(std::string_view text);
  explicit str(const bytes& text);
  explicit str(handle value);
  operator std::string() const;
  template <typename... Args>
  str format(Args&&... args) const;
};
class int_ : public object {
 public:
  CUDAMIGRATE_CONVERTED(int_)
  int_();
  template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>>
  int_(T value);
  template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>>
  operator T() const;
};
class float_ : public object {
 public:
  CUDAMIGRATE_CONVERTED(float_)
  float_(float value);
  float_(double value = 0);
  operator float() const;
  operator double() const;
};
class bool_ : public object {
 public:
  CUDAMIGRATE_CONVERTED(bool_)
  bool_();
  bool_(bool value);
  operator bool() const;
};
class none : public object {
 public:
  using object::object;
  none();
};
class tuple : public object {
 public:
  CUDAMIGRATE_CONVERTED(tuple)
  template <typename Size = ssize_t, typename = std::enable_if_t<std::is_integral<Size>::value>>
  explicit tuple(Size size = 0);
  size_t size() const;
  bool empty() const;
  accessor operator[](size_t i) const;
  accessor operator[](handle key) const;
};
class list : public object {
 public:
  CUDAMIGRATE_CONVERTED(list)
  template <typename Size = ssize_t, typename = std::enable_if_t<std::is_integral<Size>::value>>
  explicit list(Size size = 0);
  size_t size() const;
  bool empty() const;
  void clear();
  accessor operator[](size_t i) const;
  accessor operator[](handle key) const;
  template <typename T>
  void append(T&& value);
  template <typename T>
  void insert(size_t at, T&& value);
};
class dict : public object {
 public:
  CUDAMIGRATE_CONVERTED(dict)
  dict();
  template <typename First, typename... Args, typename = std::enable_if_t<!std::is_base_of<handle, First>::value>>
  explicit dict(First&& first, Args&&... args);
  size_t size() const;
  bool empty() const;
  void clear();
  std::vector<std::pair<handle, handle>>::const_iterator begin() const;
  std::vector<std::pair<handle, handle>>::const_iterator end() const;
  template <typename T>
  bool contains(T&& key) const;
};
class set : public object {
 public:
  CUDAMIGRATE_CONVERTED(set)
  set();
  size_t size() const;
  template <typename T>
  bool add(T&& value);
};
class sequence : public object {
 public:
  using object::object;
  size_t size() const;
  accessor operator[](size_t i) const;
};
class iterable : public object {
 public:
  using object::object;
};
class function : public object {
 public:
  using object::object;
};
class cpp_function : public function {
 public:
  template <typename Func, typename... Extra>
  cpp_function(Func&& f, const Extra&... extra);
};
class type : public object {
 public:
  using object::object;
  template <typename T>
  static handle of();
  static type of(handle value);
};
class capsule : public object {
 public:
  using object::object;
  explicit capsule(const void* value, const char* name = nullptr, void (*destroy)(PyObject*) = nullptr);
  capsule(const void* value, void (*destroy)(void*));
  explicit capsule(void (*destroy)());
  template <typename T>
  operator T*() const;
  template <typename T = void>
  T* get_pointer() const;
};
struct buffer_info {
  void* ptr;
  ssize_t itemsize, size, ndim;
  std::string format;
  std::vector<ssize_t> shape, strides;
  bool readonly;
};
class buffer : public object {
 public:
  using object::object;
  buffer_info request(bool writable = false) const;
};
class args : public tuple {};
class kwargs : public dict {};
template <typename T>
bool isinstance(handle value);
bool isinstance(handle value, handle type);
bool hasattr(handle value, handle name);
bool hasattr(handle value, const char* name);
object getattr(handle value, handle name);
object getattr(handle value, const char* name);
void setattr(handle value, handle name, handle given);
void setattr(handle value, const char* name, handle given);
size_t len(handle value);
str repr(handle value);
iterator iter(handle value);
template <typename... Args>
void print(Args&&... args);
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
struct overload_of {
  template <typename Return>
  constexpr Return (*operator()(Return (*f)(Overload...)) const)(Overload...) {
    return f;
  }
  template <typename Return, typename Class>
  constexpr auto operator()(Return (Class::*f)(Overload...), std::false_type = {}) const {
    return f;
  }
  template <typename Return, typename Class>
  constexpr auto operator()(Return (Class::*f)(Overload...) const, std::true_type) const {
    return f;
  }
};
template <typename... Overload>
constexpr overload_of<Overload...> overload_cast{};
constexpr std::true_type const_{};
class error_already_set : public std::exception {};
using value_error = std::invalid_argument;
// What code specialises to convert types of its own.
namespace detail {
template <typename type, typename = void>
class type_caster;
template <std::size_t N>
struct descr {};
template <std::size_t N>
constexpr descr<N - 1> const_name(const char (&)[N]) {
  return {};
}
template <std::size_t N>
constexpr descr<N - 1> _(const char (&)[N]) {
  return {};
}
}  // namespace detail
}  // namespace pybind11

#define PYBIND11_TYPE_CASTER(type, shown)    \
 protected:                                  \
  type value;                                \
                                             \
 public:                                     \
  static constexpr auto name = shown;        \
  operator type *();                         \
  operator type &();                         \
  operator type &&() &&;                     \
  template <typename T>                      \
  using cast_op_type = T &
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
