// The words that CUDA C++ and HIP add to C++, and the vector types.
#ifndef CUDAMIGRATE_EMULATION_LANGUAGE_H
#define CUDAMIGRATE_EMULATION_LANGUAGE_H

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>

#include "../machine/machine.h"

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __shared__ thread_local  // each worker runs one block at a time, and has its own
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __CUDA_ALIGN__(bytes) __align__(bytes)

#define threadIdx (::cudamigrate_emulation::here().thread_)
#define blockIdx (::cudamigrate_emulation::here().block_)
#define blockDim (::cudamigrate_emulation::here().block_size_)
#define gridDim (::cudamigrate_emulation::here().grid_size_)

// The machine does not look at what such a function does with memory.
#if defined(__clang__)
#define CUDAMIGRATE_EMULATION_UNSEEN __attribute__((no_sanitize("thread", "coverage")))
#elif __GNUC__ >= 12
#define CUDAMIGRATE_EMULATION_UNSEEN __attribute__((no_sanitize_thread, no_sanitize_coverage))
#else
#define CUDAMIGRATE_EMULATION_UNSEEN __attribute__((no_sanitize_thread))
#endif

#define CUDAMIGRATE_EMULATION_VECTORS(name, T, two, four)                                                  \
    struct name##1 {                                                                                       \
        T x;                                                                                               \
    };                                                                                                     \
    struct __attribute__((aligned(two))) name##2 {                                                         \
        T x, y;                                                                                            \
    };                                                                                                     \
    struct name##3 {                                                                                       \
        T x, y, z;                                                                                         \
    };                                                                                                     \
    struct __attribute__((aligned(four))) name##4 {                                                        \
        T x, y, z, w;                                                                                      \
    };                                                                                                     \
    inline constexpr name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                            \
    inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }            \
    inline constexpr name##1 make_##name##1(T x) { return name##1{x}; }
#define CUDAMIGRATE_EMULATION_THREE(name, T) \
    inline constexpr name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }
CUDAMIGRATE_EMULATION_VECTORS(char, signed char, 2, 4)
CUDAMIGRATE_EMULATION_THREE(char, signed char)
CUDAMIGRATE_EMULATION_VECTORS(uchar, unsigned char, 2, 4)
CUDAMIGRATE_EMULATION_THREE(uchar, unsigned char)
CUDAMIGRATE_EMULATION_VECTORS(short, short, 4, 8)
CUDAMIGRATE_EMULATION_THREE(short, short)
CUDAMIGRATE_EMULATION_VECTORS(ushort, unsigned short, 4, 8)
CUDAMIGRATE_EMULATION_THREE(ushort, unsigned short)
CUDAMIGRATE_EMULATION_VECTORS(int, int, 8, 16)
CUDAMIGRATE_EMULATION_THREE(int, int)
#define uint3 cudamigrate_emulation_other_uint3  // machine.h has it
CUDAMIGRATE_EMULATION_VECTORS(uint, unsigned int, 8, 16)
#undef uint3
CUDAMIGRATE_EMULATION_THREE(uint, unsigned int)
CUDAMIGRATE_EMULATION_VECTORS(long, long, 16, 16)
CUDAMIGRATE_EMULATION_THREE(long, long)
CUDAMIGRATE_EMULATION_VECTORS(ulong, unsigned long, 16, 16)
CUDAMIGRATE_EMULATION_THREE(ulong, unsigned long)
CUDAMIGRATE_EMULATION_VECTORS(longlong, long long, 16, 16)
CUDAMIGRATE_EMULATION_THREE(longlong, long long)
CUDAMIGRATE_EMULATION_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDAMIGRATE_EMULATION_THREE(ulonglong, unsigned long long)
CUDAMIGRATE_EMULATION_VECTORS(float, float, 8, 16)
CUDAMIGRATE_EMULATION_THREE(float, float)
CUDAMIGRATE_EMULATION_VECTORS(double, double, 16, 16)
CUDAMIGRATE_EMULATION_THREE(double, double)
#undef CUDAMIGRATE_EMULATION_THREE
#undef CUDAMIGRATE_EMULATION_VECTORS

namespace cudamigrate_emulation {

// What a width of lanes is to a program: no constant expression, as in CUDA and since ROCm 7.
struct WarpSize {
    operator int() const { return wave_width(); }
};

// The name by which records tell the type of numbers; empty for others.
template <typename T>
const char *type_name() {
    typedef std::remove_cv_t<T> Plain;
    if (std::is_same<Plain, float>::value) return "f4";
    if (std::is_same<Plain, double>::value) return "f8";
    if (std::is_same<Plain, bool>::value) return "u1";
    if (!std::is_integral<Plain>::value) return "";
    const bool is_signed = std::is_signed<Plain>::value;
    return sizeof(Plain) == 1   ? is_signed ? "i1" : "u1"
           : sizeof(Plain) == 2 ? is_signed ? "i2" : "u2"
           : sizeof(Plain) == 4 ? is_signed ? "i4" : "u4"
                                : is_signed ? "i8" : "u8";
}
template <> inline const char *type_name<float2>() { return "f4"; }
template <> inline const char *type_name<float3>() { return "f4"; }
template <> inline const char *type_name<float4>() { return "f4"; }
template <> inline const char *type_name<double2>() { return "f8"; }
template <> inline const char *type_name<int2>() { return "i4"; }
template <> inline const char *type_name<int4>() { return "i4"; }
template <> inline const char *type_name<uint2>() { return "u4"; }
template <> inline const char *type_name<uint4>() { return "u4"; }

// The arguments of a launch: which memory the kernel is given, and as what.
inline void see() {}
template <typename T, typename = std::enable_if_t<!std::is_function<T>::value>>
void see_one(T *pointer, int) {
    see_pointer(const_cast<const void *>(static_cast<const volatile void *>(pointer)), type_name<T>(), 0);
}
template <typename T>
void see_one(const T &, long) {}
template <typename First, typename... Rest>
void see(const First &first, const Rest &...rest) {
    see_one(first, 0);
    see(rest...);
}

// How many streams are captured: what is launched there is done later.
inline int captures = 0;

// The values of arguments that are computed once, for a launch whose body asks for them by each thread.
template <typename Body, typename... Values>
void launch_with(const char *kernel, const Launch &how, Body body, Values... values) {
    if (captures > 0) missing("a launch that is captured, in a file that captures no stream");
    body(true, values...);
    launch(kernel, how, [&] { body(false, values...); });
}

}  // namespace cudamigrate_emulation

static const ::cudamigrate_emulation::WarpSize warpSize;

#endif  // CUDAMIGRATE_EMULATION_LANGUAGE_H
