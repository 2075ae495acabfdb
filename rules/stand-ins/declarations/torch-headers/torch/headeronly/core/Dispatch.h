// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

// A prelude is told which type a case is for, and of which name; ours do nothing with it.
#define THO_PRIVATE_NOTHING(...)
#define THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL(prelude, which, alias, ...)             \
  case which: {                                                                       \
    typedef torch::headeronly::impl::ScalarTypeToCPPTypeT<which> alias;               \
    prelude(which);                                                                   \
    return __VA_ARGS__();                                                             \
  }
#define THO_PRIVATE_CASE_TYPE_USING_HINT(which, alias, ...) \
  THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL(THO_PRIVATE_NOTHING, which, alias, __VA_ARGS__)
#define THO_DISPATCH_CASE_TMPL(one, which, ...) one(which, scalar_t, __VA_ARGS__)
#define THO_DISPATCH_CASE(which, ...) THO_DISPATCH_CASE_TMPL(THO_PRIVATE_CASE_TYPE_USING_HINT, which, __VA_ARGS__)
#define THO_DISPATCH_SWITCH_TMPL(prelude, check, what, label, ...)                                \
  [&] {                                                                                           \
    static constexpr const char* cudamigrate_label = label;                                       \
    const auto cudamigrate_type = ::detail::scalar_type(what);                                    \
    prelude(cudamigrate_label, cudamigrate_type);                                                 \
    switch (cudamigrate_type) {                                                                   \
      default: check(false, "no case of ", cudamigrate_label, cudamigrate_type);                  \
        __VA_ARGS__                                                                               \
    }                                                                                             \
  }()
#define THO_DISPATCH_SWITCH(what, label, ...) \
  THO_DISPATCH_SWITCH_TMPL(THO_PRIVATE_NOTHING, STD_TORCH_CHECK, what, label, __VA_ARGS__)

namespace detail {
inline torch::headeronly::ScalarType scalar_type(torch::headeronly::ScalarType s) { return s; }
}  // namespace detail
