// What CUDA C++ brings of itself, declared in our words: enough to read device code where no CUDA toolkit is installed.
// It is read first, so that a file's own includes may be missing. Sizes and constants are those of CUDA. `warpSize` has
// no value: it means the wave of the GPU at hand once the code has moved.
#pragma once

#if __has_include(<stdint.h>) && __has_include(<stdlib.h>)
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#endif

#define __CUDACC__ 1
#define __NVCC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

// Names that CUTLASS and PyTorch give to CUDA's qualifiers; their own headers, where they are at hand, say it again.
#define CUTLASS_DEVICE __forceinline__ __device__
#define CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__
#define CUTE_DEVICE __forceinline__ __device__
#define CUTE_HOST_DEVICE __forceinline__ __device__ __host__
#define C10_DEVICE __device__
#define C10_HOST_DEVICE __host__ __device__

typedef decltype(sizeof(0)) cudamigrate_size;

#define CUDAMIGRATE_ONE(type, name) \
    struct name##1 { type x; }; \
    static inline __host__ __device__ name##1 make_##name##1(type x) { return {x}; }
#define CUDAMIGRATE_TWO(type, name, bytes) \
    struct __align__(bytes) name##2 { type x, y; }; \
    static inline __host__ __device__ name##2 make_##name##2(type x, type y) { return {x, y}; }
#define CUDAMIGRATE_THREE(type, name) \
    struct name##3 { type x, y, z; }; \
    static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }
#define CUDAMIGRATE_FOUR(type, name, bytes) \
    struct __align__(bytes) name##4 { type x, y, z, w; }; \
    static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define CUDAMIGRATE_VECTORS(type, name, two, four) \
    CUDAMIGRATE_ONE(type, name) \
    CUDAMIGRATE_TWO(type, name, two) \
    CUDAMIGRATE_THREE(type, name) \
    CUDAMIGRATE_FOUR(type, name, four)

CUDAMIGRATE_VECTORS(signed char, char, 2, 4)
CUDAMIGRATE_VECTORS(unsigned char, uchar, 2, 4)
CUDAMIGRATE_VECTORS(short, short, 4, 8)
CUDAMIGRATE_VECTORS(unsigned short, ushort, 4, 8)
CUDAMIGRATE_VECTORS(int, int, 8, 16)
CUDAMIGRATE_VECTORS(unsigned int, uint, 8, 16)
CUDAMIGRATE_VECTORS(long, long, 16, 16)
CUDAMIGRATE_VECTORS(unsigned long, ulong, 16, 16)
CUDAMIGRATE_VECTORS(long long, longlong, 16, 16)
CUDAMIGRATE_VECTORS(unsigned long long, ulonglong, 16, 16)
CUDAMIGRATE_VECTORS(float, float, 8, 16)
CUDAMIGRATE_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;
    constexpr __host__ __device__ dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef int cudaError_t;
extern "C" cudaError_t cudaConfigureCall(dim3, dim3, cudamigrate_size = 0, cudaStream_t = nullptr);
extern "C" unsigned int __cudaPushCallConfiguration(dim3, dim3, cudamigrate_size = 0, void * = nullptr);

#if __has_include(<__clang_cuda_device_functions.h>)
#include <__clang_cuda_math_forward_declares.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#endif

