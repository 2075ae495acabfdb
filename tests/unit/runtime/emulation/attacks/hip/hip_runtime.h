// What the programs here need beyond the emulation's own hip_runtime.h. Found first by -I; the emulation's is next.
// ATTACK_CUDA: the masks that functions return have 32 bits, as in CUDA (for the 32-lane truth of the originals).
#ifndef ATTACK_HIP_RUNTIME_H
#define ATTACK_HIP_RUNTIME_H
#include <cstdio>
#include <cstdint>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>
#include <type_traits>
#ifdef ATTACK_CUDA
#define __ballot wide_ballot
#define __ballot_sync wide_ballot_sync
#define __activemask wide_activemask
#define __match_any_sync wide_match_any_sync
#define __match_all_sync wide_match_all_sync
#define __shfl_sync wide_shfl_sync
#endif
#define __syncthreads plain_syncthreads
#include_next <hip/hip_runtime.h>
#undef __syncthreads
#ifdef ATTACK_CUDA
#undef __ballot
#undef __ballot_sync
#undef __activemask
#undef __match_any_sync
#undef __match_all_sync
#undef __shfl_sync
inline unsigned __ballot(int p) { return (unsigned)wide_ballot(p); }
inline unsigned __ballot_sync(unsigned m, int p) { return (unsigned)wide_ballot_sync(m, p); }
// CUDA takes the lane modulo the width; HIP's releases disagree, and the emulation gives junk.
template <typename T> T __shfl_sync(unsigned m, T v, int lane, int width = 32) { return wide_shfl_sync(m, v, lane & (width - 1), width); }
inline unsigned __activemask() { return (unsigned)wide_activemask(); }
template <typename T> unsigned __match_any_sync(unsigned m, T v) { return (unsigned)wide_match_any_sync(m, v); }
template <typename T> unsigned __match_all_sync(unsigned m, T v, int *p) { return (unsigned)wide_match_all_sync(m, v, p); }
#endif
#ifndef ATTACK_WAVE
#define ATTACK_WAVE 32
#endif
namespace fibers { bool ended(int number); int current(); }
namespace attack {
[[noreturn]] inline void wrong(const char *what) {
    std::printf("WRONG: %s\n", what);
    std::fflush(stdout);
    std::_Exit(9);
}
inline void whole_wave(std::uint64_t lanes) {
    const int width = wavefront::width(), first = fibers::current() / width * width;
    for (int lane = 0; lane < width; ++lane)
        if (!fibers::ended(first + lane) && !(lanes >> lane & 1u)) wrong("a barrier that only a part of a wave reaches");
}
constexpr std::size_t room = 1 << 17;
alignas(64) inline unsigned char dynamic_bytes[room];
inline unsigned char junk(std::size_t at) { return (unsigned char)(0xa5 ^ (at * 37)); }
inline void launch(const std::function<void()> &kernel, dim3 blocks, dim3 threads, std::size_t shared = 0, int stream = 0) {
    if (threads.x * threads.y * threads.z == 0 || blocks.x * blocks.y * blocks.z == 0) wrong("an empty launch");
    if (threads.x * threads.y * threads.z > 1024) wrong("a block of more than 1024 threads");
    if (shared > 65536) wrong("more than 64 KiB of shared memory");
    for (std::size_t at = 0; at < room; ++at) dynamic_bytes[at] = junk(at);
    grid::launch(kernel, blocks, threads, shared, stream);
    for (std::size_t at = shared; at < room; ++at)
        if (dynamic_bytes[at] != junk(at)) wrong("written behind the dynamic shared memory");
}
using Caller = std::function<void(dim3, dim3, void **, std::size_t)>;
inline std::map<const void *, Caller> callers;
template <typename... A, std::size_t... I>
void call(void (*kernel)(A...), dim3 g, dim3 b, void **args, std::size_t shared, std::index_sequence<I...>) {
    launch([=] { (void)args; kernel(*static_cast<std::remove_reference_t<A> *>(args[I])...); }, g, b, shared);
}
template <typename... A>
const void *erase(void (*kernel)(A...)) {
    callers[(const void *)kernel] = [=](dim3 g, dim3 b, void **args, std::size_t shared) {
        call(kernel, g, b, args, shared, std::index_sequence_for<A...>());
    };
    return (const void *)kernel;
}
struct Guard { std::size_t size; };
inline std::map<unsigned char *, std::size_t> held;
constexpr std::size_t fence = 4096;
inline void check(unsigned char *p, std::size_t size) {
    for (std::size_t at = 0; at < fence; ++at)
        if (p[size + at] != junk(at)) wrong("written behind an allocation");
}
inline void check_all() { for (auto &one : held) check(one.first, one.second); }
inline void *get(std::size_t size) {
    static const int once = std::atexit(check_all);
    (void)once;
    unsigned char *p = static_cast<unsigned char *>(std::malloc(size + fence));
    std::memset(p, 0xcd, size);
    for (std::size_t at = 0; at < fence; ++at) p[size + at] = junk(at);
    held[p] = size;
    return p;
}
inline void release(void *p) {
    auto found = held.find(static_cast<unsigned char *>(p));
    if (found == held.end()) return;
    check(found->first, found->second);
    held.erase(found);
    std::free(p);
}
template <typename T> int allocate(T **p, std::size_t size) { *p = static_cast<T *>(get(size)); return 0; }
inline int give_back(void *p) { if (p) release(p); return 0; }
}  // namespace attack
#define hipMalloc attack::allocate
#define hipFree attack::give_back
#define HIP_DYNAMIC_SHARED(type, name) static type *const name = (type *)attack::dynamic_bytes;

