// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/Context.h>

namespace at::cuda::detail {
void set_magma_init_fn(void (*init)());
}
