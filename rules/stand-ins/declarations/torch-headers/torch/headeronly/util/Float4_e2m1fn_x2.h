// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

namespace c10 {
struct alignas(1) Float4_e2m1fn_x2 {
  uint8_t val_;
  Float4_e2m1fn_x2() = default;
  C10_HOST_DEVICE explicit Float4_e2m1fn_x2(uint8_t value) : val_(value) {}
};
}  // namespace c10
namespace torch::headeronly {
using c10::Float4_e2m1fn_x2;
}
