// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

namespace c10 {
#define CUDAMIGRATE_BIT_TYPE(name, Word)          \
  struct alignas(Word) name {                     \
    Word val_;                                    \
    using underlying = Word;                      \
    explicit C10_HOST_DEVICE name(Word contents); \
    name() = default;                             \
  };
CUDAMIGRATE_BIT_TYPE(bits8, uint8_t)
CUDAMIGRATE_BIT_TYPE(bits16, uint16_t)
CUDAMIGRATE_BIT_TYPE(bits1x8, uint8_t)
CUDAMIGRATE_BIT_TYPE(bits2x4, uint8_t)
CUDAMIGRATE_BIT_TYPE(bits4x2, uint8_t)
#undef CUDAMIGRATE_BIT_TYPE
}  // namespace c10
