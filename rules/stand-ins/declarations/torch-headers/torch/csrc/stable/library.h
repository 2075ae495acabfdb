// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/headeronly/core/enum_tag.h>

#include <tuple>
#include <vector>

namespace torch::stable::detail {
class StableLibrary final {
 public:
  enum class Kind { DEF, IMPL, FRAGMENT };
  StableLibrary(Kind kind, const char* ns, const char* k, const char* file, uint32_t line);
  StableLibrary(const StableLibrary&) = delete;
  StableLibrary& operator=(const StableLibrary&) = delete;
  StableLibrary& impl(const char* name, void (*fn)(StableIValue*, uint64_t, uint64_t));
  StableLibrary& def(const char* schema);
  StableLibrary& def(const char* schema, const std::vector<at::Tag>& tags);
  StableLibrary& set_python_module(const char* module, const char* context = "");
};
struct StableTorchLibraryInit {
  StableTorchLibraryInit(StableLibrary::Kind kind, void fill(StableLibrary&), const char* ns, const char* k,
      const char* file, uint32_t line);
};
template <typename FuncT, FuncT* func>
struct boxer {
  static void boxed_fn(StableIValue* stack, uint64_t num_args, uint64_t num_outputs);
};
}  // namespace torch::stable::detail

#define TORCH_BOX(function) \
  ::torch::stable::detail::boxer<std::remove_pointer_t<std::decay_t<decltype(function)>>, (function)>::boxed_fn
#define CUDAMIGRATE_STABLE(kind, ns, key, label, m)                                                                \
  static void label##_init(torch::stable::detail::StableLibrary&);                                                 \
  static const torch::stable::detail::StableTorchLibraryInit label##_static(                                       \
      torch::stable::detail::StableLibrary::Kind::kind, &label##_init, C10_STRINGIZE(ns), key, __FILE__, __LINE__); \
  void label##_init(torch::stable::detail::StableLibrary& m)
#define CUDAMIGRATE_STABLE_EXPAND(...) CUDAMIGRATE_STABLE(__VA_ARGS__)
#define STABLE_TORCH_LIBRARY(ns, m) CUDAMIGRATE_STABLE_EXPAND(DEF, ns, nullptr, STABLE_TORCH_LIBRARY_##ns, m)
#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m) \
  CUDAMIGRATE_STABLE_EXPAND(FRAGMENT, ns, nullptr, C10_CONCATENATE(STABLE_TORCH_LIBRARY_FRAGMENT_##ns##_, C10_UID), m)
#define STABLE_TORCH_LIBRARY_IMPL(ns, k, m) \
  CUDAMIGRATE_STABLE_EXPAND(IMPL, ns, #k, C10_CONCATENATE(STABLE_TORCH_LIBRARY_IMPL_##ns##_##k##_, C10_UID), m)
