// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <hip/hip_runtime.h>

// The shuffles are the runtime's own, so a type that it has none for is refused here as it would be.
__device__ unsigned int ACTIVE_MASK();
__device__ void WARP_SYNC(unsigned mask = 0xffffffff);
__device__ unsigned long long int WARP_BALLOT(int predicate);
template <typename T>
__device__ T WARP_SHFL_XOR(T value, int laneMask, int width = warpSize, unsigned int mask = 0xffffffff) {
  return __shfl_xor(value, laneMask, width);
}
template <typename T>
__device__ T WARP_SHFL(T value, int srcLane, int width = warpSize, unsigned int mask = 0xffffffff) {
  return __shfl(value, srcLane, width);
}
template <typename T>
__device__ T WARP_SHFL_UP(T value, unsigned int delta, int width = warpSize, unsigned int mask = 0xffffffff) {
  return __shfl_up(value, delta, width);
}
template <typename T>
__device__ T WARP_SHFL_DOWN(T value, unsigned int delta, int width = warpSize, unsigned int mask = 0xffffffff) {
  return __shfl_down(value, delta, width);
}
template <>
__device__ int64_t WARP_SHFL_DOWN<int64_t>(int64_t value, unsigned int delta, int width, unsigned int mask);
template <>
__device__ c10::Half WARP_SHFL_DOWN<c10::Half>(c10::Half value, unsigned int delta, int width, unsigned int mask);
template <typename T>
__device__ c10::complex<T> WARP_SHFL_DOWN(c10::complex<T> value, unsigned int delta, int width = warpSize,
                                          unsigned int mask = 0xffffffff);
template <typename T>
__device__ T doLdg(const T* p);
