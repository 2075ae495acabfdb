// cudamigrate declarations: types and operators of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_TYPES
#define CUDAMIGRATE_DECLARES_HIPCUB_TYPES
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <atomic>
#include <cassert>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>
#include <iterator>
#include <limits>
#include <mutex>
#include <type_traits>

#define HIPCUB_NAMESPACE hipcub
#define BEGIN_HIPCUB_NAMESPACE namespace hipcub {
#define END_HIPCUB_NAMESPACE }
#define HIPCUB_ROCPRIM_API 1
#define HIPCUB_VERSION 300300
#define HIPCUB_ARCH 1
#define HIPCUB_RUNTIME_FUNCTION __host__
#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST __host__
#define HIPCUB_HOST_DEVICE __host__ __device__
#define HIPCUB_FORCEINLINE __forceinline__
#define HIPCUB_SHARED_MEMORY __shared__
#define HIPCUB_HOST_WARP_THREADS ::hipcub::cm_warp_threads()
#define HIPCUB_DEVICE_WARP_THREADS 64
#define HIPCUB_WARP_THREADS 64
#define HIPCUB_WARP_SIZE_32 32u
#define HIPCUB_WARP_SIZE_64 64u
#define HIPCUB_IS_INT128_ENABLED 1
#define HIPCUB_HOST_COMPILER_UNKNOWN 0
#define HIPCUB_HOST_COMPILER_MSVC 1
#define HIPCUB_HOST_COMPILER_GCC 2
#define HIPCUB_HOST_COMPILER_CLANG 3
#define HIPCUB_HOST_COMPILER HIPCUB_HOST_COMPILER_CLANG
#define HIPCUB_DEPRECATED [[deprecated]]
#define HIPCUB_STDERR
#define HipcubDebug(e) ::hipcub::Debug((hipError_t)(e), __FILE__, __LINE__)
#define _HipcubLog(format, ...) printf(format, __VA_ARGS__)

namespace hipcub {
#define CM_CUB_HD __host__ __device__
#define CM_CUB_D __device__
// A template that is used with a local type or a lambda must have a body.
#define CM_CUB_NONE { __builtin_unreachable(); }
CM_CUB_HD hipError_t Debug(hipError_t, const char *, int) CM_CUB_NONE
__host__ unsigned int cm_warp_threads();

struct NullType {};
template <int N> struct Int2Type { enum { VALUE = N }; };
template <int N> struct PowerOfTwo { static constexpr bool VALUE = N > 0 && (N & (N - 1)) == 0; };
template <int N, int LEFT = N, int COUNT = 0> struct Log2 {
    static constexpr int VALUE = Log2<N, (LEFT >> 1), COUNT + 1>::VALUE;
};
template <int N, int COUNT> struct Log2<N, 0, COUNT> {
    static constexpr int VALUE = (1 << (COUNT - 1) < N) ? COUNT : COUNT - 1;
};
template <class N, class D> CM_CUB_HD constexpr N DivideAndRoundUp(N n, D d) { return N(n / d + (n % d != 0 ? 1 : 0)); }

template <class Key_, class Value_> struct KeyValuePair {
    typedef Key_ Key;
    typedef Value_ Value;
    Key key;
    Value value;
    CM_CUB_HD KeyValuePair() {}
    CM_CUB_HD KeyValuePair(const Key &, const Value &) CM_CUB_NONE
    CM_CUB_HD bool operator!=(const KeyValuePair &) const CM_CUB_NONE
    CM_CUB_HD bool operator==(const KeyValuePair &) const CM_CUB_NONE
};

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    CM_CUB_HD DoubleBuffer() CM_CUB_NONE
    CM_CUB_HD DoubleBuffer(T *current, T *alternate) CM_CUB_NONE
    CM_CUB_HD T *Current() CM_CUB_NONE
    CM_CUB_HD T *Alternate() CM_CUB_NONE
};
template <class T, class Iterator = T *> struct FutureValue {
    CM_CUB_HD explicit FutureValue(Iterator) CM_CUB_NONE
    CM_CUB_HD operator T() const CM_CUB_NONE
};
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class T> struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    CM_CUB_HD T &Alias() { return reinterpret_cast<T &>(*this); }
};