struct __align__(2) __half { unsigned short bits; __half() = default; __host__ __device__ __half(float); __host__ __device__ operator float() const; };
struct __align__(4) __half2 { __half x, y; };
struct __align__(2) __nv_bfloat16 { unsigned short bits; __nv_bfloat16() = default; __host__ __device__ __nv_bfloat16(float); __host__ __device__ operator float() const; };
struct __align__(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
struct __nv_fp8_e4m3 { unsigned char __x; };
struct __nv_fp8_e5m2 { unsigned char __x; };
typedef unsigned char __nv_fp8_storage_t;
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

extern "C" {
__device__ void __syncwarp(unsigned int = 0xffffffffu);
__device__ unsigned int __activemask();
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ int __all_sync(unsigned int, int);
__device__ unsigned int __ballot(int);
__device__ int __any(int);
__device__ int __all(int);
__device__ cudamigrate_size __cvta_generic_to_shared(const void *);
__device__ unsigned int __fns(unsigned int, unsigned int, int);
}

extern "C" __device__ int printf(const char *, ...);

#define CUDAMIGRATE_ATOMICS(type) \
    __device__ type atomicAdd(type *, type); \
    __device__ type atomicSub(type *, type); \
    __device__ type atomicExch(type *, type); \
    __device__ type atomicMin(type *, type); \
    __device__ type atomicMax(type *, type); \
    __device__ type atomicAnd(type *, type); \
    __device__ type atomicOr(type *, type); \
    __device__ type atomicXor(type *, type); \
    __device__ type atomicCAS(type *, type, type);
CUDAMIGRATE_ATOMICS(int)
CUDAMIGRATE_ATOMICS(unsigned int)
CUDAMIGRATE_ATOMICS(unsigned long long)
CUDAMIGRATE_ATOMICS(float)
CUDAMIGRATE_ATOMICS(double)

#define CUDAMIGRATE_HALVES(type, half) \
    __device__ type __float2##half(float); \
    __device__ type __float2##half##_rn(float); \
    __device__ float __##half##2float(type);
CUDAMIGRATE_HALVES(__half, half)
CUDAMIGRATE_HALVES(__nv_bfloat16, bfloat16)

#define CUDAMIGRATE_SHUFFLES(type) \
    __device__ type __shfl_sync(unsigned int, type, int, int = 32); \
    __device__ type __shfl_up_sync(unsigned int, type, unsigned int, int = 32); \
    __device__ type __shfl_down_sync(unsigned int, type, unsigned int, int = 32); \
    __device__ type __shfl_xor_sync(unsigned int, type, int, int = 32); \
    __device__ type __shfl(type, int, int = 32); \
    __device__ type __shfl_up(type, unsigned int, int = 32); \
    __device__ type __shfl_down(type, unsigned int, int = 32); \
    __device__ type __shfl_xor(type, int, int = 32);
CUDAMIGRATE_SHUFFLES(int)
CUDAMIGRATE_SHUFFLES(unsigned int)
CUDAMIGRATE_SHUFFLES(long)
CUDAMIGRATE_SHUFFLES(unsigned long)
CUDAMIGRATE_SHUFFLES(long long)
CUDAMIGRATE_SHUFFLES(unsigned long long)
CUDAMIGRATE_SHUFFLES(float)
CUDAMIGRATE_SHUFFLES(double)
CUDAMIGRATE_SHUFFLES(__half)
CUDAMIGRATE_SHUFFLES(__half2)
CUDAMIGRATE_SHUFFLES(__nv_bfloat16)
CUDAMIGRATE_SHUFFLES(__nv_bfloat162)

#define CUDAMIGRATE_MATCHES(type) \
    __device__ unsigned int __match_any_sync(unsigned int, type); \
    __device__ unsigned int __match_all_sync(unsigned int, type, int *);
CUDAMIGRATE_MATCHES(int)
CUDAMIGRATE_MATCHES(unsigned int)
CUDAMIGRATE_MATCHES(long)
CUDAMIGRATE_MATCHES(unsigned long)
CUDAMIGRATE_MATCHES(long long)
CUDAMIGRATE_MATCHES(unsigned long long)
CUDAMIGRATE_MATCHES(float)
CUDAMIGRATE_MATCHES(double)

#define CUDAMIGRATE_REDUCTIONS(type) \
    __device__ type __reduce_add_sync(unsigned int, type); \
    __device__ type __reduce_min_sync(unsigned int, type); \
    __device__ type __reduce_max_sync(unsigned int, type);
CUDAMIGRATE_REDUCTIONS(int)
CUDAMIGRATE_REDUCTIONS(unsigned int)
CUDAMIGRATE_REDUCTIONS(float)
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);
