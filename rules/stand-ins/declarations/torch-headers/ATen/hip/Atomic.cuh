// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

#include <hip/hip_runtime.h>

template <typename T>
struct AtomicFPOp;
#define CUDAMIGRATE_ATOMIC_FLOAT(type)                                             \
  template <>                                                                      \
  struct AtomicFPOp<type> {                                                        \
    template <typename func_t>                                                     \
    __device__ type operator()(type* address, type val, const func_t& func);       \
  };
CUDAMIGRATE_ATOMIC_FLOAT(at::Half)
CUDAMIGRATE_ATOMIC_FLOAT(at::BFloat16)
CUDAMIGRATE_ATOMIC_FLOAT(double)
#undef CUDAMIGRATE_ATOMIC_FLOAT
#define ATOMIC_INTEGER_IMPL(NAME)                                                  \
  template <typename T, size_t n>                                                  \
  struct Atomic##NAME##IntegerImpl {                                               \
    template <typename func_t>                                                     \
    __device__ void operator()(T* address, T val, const func_t& func);             \
  };
ATOMIC_INTEGER_IMPL(Add)
ATOMIC_INTEGER_IMPL(Mul)
ATOMIC_INTEGER_IMPL(Max)
ATOMIC_INTEGER_IMPL(Min)

__device__ void gpuAtomicAdd(uint8_t* address, uint8_t val);
__device__ void gpuAtomicAdd(int8_t* address, int8_t val);
__device__ void gpuAtomicAdd(int16_t* address, int16_t val);
__device__ int32_t gpuAtomicAdd(int32_t* address, int32_t val);
__device__ void gpuAtomicAdd(int64_t* address, int64_t val);
__device__ void gpuAtomicAdd(bool* address, bool val);
__device__ at::Half gpuAtomicAdd(at::Half* address, at::Half val);
__device__ at::BFloat16 gpuAtomicAdd(at::BFloat16* address, at::BFloat16 val);
__device__ double gpuAtomicAdd(double* address, double val);
__device__ float gpuAtomicAdd(float* address, float val);
template <typename T>
__device__ void gpuAtomicAdd(c10::complex<T>* address, c10::complex<T> val);
__device__ at::Half atomicAdd(at::Half* address, at::Half val);
__device__ at::BFloat16 atomicAdd(at::BFloat16* address, at::BFloat16 val);
__device__ void atomicAdd(uint8_t* address, uint8_t val);
__device__ void atomicAdd(int8_t* address, int8_t val);
__device__ void atomicAdd(int16_t* address, int16_t val);
__device__ void atomicAdd(int64_t* address, int64_t val);
__device__ void atomicAdd(bool* address, bool val);
template <typename T>
__device__ void gpuAtomicAddNoReturn(c10::complex<T>* address, c10::complex<T> val);
__device__ void gpuAtomicAddNoReturn(uint8_t* address, uint8_t val);
__device__ void gpuAtomicAddNoReturn(int8_t* address, int8_t val);
__device__ void gpuAtomicAddNoReturn(int16_t* address, int16_t val);
__device__ void gpuAtomicAddNoReturn(int32_t* address, int32_t val);
__device__ void gpuAtomicAddNoReturn(int64_t* address, int64_t val);
__device__ void gpuAtomicAddNoReturn(bool* address, bool val);
__device__ void gpuAtomicAddNoReturn(at::Half* address, at::Half val);
__device__ void gpuAtomicAddNoReturn(at::BFloat16* address, at::BFloat16 val);
__device__ void gpuAtomicAddNoReturn(float* address, float val);
__device__ void gpuAtomicAddNoReturn(double* address, double val);
__device__ void gpuAtomicMul(uint8_t* address, uint8_t val);
__device__ void gpuAtomicMul(int8_t* address, int8_t val);
__device__ void gpuAtomicMul(int16_t* address, int16_t val);
__device__ void gpuAtomicMul(int32_t* address, int32_t val);
__device__ void gpuAtomicMul(int64_t* address, int64_t val);
__device__ void gpuAtomicMax(uint8_t* address, uint8_t val);
__device__ void gpuAtomicMax(int8_t* address, int8_t val);
__device__ void gpuAtomicMax(int16_t* address, int16_t val);
__device__ void gpuAtomicMax(int32_t* address, int32_t val);
__device__ void gpuAtomicMax(int64_t* address, int64_t val);
__device__ void gpuAtomicMin(uint8_t* address, uint8_t val);
__device__ void gpuAtomicMin(int8_t* address, int8_t val);
__device__ void gpuAtomicMin(int16_t* address, int16_t val);
__device__ void gpuAtomicMin(int32_t* address, int32_t val);
__device__ void gpuAtomicMin(int64_t* address, int64_t val);
__device__ at::Half gpuAtomicMul(at::Half* address, at::Half val);
__device__ at::BFloat16 gpuAtomicMul(at::BFloat16* address, at::BFloat16 val);
__device__ double gpuAtomicMul(double* address, double val);
__device__ float gpuAtomicMul(float* address, float val);
__device__ at::Half gpuAtomicMax(at::Half* address, at::Half val);
__device__ at::BFloat16 gpuAtomicMax(at::BFloat16* address, at::BFloat16 val);
__device__ double gpuAtomicMax(double* address, double val);
__device__ float gpuAtomicMax(float* address, float val);
__device__ at::Half gpuAtomicMin(at::Half* address, at::Half val);
__device__ at::BFloat16 gpuAtomicMin(at::BFloat16* address, at::BFloat16 val);
__device__ double gpuAtomicMin(double* address, double val);
__device__ float gpuAtomicMin(float* address, float val);
template <typename T>
__host__ __device__ T safe_max(T a, T b);
template <typename T>
__host__ __device__ T safe_min(T a, T b);