template <class T> struct Traits {
    static constexpr bool PRIMITIVE = std::is_arithmetic<T>::value;
    static constexpr bool NULL_TYPE = std::is_same<T, NullType>::value;
    static constexpr Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
        : !std::is_integral<T>::value                                     ? NOT_A_NUMBER
        : std::is_signed<T>::value                                        ? SIGNED_INTEGER
                                                                          : UNSIGNED_INTEGER;
    typedef typename std::conditional<sizeof(T) == 8, unsigned long long, typename std::conditional<sizeof(T) == 4,
        unsigned int, typename std::conditional<sizeof(T) == 2, unsigned short, unsigned char>::type>::type>::type
        UnsignedBits;
    CM_CUB_HD static UnsignedBits TwiddleIn(UnsignedBits) CM_CUB_NONE
    CM_CUB_HD static UnsignedBits TwiddleOut(UnsignedBits) CM_CUB_NONE
    CM_CUB_HD static T Max() CM_CUB_NONE
    CM_CUB_HD static T Lowest() CM_CUB_NONE
};
template <class T> using NumericTraits = Traits<T>;

struct Equality { template <class T, class U> CM_CUB_HD constexpr bool operator()(T &&a, U &&b) const { return a == b; } };
struct Inequality {
    template <class T, class U> CM_CUB_HD constexpr bool operator()(T &&a, U &&b) const { return a != b; }
};
template <class Op> struct InequalityWrapper {
    Op op;
    CM_CUB_HD InequalityWrapper(Op) CM_CUB_NONE
    template <class T, class U> CM_CUB_HD bool operator()(T &&, U &&) CM_CUB_NONE
};
struct Sum {
    template <class T, class U> CM_CUB_HD constexpr auto operator()(T &&a, U &&b) const -> decltype(a + b) { return a + b; }
};
struct Difference {
    template <class T, class U> CM_CUB_HD constexpr auto operator()(T &&a, U &&b) const -> decltype(a - b) { return a - b; }
};
struct Division {
    template <class T, class U> CM_CUB_HD constexpr auto operator()(T &&a, U &&b) const -> decltype(a / b) { return a / b; }
};
struct Max {
    template <class T, class U>
    CM_CUB_HD constexpr typename std::common_type<T, U>::type operator()(T &&a, U &&b) const { return a < b ? b : a; }
};
struct Min {
    template <class T, class U>
    CM_CUB_HD constexpr typename std::common_type<T, U>::type operator()(T &&a, U &&b) const { return a < b ? a : b; }
};
struct ArgMax {
    template <class K, class V>
    CM_CUB_HD KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &, const KeyValuePair<K, V> &) const CM_CUB_NONE
};
struct ArgMin {
    template <class K, class V>
    CM_CUB_HD KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &, const KeyValuePair<K, V> &) const CM_CUB_NONE
};
template <class To> struct CastOp { template <class T> CM_CUB_HD To operator()(T &&a) const { return (To)a; } };
template <class Op> struct SwizzleScanOp {
    CM_CUB_HD SwizzleScanOp(Op) CM_CUB_NONE
    template <class T> CM_CUB_HD T operator()(const T &, const T &) CM_CUB_NONE
};
template <class Op> struct ReduceBySegmentOp {
    CM_CUB_HD ReduceBySegmentOp() CM_CUB_NONE
    CM_CUB_HD ReduceBySegmentOp(Op) CM_CUB_NONE
    template <class Pair> CM_CUB_HD Pair operator()(const Pair &, const Pair &) CM_CUB_NONE
};
template <class Op> struct ReduceByKeyOp {
    CM_CUB_HD ReduceByKeyOp() CM_CUB_NONE
    CM_CUB_HD ReduceByKeyOp(Op) CM_CUB_NONE
    template <class Pair> CM_CUB_HD Pair operator()(const Pair &, const Pair &) CM_CUB_NONE
};
template <class Op> struct BinaryFlip {
    CM_CUB_HD explicit BinaryFlip(Op) CM_CUB_NONE
    template <class T, class U> CM_CUB_D auto operator()(T &&a, U &&b) -> decltype(std::declval<Op>()(b, a)) CM_CUB_NONE
};

