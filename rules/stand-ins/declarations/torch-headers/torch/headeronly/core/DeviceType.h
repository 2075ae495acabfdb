// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <functional>
#include <ostream>
#include <string>

namespace c10 {
enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  OPENGL = 3,
  OPENCL = 4,
  IDEEP = 5,
  HIP = 6,
  FPGA = 7,
  MAIA = 8,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15,
  VE = 16,
  Lazy = 17,
  IPU = 18,
  MTIA = 19,
  PrivateUse1 = 20,
  COMPILE_TIME_MAX_DEVICE_TYPES = 21,
};
#define CUDAMIGRATE_DEVICE_NAMES(_) \
  _(CPU) _(CUDA) _(FPGA) _(HIP) _(HPU) _(IPU) _(Lazy) _(MAIA) \
  _(MPS) _(MTIA) _(Meta) _(Metal) _(PrivateUse1) _(VE) _(Vulkan) _(XLA) \
  _(XPU)
#define CUDAMIGRATE_DEVICE(name) constexpr DeviceType k##name = DeviceType::name;
CUDAMIGRATE_DEVICE_NAMES(CUDAMIGRATE_DEVICE)
#undef CUDAMIGRATE_DEVICE
constexpr int COMPILE_TIME_MAX_DEVICE_TYPES = 21;
std::string DeviceTypeName(DeviceType d, bool lower_case = false);
bool isValidDeviceType(DeviceType d);
std::ostream& operator<<(std::ostream& stream, DeviceType type);
}  // namespace c10
namespace std {
template <>
struct hash<c10::DeviceType> {
  size_t operator()(c10::DeviceType k) const;
};
}  // namespace std
namespace torch {
using c10::DeviceType;
namespace headeronly {
using c10::COMPILE_TIME_MAX_DEVICE_TYPES;
using c10::DeviceType;
#define CUDAMIGRATE_DEVICE(name) using c10::k##name;
CUDAMIGRATE_DEVICE_NAMES(CUDAMIGRATE_DEVICE)
#undef CUDAMIGRATE_DEVICE
#undef CUDAMIGRATE_DEVICE_NAMES
}  // namespace headeronly
}  // namespace torch
