// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

namespace c10 {
struct alignas(sizeof(uint8_t)) quint4x2 {
  using underlying = uint8_t;
  uint8_t val_;
  quint4x2() = default;
  C10_HOST_DEVICE explicit quint4x2(uint8_t value) : val_(value) {}
};
}  // namespace c10