CM_CUB_HD int PtxVersion() CM_CUB_NONE
__host__ hipError_t PtxVersion(int &);
__host__ hipError_t SmVersion(int &, int = -1);
__host__ int CurrentDevice();
__host__ int DeviceCount();
__host__ hipError_t SyncStream(hipStream_t);
template <class Kernel> __host__ hipError_t MaxSmOccupancy(int &, Kernel, int, int = 0) CM_CUB_NONE
template <int ALLOCATIONS> __host__ hipError_t AliasTemporaries(
    void *, size_t &, void *(&)[ALLOCATIONS], size_t (&)[ALLOCATIONS]) CM_CUB_NONE
CM_CUB_D unsigned int LaneId() CM_CUB_NONE
CM_CUB_D unsigned int WarpId() CM_CUB_NONE
CM_CUB_D unsigned long long LaneMaskLt() CM_CUB_NONE
CM_CUB_D unsigned long long LaneMaskLe() CM_CUB_NONE
CM_CUB_D unsigned long long LaneMaskGt() CM_CUB_NONE
CM_CUB_D unsigned long long LaneMaskGe() CM_CUB_NONE
CM_CUB_D int RowMajorTid(int, int, int) CM_CUB_NONE
template <int LOGICAL> CM_CUB_D unsigned long long WarpMask(unsigned int) CM_CUB_NONE
template <int LOGICAL, class T> CM_CUB_D T ShuffleUp(T, int, int, unsigned long long) CM_CUB_NONE
template <int LOGICAL, class T> CM_CUB_D T ShuffleDown(T, int, int, unsigned long long) CM_CUB_NONE
template <int LOGICAL, class T> CM_CUB_D T ShuffleIndex(T, int, unsigned long long) CM_CUB_NONE

struct CachingDeviceAllocator {
    static const unsigned int INVALID_BIN = ~0u;
    static const size_t INVALID_SIZE = ~(size_t)0;
    static const int INVALID_DEVICE_ORDINAL = -1;
    struct BlockDescriptor {
        hipEvent_t ready_event;
        hipStream_t associated_stream;
        unsigned int bin;
        size_t bytes;
        int device;
        void *d_ptr;
        __host__ BlockDescriptor(int);
        __host__ BlockDescriptor(void *, int);
        __host__ static bool PtrCompare(const BlockDescriptor &, const BlockDescriptor &);
        __host__ static bool SizeCompare(const BlockDescriptor &, const BlockDescriptor &);
    };
    using Compare = bool (*)(const BlockDescriptor &, const BlockDescriptor &);
    struct TotalBytes {
        size_t live, free;
        __host__ TotalBytes();
    };
    using BusyBlocks = std::multiset<BlockDescriptor, Compare>;
    using CachedBlocks = BusyBlocks;
    using GpuCachedBytes = std::map<int, TotalBytes>;
    BusyBlocks live_blocks;
    CachedBlocks cached_blocks;
    GpuCachedBytes cached_bytes;
    std::mutex mutex;
    unsigned int bin_growth, min_bin, max_bin;
    size_t min_bin_bytes, max_bin_bytes, max_cached_bytes;
    const bool skip_cleanup;
    bool debug;
    __host__ static unsigned int IntPow(unsigned int, unsigned int);
    __host__ void NearestPowerOf(unsigned int &, size_t &, unsigned int, size_t);
    __host__ CachingDeviceAllocator(
        unsigned int growth, unsigned int min = 1, unsigned int max = (unsigned int)-1, size_t bytes = (size_t)-1,
        bool skip_cleanup = false, bool debug = false);
    __host__ CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
    __host__ virtual ~CachingDeviceAllocator();
    __host__ hipError_t SetMaxCachedBytes(size_t);
    __host__ hipError_t DeviceAllocate(int, void **, size_t, hipStream_t = 0);
    __host__ hipError_t DeviceAllocate(void **, size_t, hipStream_t = 0);
    __host__ hipError_t DeviceFree(int, void *);
    __host__ hipError_t DeviceFree(void *);
    __host__ hipError_t FreeAllCached();
};
}
#endif
