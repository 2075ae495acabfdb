// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/hip/PhiloxCudaState.h>

namespace at {
struct CUDAGeneratorImpl : c10::GeneratorImpl {
  CUDAGeneratorImpl(DeviceIndex index = -1);
  void set_current_seed(uint64_t seed) override;
  void set_offset(uint64_t offset);
  uint64_t get_offset() const;
  uint64_t current_seed() const override;
  uint64_t seed() override;
  void set_philox_offset_per_thread(uint64_t offset);
  uint64_t philox_offset_per_thread() const;
  PhiloxCudaState philox_cuda_state(uint64_t increment);
  std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t increment);
  static c10::DeviceType device_type();
};
namespace cuda::detail {
const Generator& getDefaultCUDAGenerator(DeviceIndex index = -1);
Generator createCUDAGenerator(DeviceIndex index = -1);
}  // namespace cuda::detail
}  // namespace at
