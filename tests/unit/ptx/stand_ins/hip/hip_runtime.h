// A stand-in for HIP on a CPU with one thread: the device functions that translations of PTX and the runtime headers
// call, as in ROCm 5.2, and no others. What concerns several lanes is declared alone.
#ifndef STAND_IN_HIP_RUNTIME_H
#define STAND_IN_HIP_RUNTIME_H

#include <cmath>
#include <cstring>

#define __device__
#define __global__
#define __host__
#define __shared__ thread_local

struct char4 {
    signed char x, y, z, w;
};
struct uchar4 {
    unsigned char x, y, z, w;
};

// An object that converts, as it is since ROCm 7: not a constant expression.
struct WarpSize {
    operator int() const { return 32; }
};
static const WarpSize warpSize;

unsigned int __lane_id();
unsigned long long __ballot(int predicate);
int __any(int predicate);
int __all(int predicate);
int __shfl(int value, int lane, int width = warpSize);
int __shfl_up(int value, unsigned int delta, int width = warpSize);
int __shfl_down(int value, unsigned int delta, int width = warpSize);
int __shfl_xor(int value, int lane_mask, int width = warpSize);
unsigned int __shfl(unsigned int value, int lane, int width = warpSize);
unsigned int __shfl_up(unsigned int value, unsigned int delta, int width = warpSize);
unsigned int __shfl_down(unsigned int value, unsigned int delta, int width = warpSize);
unsigned int __shfl_xor(unsigned int value, int lane_mask, int width = warpSize);

inline unsigned int __popc(unsigned int bits) { return static_cast<unsigned int>(__builtin_popcount(bits)); }
inline unsigned int __ffs(unsigned int bits) { return static_cast<unsigned int>(__builtin_ffs(static_cast<int>(bits))); }
inline unsigned int __ffs(int bits) { return static_cast<unsigned int>(__builtin_ffs(bits)); }
inline unsigned int __brev(unsigned int bits) {
    unsigned int turned = 0;
    for (int bit = 0; bit < 32; ++bit) turned |= (bits >> bit & 1u) << (31 - bit);
    return turned;
}

template <typename To, typename From>
inline To taken(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits");
    To to;
    std::memcpy(static_cast<void *>(&to), &from, sizeof(To));
    return to;
}

#define VECTORS(name, type)                                                                    \
    struct name##2 { type x, y; };                                                             \
    struct name##4 { type x, y, z, w; };                                                       \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                           \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
VECTORS(short, short)
VECTORS(ushort, unsigned short)
VECTORS(uint, unsigned int)
VECTORS(int, int)
VECTORS(ulonglong, unsigned long long)
VECTORS(float, float)
VECTORS(double, double)
inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
struct Index {
    unsigned int x, y, z;
};
static const Index threadIdx = {1, 2, 3}, blockIdx = {4, 5, 6}, blockDim = {7, 8, 9}, gridDim = {10, 11, 12};

inline unsigned int __float_as_uint(float x) { return taken<unsigned int>(x); }
inline int __float_as_int(float x) { return taken<int>(x); }
inline float __uint_as_float(unsigned int x) { return taken<float>(x); }
inline long long __double_as_longlong(double x) { return taken<long long>(x); }
inline double __longlong_as_double(long long x) { return taken<double>(x); }
inline unsigned int __popcll(unsigned long long x) { return static_cast<unsigned int>(__builtin_popcountll(x)); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 | __brev(static_cast<unsigned int>(x >> 32));
}
inline unsigned int __umulhi(unsigned int a, unsigned int b) { return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32); }
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>((static_cast<__int128>(a) * b) >> 64); }
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32 | low) << (by & 31)) >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (by & 31));
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
// HIP ignores the top bit of each digit of the selector.
inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int made = 0;
    for (int at = 0; at < 4; ++at) made |= static_cast<unsigned int>(both >> (8 * (selector >> (4 * at) & 7)) & 0xff) << (8 * at);
    return made;
}
inline float __saturatef(float x) { return x < 0 ? 0 : (x > 1 ? 1 : x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __log2f(float x) { return log2f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float rsqrtf(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }

// Atomic operations of one thread, for the types that HIP has them for, each as HIP's documentation describes it.
enum { __HIP_MEMORY_SCOPE_SINGLETHREAD = 1, __HIP_MEMORY_SCOPE_WAVEFRONT, __HIP_MEMORY_SCOPE_WORKGROUP, __HIP_MEMORY_SCOPE_AGENT, __HIP_MEMORY_SCOPE_SYSTEM };
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
template <typename T> T stand_in_sum(T a, T b) { return a + b; }
template <> inline int stand_in_sum(int a, int b) { return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)); }
template <> inline long stand_in_sum(long a, long b) { return static_cast<long>(static_cast<unsigned long>(a) + static_cast<unsigned long>(b)); }
template <> inline long long stand_in_sum(long long a, long long b) { return static_cast<long long>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b)); }
#define STAND_IN_ATOMIC(name, type, made) \
    inline type atomic##name(type *at, type b) { const type a = *at; *at = made; return a; }
#define STAND_IN_INTEGERS(name, made) \
    STAND_IN_ATOMIC(name, int, made) STAND_IN_ATOMIC(name, unsigned int, made) STAND_IN_ATOMIC(name, unsigned long long, made)
STAND_IN_INTEGERS(Add, stand_in_sum(a, b))
STAND_IN_ATOMIC(Add, float, a + b)
STAND_IN_ATOMIC(Add, double, a + b)
STAND_IN_INTEGERS(Min, b < a ? b : a)
STAND_IN_INTEGERS(Max, a < b ? b : a)
STAND_IN_ATOMIC(Min, long long, b < a ? b : a)
STAND_IN_ATOMIC(Max, long long, a < b ? b : a)
STAND_IN_INTEGERS(And, a & b)
STAND_IN_INTEGERS(Or, a | b)
STAND_IN_INTEGERS(Xor, a ^ b)
STAND_IN_INTEGERS(Exch, b)
STAND_IN_ATOMIC(Exch, float, b)
STAND_IN_ATOMIC(Inc, unsigned int, a >= b ? 0u : a + 1u)
STAND_IN_ATOMIC(Dec, unsigned int, a == 0u || a > b ? b : a - 1u)
#define STAND_IN_CAS(type) \
    inline type atomicCAS(type *at, type expected, type value) { const type a = *at; *at = a == expected ? value : a; return a; } \
    inline type atomicCAS_system(type *at, type expected, type value) { return atomicCAS(at, expected, value); }
STAND_IN_CAS(int)
STAND_IN_CAS(unsigned int)
STAND_IN_CAS(unsigned long long)
#define STAND_IN_ORDERED(name, made) \
    template <typename T, typename U> T __hip_atomic_##name(T *at, U given, int, int) { const T a = *at, b = static_cast<T>(given); *at = made; return a; }
STAND_IN_ORDERED(fetch_add, stand_in_sum(a, b))
STAND_IN_ORDERED(fetch_min, b < a ? b : a)
STAND_IN_ORDERED(fetch_max, a < b ? b : a)
STAND_IN_ORDERED(fetch_and, a & b)
STAND_IN_ORDERED(fetch_or, a | b)
STAND_IN_ORDERED(fetch_xor, a ^ b)
STAND_IN_ORDERED(exchange, b)

#endif  // STAND_IN_HIP_RUNTIME_H
