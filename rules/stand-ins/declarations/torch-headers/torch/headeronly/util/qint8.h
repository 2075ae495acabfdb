// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

namespace c10 {
struct alignas(sizeof(int8_t)) qint8 {
  using underlying = int8_t;
  int8_t val_;
  qint8() = default;
  C10_HOST_DEVICE explicit qint8(int8_t value) : val_(value) {}
};
}  // namespace c10
