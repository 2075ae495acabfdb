// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>

#include <cmath>

namespace c10::cuda::compat {
C10_HOST_DEVICE float abs(float x);
C10_HOST_DEVICE double abs(double x);
C10_HOST_DEVICE float ceil(float x);
C10_HOST_DEVICE double ceil(double x);
C10_HOST_DEVICE float exp(float x);
C10_HOST_DEVICE double exp(double x);
C10_HOST_DEVICE float floor(float x);
C10_HOST_DEVICE double floor(double x);
C10_HOST_DEVICE float log(float x);
C10_HOST_DEVICE double log(double x);
C10_HOST_DEVICE float rsqrt(float x);
C10_HOST_DEVICE double rsqrt(double x);
C10_HOST_DEVICE float sqrt(float x);
C10_HOST_DEVICE double sqrt(double x);
C10_HOST_DEVICE float tan(float x);
C10_HOST_DEVICE double tan(double x);
C10_HOST_DEVICE float tanh(float x);
C10_HOST_DEVICE double tanh(double x);
C10_HOST_DEVICE float normcdf(float x);
C10_HOST_DEVICE double normcdf(double x);
C10_HOST_DEVICE float copysign(float x, float y);
C10_HOST_DEVICE double copysign(double x, double y);
C10_HOST_DEVICE float max(float x, float y);
C10_HOST_DEVICE double max(double x, double y);
C10_HOST_DEVICE float min(float x, float y);
C10_HOST_DEVICE double min(double x, double y);
C10_HOST_DEVICE float pow(float x, float y);
C10_HOST_DEVICE double pow(double x, double y);
C10_HOST_DEVICE void sincos(float x, float* sine, float* cosine);
C10_HOST_DEVICE void sincos(double x, double* sine, double* cosine);
}  // namespace c10::cuda::compat
