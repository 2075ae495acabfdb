// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <torch/headeronly/core/enum_tag.h>

#include <functional>
#include <string>
#include <vector>

namespace c10 {
struct OperatorName {
  std::string name, overload_name;
};
struct FunctionSchema {
  const std::string& name() const;
};
template <class FuncType>
struct TypedOperatorHandle;
template <class Return, class... Args>
struct TypedOperatorHandle<Return(Args...)> {
  Return call(Args... args) const;
  Return redispatch(DispatchKeySet keys, Args... args) const;
};
struct OperatorHandle {
  template <class FuncType>
  TypedOperatorHandle<FuncType> typed() const;
  const FunctionSchema& schema() const;
};
class Dispatcher {
 public:
  static Dispatcher& singleton();
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name);
  std::optional<OperatorHandle> findSchema(const OperatorName& name);
};
struct RegisterOperators {
  struct Options {
    Options() = default;
    template <class... Args>
    Options&& schema(Args&&... args) &&;
    template <auto* kernel>
    Options&& kernel(DispatchKey key) &&;
  };
  RegisterOperators() = default;
  explicit RegisterOperators(const std::string& schema, Options&& options = Options());
  template <class FuncType>
  explicit RegisterOperators(const std::string& schema, FuncType* function, Options&& options = Options());
  template <class Lambda>
  explicit RegisterOperators(const std::string& schema, Lambda&& function, Options&& options = Options()) {}
  RegisterOperators&& op(const std::string& schema, Options&& options = Options()) &&;
  template <class FuncType>
  RegisterOperators&& op(const std::string& schema, FuncType* function, Options&& options = Options()) &&;
  template <class Lambda>
  RegisterOperators&& op(const std::string& schema, Lambda&& function, Options&& options = Options()) && {
    return static_cast<RegisterOperators&&>(*this);
  }
};
}  // namespace c10

namespace torch {
using RegisterOperators = c10::RegisterOperators;

// Holds anything that can be called, by its address or as a lambda.
class CppFunction {
 public:
  template <typename Func>
  CppFunction(Func* function) {
    static_assert(std::is_function_v<Func>, "an operator is registered with a function");
  }
  template <typename Lambda, std::enable_if_t<!std::is_pointer_v<std::decay_t<Lambda>>, int> = 0,
            typename = decltype(&std::decay_t<Lambda>::operator())>
  CppFunction(Lambda&& function) {}
  static CppFunction makeFallthrough();
  template <auto* function>
  static CppFunction makeFromBoxedFunction();
};
template <typename Func>
CppFunction dispatch(c10::DispatchKey key, Func&& function) { return CppFunction(static_cast<Func&&>(function)); }
template <typename Func>
CppFunction dispatch(c10::DeviceType type, Func&& function) { return CppFunction(static_cast<Func&&>(function)); }
c10::FunctionSchema schema(const char* text, bool allow_typevars = false);
template <class... Types>
struct types;
template <class CurClass>
class class_;

class Library final {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };
  Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> key, const char* file, uint32_t line);
  Library(Library&&) = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  template <typename Schema>
  Library& def(Schema&& schema, const std::vector<at::Tag>& tags = {}) &;
  template <typename NameOrSchema, typename Func,
            std::enable_if_t<!std::is_same_v<std::decay_t<Func>, std::vector<at::Tag>>, int> = 0>
  Library& def(NameOrSchema&& name, Func&& function, const std::vector<at::Tag>& tags = {}) & {
    (void)CppFunction(static_cast<Func&&>(function));
    return *this;
  }
  template <typename Name, typename Func>
  Library& impl(Name name, Func&& function) & {
    (void)CppFunction(static_cast<Func&&>(function));
    return *this;
  }
  template <typename Name, typename Dispatch, typename Func>
  Library& impl(Name name, Dispatch&& key, Func&& function) & {
    (void)CppFunction(static_cast<Func&&>(function));
    return *this;
  }
  template <typename Func>
  Library& fallback(Func&& function) & { return *this; }
  template <class CurClass>
  class_<CurClass> class_(const std::string& name);
  Library& set_python_module(const char* module, const char* context = "");
};
namespace detail {
struct TorchLibraryInit {
  TorchLibraryInit(Library::Kind kind, void (*fill)(Library&), const char* ns,
                   std::optional<c10::DispatchKey> key, const char* file, uint32_t line);
};
}  // namespace detail
}  // namespace torch

// A function that fills the library, an object whose construction has it called, and the head of its definition.
#define CUDAMIGRATE_LIBRARY(kind, ns, key, label, m)                                                            \
  static void label(::torch::Library&);                                                                         \
  static const ::torch::detail::TorchLibraryInit C10_CONCATENATE(label, _made){                                 \
      ::torch::Library::kind, label, #ns, key, __FILE__, __LINE__};                                             \
  static void label(::torch::Library& m)
#define CUDAMIGRATE_LIBRARY_EXPAND(...) CUDAMIGRATE_LIBRARY(__VA_ARGS__)
#define TORCH_LIBRARY(ns, m) CUDAMIGRATE_LIBRARY_EXPAND(DEF, ns, std::nullopt, TORCH_LIBRARY_init_##ns, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) _TORCH_LIBRARY_FRAGMENT(ns, m, C10_UID)
#define _TORCH_LIBRARY_FRAGMENT(ns, m, number) \
  CUDAMIGRATE_LIBRARY_EXPAND(FRAGMENT, ns, std::nullopt, C10_CONCATENATE(cudamigrate_fragment_##ns##_, number), m)
#define _TORCH_LIBRARY_IMPL(ns, k, m, number)                                                                   \
  CUDAMIGRATE_LIBRARY_EXPAND(IMPL, ns, c10::DispatchKey::k, C10_CONCATENATE(cudamigrate_##ns##_##k##_, number), m)
#define TORCH_LIBRARY_IMPL(ns, k, m) _TORCH_LIBRARY_IMPL(ns, k, m, C10_UID)
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(schema) schema
#define TORCH_FN(function) function