inline void __syncthreads() {
    attack::whole_wave(grid::meet(0).lanes);
    grid::barrier();
}
namespace attack {
inline int barrier_bits;
inline int barrier_sum(int value) {
    __syncthreads(); barrier_bits = 0; __syncthreads(); barrier_bits += value; __syncthreads();
    return barrier_bits;
}
}
inline int __syncthreads_count(int p) { return attack::barrier_sum(p != 0); }
inline int __syncthreads_or(int p) { return attack::barrier_sum(p != 0) != 0; }
inline int __syncthreads_and(int p) { return attack::barrier_sum(p == 0) == 0; }
template <typename M> void __syncwarp(M) { grid::meet(0); }
inline void __nanosleep(unsigned) { grid::meet(0); }
#define __builtin_amdgcn_s_sleep(x) grid::meet(0)
inline void __threadfence() {}
inline void __threadfence_system() {}
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
inline unsigned long long __brevll(unsigned long long b) {
    unsigned long long r = 0;
    for (int i = 0; i < 64; ++i) r |= (b >> i & 1ull) << (63 - i);
    return r;
}
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return mask >> base & 1u ? base : 0xffffffffu;
    int left = std::abs(offset) - 1;
    for (int at = (int)base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
        if ((mask >> at & 1u) && left-- == 0) return (unsigned)at;
    return 0xffffffffu;
}
inline unsigned __lanemask(bool low, bool own, bool high) {
    unsigned r = 0;
    for (unsigned i = 0; i < 32; ++i) r |= (unsigned)(i < __lane_id() ? low : i > __lane_id() ? high : own) << i;
    return r;
}
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
template <typename T> T atomicSub(T *p, std::common_type_t<T> v) { T old = *p; *p -= v; return old; }
template <typename T> T atomicExch(T *p, std::common_type_t<T> v) { T old = *p; *p = v; return old; }
template <typename T> T atomicCAS(T *p, std::common_type_t<T> c, std::common_type_t<T> v) { T old = *p; if (old == c) *p = v; return old; }
template <typename T> T atomicOr(T *p, std::common_type_t<T> v) { T old = *p; *p |= v; return old; }
template <typename T> T atomicAnd(T *p, std::common_type_t<T> v) { T old = *p; *p &= v; return old; }
template <typename T> T atomicXor(T *p, std::common_type_t<T> v) { T old = *p; *p ^= v; return old; }
inline unsigned atomicInc(unsigned *p, unsigned top) { unsigned old = *p; *p = old >= top ? 0 : old + 1; return old; }
template <typename M, typename T> T __reduce_add_sync(M m, T v) {
    const grid::Call &c = grid::meet(lanes::bits(v));
    T s = 0;
    for (int i = 0; i < wavefront::width(); ++i) if ((lanes::wide(m) & c.lanes) >> i & 1u) s += (T)c.value[i];
    return s;
}
template <typename M, typename T> T __reduce_or_sync(M m, T v) { return lanes::gathered(lanes::wide(m), v, [](T a, T b) { return a | b; }); }
template <typename M, typename T> T __reduce_and_sync(M m, T v) { return lanes::gathered(lanes::wide(m), v, [](T a, T b) { return a & b; }); }
template <typename M, typename T> T __reduce_xor_sync(M m, T v) { return lanes::gathered(lanes::wide(m), v, [](T a, T b) { return a ^ b; }) ^ v; }
#define __constant__
#define __noinline__ __attribute__((noinline))
#define __managed__
#define VECTORS(T, name) \
    struct name##2 { T x, y; }; struct name##4 { T x, y, z, w; }; \
    inline name##2 make_##name##2(T a, T b) { return {a, b}; } \
    inline name##4 make_##name##4(T a, T b, T c, T d) { return {a, b, c, d}; }
