// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/Exceptions.h>
#include <c10/core/Device.h>

namespace at::cuda {
c10::Device getDeviceFromPtr(void* pointer);
}
