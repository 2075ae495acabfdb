// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/native/Resize.h>

namespace at::native {
void resize_bytes_cuda(StorageImpl* storage, size_t bytes);
}
