// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <type_traits>

namespace c10 {
template <class To, class From, std::enable_if_t<sizeof(To) == sizeof(From), int> = 0>
C10_HOST_DEVICE constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace c10
namespace torch::headeronly {
using c10::bit_cast;
}