VECTORS(int, int) VECTORS(unsigned, uint) VECTORS(float, float) VECTORS(double, double)
#undef VECTORS
inline float __int_as_float(int v) { float r; std::memcpy(&r, &v, 4); return r; }
inline int __float_as_int(float v) { int r; std::memcpy(&r, &v, 4); return r; }
constexpr hipMemcpyKind hipMemcpyDeviceToDevice = hipMemcpyKind(3), hipMemcpyDefault = hipMemcpyKind(4);
typedef int hipStream_t;
struct hipDeviceProp_t {
    char name[256]; int warpSize, multiProcessorCount, maxThreadsPerBlock, maxThreadsPerMultiProcessor, major, minor;
    std::size_t sharedMemPerBlock, totalGlobalMem; int regsPerBlock, clockRate, maxThreadsDim[3], maxGridSize[3];
};
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int) {
    *p = {};
    std::strcpy(p->name, "emulated");
    p->warpSize = wavefront::width(); p->multiProcessorCount = 4; p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048; p->major = 9; p->sharedMemPerBlock = 65536;
    return hipSuccess;
}
enum hipDeviceAttribute_t { hipDeviceAttributeWarpSize = 10, hipDeviceAttributeMultiprocessorCount, hipDeviceAttributeMaxThreadsPerBlock };
#define hipDevAttrWarpSize hipDeviceAttributeWarpSize
#define hipDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
inline hipError_t hipDeviceGetAttribute(int *v, hipDeviceAttribute_t a, int) {
    *v = a == hipDeviceAttributeWarpSize ? wavefront::width() : a == hipDeviceAttributeMultiprocessorCount ? 4 : 1024;
    return hipSuccess;
}
inline hipError_t hipGetDevice(int *d) { *d = 0; return hipSuccess; }
inline hipError_t hipSetDevice(int) { return hipSuccess; }
inline hipError_t hipGetDeviceCount(int *n) { *n = 1; return hipSuccess; }
inline hipError_t hipStreamCreate(hipStream_t *s) { *s = 0; return hipSuccess; }
inline hipError_t hipStreamDestroy(hipStream_t) { return hipSuccess; }
inline hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
inline hipError_t hipMemsetAsync(void *p, int b, std::size_t n, hipStream_t = 0) { return hipMemset(p, b, n); }
template <typename T> hipError_t hipMallocManaged(T **p, std::size_t n) { return attack::allocate(p, n); }
template <typename T> hipError_t hipMemcpyToSymbol(T &to, const void *from, std::size_t n, std::size_t off = 0, hipMemcpyKind = hipMemcpyHostToDevice) {
    std::memcpy((char *)&to + off, from, n); return hipSuccess;
}
template <typename T> hipError_t hipMemcpyFromSymbol(void *to, const T &from, std::size_t n, std::size_t off = 0, hipMemcpyKind = hipMemcpyDeviceToHost) {
    std::memcpy(to, (const char *)&from + off, n); return hipSuccess;
}
#define HIP_SYMBOL(x) x
inline hipError_t hipLaunchKernel(const void *f, dim3 g, dim3 b, void **args, std::size_t shared = 0, hipStream_t = 0) {
    auto found = attack::callers.find(f);
    if (found == attack::callers.end()) attack::wrong("an unknown kernel was launched");
    found->second(g, b, args, shared);
    return hipSuccess;
}
template <typename... A> hipError_t hipLaunchKernel(void (*f)(A...), dim3 g, dim3 b, void **args, std::size_t shared = 0, hipStream_t = 0) {
    return hipLaunchKernel(attack::erase(f), g, b, args, shared);
}
inline hipError_t hipLaunchCooperativeKernel(const void *f, dim3 g, dim3 b, void **args, std::size_t shared = 0, hipStream_t = 0) { return hipLaunchKernel(f, g, b, args, shared); }
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize };
template <typename F> hipError_t hipFuncSetAttribute(F, hipFuncAttribute, int) { return hipSuccess; }
#define hipLaunchKernelGGL(kernel, g, b, shared, stream, ...) attack::launch([=] { kernel(__VA_ARGS__); }, g, b, shared)
#endif
