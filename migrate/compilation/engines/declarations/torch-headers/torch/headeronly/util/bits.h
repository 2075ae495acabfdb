// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

namespace c10 {
struct alignas(1) bits1x8 {
  using underlying = uint8_t;
  uint8_t val_;
  bits1x8() = default;
  C10_HOST_DEVICE explicit bits1x8(uint8_t value) : val_(value) {}
};
struct alignas(1) bits2x4 {
  using underlying = uint8_t;
  uint8_t val_;
  bits2x4() = default;
  C10_HOST_DEVICE explicit bits2x4(uint8_t value) : val_(value) {}
};
struct alignas(1) bits4x2 {
  using underlying = uint8_t;
  uint8_t val_;
  bits4x2() = default;
  C10_HOST_DEVICE explicit bits4x2(uint8_t value) : val_(value) {}
};
struct alignas(1) bits8 {
  using underlying = uint8_t;
  uint8_t val_;
  bits8() = default;
  C10_HOST_DEVICE explicit bits8(uint8_t value) : val_(value) {}
};
struct alignas(2) bits16 {
  using underlying = uint16_t;
  uint16_t val_;
  bits16() = default;
  C10_HOST_DEVICE explicit bits16(uint16_t value) : val_(value) {}
};
}  // namespace c10
