// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <cstdint>

namespace at::cuda {
void sleep(int64_t cycles);
void flush_icache();
}
