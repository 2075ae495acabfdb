// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/library.h>

namespace torch {
template <class... Types>
struct types {};
template <class... Types>
auto init() {
  return types<Types...>{};
}
struct arg {
  explicit arg(std::string name);
  template <typename T>
  arg& operator=(const T& value);
};
template <class CurClass>
class class_ {
 public:
  explicit class_(const std::string& namespaceName, const std::string& className, std::string doc = "");
  template <typename... Types>
  class_& def(types<Types...>, std::string doc = "", std::initializer_list<arg> args = {});
  template <typename Func>
  class_& def(std::string name, Func f, std::string doc = "", std::initializer_list<arg> args = {}) { return *this; }
  template <typename Func>
  class_& def_static(std::string name, Func func, std::string doc = "") { return *this; }
  template <typename Getter, typename Setter>
  class_& def_property(const std::string& name, Getter get, Setter set, const std::string& doc = "") { return *this; }
  template <typename Member, typename T>
  class_& def_readwrite(const std::string& name, T Member::* field);
  template <typename Get, typename Set>
  class_& def_pickle(Get&& get, Set&& set) { return *this; }
};
}  // namespace torch
