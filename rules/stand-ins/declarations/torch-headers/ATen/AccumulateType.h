// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

namespace at {
template <typename T, c10::DeviceType D>
struct AccumulateTypeDevice {};
template <typename T, bool on_device>
struct AccumulateType {};
#define CUDAMIGRATE_ACCUMULATE(t, on_cpu, on_device)                                 \
  template <>                                                                        \
  struct AccumulateType<t, false> {                                                  \
    using type = on_cpu;                                                             \
  };                                                                                 \
  template <>                                                                        \
  struct AccumulateType<t, true> {                                                   \
    using type = on_device;                                                          \
  };                                                                                 \
  template <>                                                                        \
  struct AccumulateTypeDevice<t, c10::DeviceType::CPU> {                             \
    using type = on_cpu;                                                             \
  };                                                                                 \
  template <>                                                                        \
  struct AccumulateTypeDevice<t, c10::DeviceType::CUDA> {                            \
    using type = on_device;                                                          \
  };
CUDAMIGRATE_ACCUMULATE(c10::Half, float, float)
CUDAMIGRATE_ACCUMULATE(c10::BFloat16, float, float)
CUDAMIGRATE_ACCUMULATE(c10::Float8_e5m2, float, float)
CUDAMIGRATE_ACCUMULATE(c10::Float8_e4m3fn, float, float)
CUDAMIGRATE_ACCUMULATE(c10::Float8_e5m2fnuz, float, float)
CUDAMIGRATE_ACCUMULATE(c10::Float8_e4m3fnuz, float, float)
CUDAMIGRATE_ACCUMULATE(float, double, float)
CUDAMIGRATE_ACCUMULATE(double, double, double)
CUDAMIGRATE_ACCUMULATE(int8_t, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(uint8_t, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(char, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(int16_t, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(int32_t, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(int64_t, int64_t, int64_t)
CUDAMIGRATE_ACCUMULATE(bool, bool, bool)
CUDAMIGRATE_ACCUMULATE(c10::complex<c10::Half>, c10::complex<float>, c10::complex<float>)
CUDAMIGRATE_ACCUMULATE(c10::complex<float>, c10::complex<double>, c10::complex<float>)
CUDAMIGRATE_ACCUMULATE(c10::complex<double>, c10::complex<double>, c10::complex<double>)
#ifdef __HIPCC__
template <>
struct AccumulateType<__half, true> {
  using type = float;
};
#endif
#undef CUDAMIGRATE_ACCUMULATE
template <typename T, c10::DeviceType device>
using acc_type_device = typename AccumulateTypeDevice<T, device>::type;
template <typename T, bool on_device>
using acc_type = typename AccumulateType<T, on_device>::type;
c10::ScalarType toAccumulateType(c10::ScalarType type, c10::DeviceType device);
c10::ScalarType toAccumulateType(c10::ScalarType type, bool on_device);
}  // namespace at
