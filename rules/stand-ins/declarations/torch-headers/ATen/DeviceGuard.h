// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>

namespace at {
std::optional<Device> device_of(const Tensor& t);
std::optional<Device> device_of(const std::optional<Tensor>& t);
std::optional<Device> device_of(TensorList t);
}
