// cudamigrate_hip.h: what migrated code needs and HIP does not declare.
//
// Included by code that cudamigrate converted to HIP; copy it wherever that code goes. It needs nothing but
// <hip/hip_runtime.h> and works with ROCm 5.2 and later, on wavefronts of 32 and of 64 lanes. Every function means
// what its CUDA namesake means; where AMD has no such cache policy, the plain access is used, which is slower at
// worst.
#ifndef CUDAMIGRATE_HIP_H
#define CUDAMIGRATE_HIP_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

// Loads with a cache hint: __ldca, __ldcg, __ldcs, __ldlu. A plain load gives the same value.
template <typename T>
__device__ inline T load_cached(const T *address) {
    return *address;
}

// Stores with a cache hint: __stwb, __stcg, __stcs.
template <typename T, typename Value>
__device__ inline void store_cached(T *address, Value value) {
    *address = value;
}

// Stop the kernel with an error: __trap.
__device__ inline void trap() { __builtin_trap(); }

// Which dot products of bytes the GPU has: both signed or both unsigned in one instruction, or (gfx11, gfx12) any.
#if !defined(__AMDGCN__)
#define CUDAMIGRATE_DOT 0
#elif defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || \
    defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1011__) || defined(__gfx1012__) || defined(__gfx1030__) || \
    defined(__gfx1031__) || defined(__gfx1032__) || defined(__gfx1033__) || defined(__gfx1034__) || defined(__gfx1035__) || \
    defined(__gfx1036__)
#define CUDAMIGRATE_DOT 1
#elif defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || defined(__gfx1103__) || \
    defined(__gfx1150__) || defined(__gfx1151__) || defined(__gfx1152__) || defined(__gfx1153__) || \
    defined(__gfx1200__) || defined(__gfx1201__)
#define CUDAMIGRATE_DOT 2
#else
#define CUDAMIGRATE_DOT 0
#endif

// Dot product of four signed bytes: __dp4a(int, int, int). The sum wraps around.
__device__ inline int dp4a(int a, int b, int c) {
#if CUDAMIGRATE_DOT == 1
    return __builtin_amdgcn_sdot4(a, b, c, false);
#elif CUDAMIGRATE_DOT == 2
    return __builtin_amdgcn_sudot4(true, a, true, b, c, false);
#else
    unsigned int sum = static_cast<unsigned int>(c);
    for (int shift = 0; shift < 32; shift += 8) {
        const int product = static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
        sum += static_cast<unsigned int>(product);
    }
    return static_cast<int>(sum);
#endif
}

// Dot product of four unsigned bytes: __dp4a(unsigned int, unsigned int, unsigned int).
__device__ inline unsigned int dp4a(unsigned int a, unsigned int b, unsigned int c) {
#if CUDAMIGRATE_DOT
    return __builtin_amdgcn_udot4(a, b, c, false);
#else
    for (int shift = 0; shift < 32; shift += 8) c += ((a >> shift) & 0xffu) * ((b >> shift) & 0xffu);
    return c;
#endif
}

// The same for vectors of four bytes: __dp4a(char4, char4, int) and __dp4a(uchar4, uchar4, unsigned int).
__device__ inline int dp4a(char4 a, char4 b, int c) {
    int x, y;
    __builtin_memcpy(&x, static_cast<const void *>(&a), 4);
    __builtin_memcpy(&y, static_cast<const void *>(&b), 4);
    return dp4a(x, y, c);
}
__device__ inline unsigned int dp4a(uchar4 a, uchar4 b, unsigned int c) {
    unsigned int x, y;
    __builtin_memcpy(&x, static_cast<const void *>(&a), 4);
    __builtin_memcpy(&y, static_cast<const void *>(&b), 4);
    return dp4a(x, y, c);
}

// Warp functions. CUDA's warp of 32 lanes stays a warp of 32 lanes: all of a wavefront of 32, or one half of a
// wavefront of 64. Lanes are numbered 0 to 31 and masks have 32 bits, whatever the wavefront. On wavefronts of 32
// votes and lane numbers compile to what HIP's own functions do.
//
// A mask names the lanes that take part, the caller among them, as in CUDA. Lanes that have exited may be named and
// do not count. The lanes named must make the call together: AMD's hardware does not wait for lanes that are in
// another branch, it leaves them out. In one call, lanes may form several groups, each with a mask of its own.

namespace detail {

// Where in the wavefront the caller's warp begins: 0 or 32. Compilers know by `warpSize` that there is one warp only.
__device__ inline unsigned int first_lane() { return warpSize == 32 ? 0u : __lane_id() & 32u; }

}  // namespace detail

// Lane of the caller in its warp, 0 to 31: %laneid.
__device__ inline unsigned int lane_id() { return __lane_id() - detail::first_lane(); }

// Masks of the caller's lane and of the lanes below and above it, running or not: %lanemask_eq and its kin.
__device__ inline unsigned int lanemask_eq() { return 1u << lane_id(); }
__device__ inline unsigned int lanemask_lt() { return lanemask_eq() - 1u; }
__device__ inline unsigned int lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ inline unsigned int lanemask_gt() { return ~lanemask_le(); }
__device__ inline unsigned int lanemask_ge() { return ~lanemask_lt(); }

// Lanes of the warp that run this call and for which the predicate is not zero: __ballot.
__device__ inline unsigned int ballot(int predicate) {
    return static_cast<unsigned int>(__ballot(predicate) >> detail::first_lane());
}

// Lanes of the warp that run this call: __activemask.
__device__ inline unsigned int activemask() { return ballot(1); }

// Whether the predicate is not zero for one, or for each, of the lanes that run this call: __any, __all.
__device__ inline int any(int predicate) { return ballot(predicate) != 0u; }
__device__ inline int all(int predicate) { return ballot(predicate == 0) == 0u; }

// The same among the lanes of a mask: __ballot_sync, __any_sync, __all_sync.
__device__ inline unsigned int ballot_sync(unsigned int mask, int predicate) { return ballot(predicate) & mask; }
__device__ inline int any_sync(unsigned int mask, int predicate) { return ballot_sync(mask, predicate) != 0u; }
__device__ inline int all_sync(unsigned int mask, int predicate) { return ballot_sync(mask, predicate == 0) == 0u; }

// Whether the predicate is zero for all lanes of the mask, or for none: __uni_sync.
__device__ inline int uni_sync(unsigned int mask, int predicate) {
    const unsigned int yes = ballot_sync(mask, predicate);
    const unsigned int no = ballot_sync(mask, predicate == 0);
    return yes == 0u || no == 0u;
}

// Orders memory accesses among the lanes of the warp: __syncwarp. An AMD wavefront runs in lock step and its own
// accesses to memory stay in order, so only the compiler has to be held back: clang's fence of the wavefront does
// that without an instruction. HIP 5 has no function for it; the nearest, a fence of the block, waits for memory.
// Where HIP runs on something else, lanes may not be in lock step, and a vote makes them meet.
__device__ inline void syncwarp(unsigned int = 0xffffffffu) {
#if defined(__AMDGCN__)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#else
    __threadfence_block();
    static_cast<void>(__ballot(1));
    __threadfence_block();
#endif
}

namespace detail {

// A value as words of 32 bits, which is what lanes can exchange. That the type may be copied by its bytes is not
// asserted: HIP's vector types may, and are not trivially copyable by name.
template <typename T>
struct Words {
    unsigned int word[(sizeof(T) + 3) / 4];

    __device__ explicit Words(const T &value) : word() {
        __builtin_memcpy(word, static_cast<const void *>(&value), sizeof(T));
    }
};

// The value that a lane of the caller's warp passes, or one of the wavefront where `lanes` is 64; that lane must run
// the same call.
template <typename T>
__device__ inline T read_lane(T value, unsigned int lane, int lanes = 32) {
    Words<T> words(value);
    for (unsigned int &word : words.word) word = __shfl(word, static_cast<int>(lane), lanes);
    __builtin_memcpy(static_cast<void *>(&value), words.word, sizeof(T));
    return value;
}

// The value that the lane passes whose number differs in the bits of `by`, from 1 to 31. Where that is a constant DPP or a
// swizzle moves it, which takes no address and, for DPP, no way through the LDS.
__device__ inline unsigned int word_across(unsigned int word, int by) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    const int given = static_cast<int>(word);
    switch (by) {
        case 1: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0xb1, 0xf, 0xf, true));   // quad_perm
        case 2: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x4e, 0xf, 0xf, true));   // quad_perm
        case 3: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x1b, 0xf, 0xf, true));   // quad_perm
        case 4: return static_cast<unsigned int>(__builtin_amdgcn_ds_swizzle(given, 4 << 10 | 0x1f));
        case 7: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x141, 0xf, 0xf, true));  // row_half_mirror
        case 8: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x128, 0xf, 0xf, true));  // row_ror:8
        case 15: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x140, 0xf, 0xf, true)); // row_mirror
        case 16: return static_cast<unsigned int>(__builtin_amdgcn_ds_swizzle(given, 16 << 10 | 0x1f));
        default: break;
    }
#endif
    return __shfl_xor(word, by, 32);
}
template <typename T>
__device__ inline T read_across(T value, int by) {
    Words<T> words(value);
    for (unsigned int &word : words.word) word = word_across(word, by);
    __builtin_memcpy(static_cast<void *>(&value), words.word, sizeof(T));
    return value;
}

// Combines the values of the mask's lanes, for an operation that is associative and commutative. Each lane holds the
// result of a run of lanes and knows the lane after it; every round joins two runs, so that after five rounds the
// first lane holds the result of all. No lane is read that does not run this call.
template <typename T, typename Combine>
__device__ inline T reduce(unsigned int mask, T value, Combine combine) {
    const unsigned int members = ballot_sync(mask, 1);
    if (members == 0xffffffffu) {
        value = combine(value, read_across(value, 16));
        value = combine(value, read_across(value, 8));
        value = combine(value, read_across(value, 4));
        value = combine(value, read_across(value, 2));
        value = combine(value, read_across(value, 1));
        return value;
    }
    const int self = static_cast<int>(lane_id());
    int next = static_cast<int>(__ffs(members & lanemask_gt())) - 1;
    for (int round = 0; round < 5; ++round) {
        const int from = next < 0 ? self : next;
        const T theirs = __shfl(value, from, 32);
        const int after = __shfl(next, from, 32);
        if (next >= 0) value = combine(value, theirs);
        next = next < 0 ? next : after;
    }
    return __shfl(value, (static_cast<int>(__ffs(members)) - 1) & 31, 32);
}

}  // namespace detail

// Lanes of the mask that pass the same bits: __match_any_sync.
template <typename T>
__device__ inline unsigned int match_any_sync(unsigned int mask, T value) {
    const detail::Words<T> words(value);
    unsigned int same = mask & activemask();
    const int last = sizeof(T) < 4 ? static_cast<int>(sizeof(T)) * 8 : 32;
    for (unsigned int word : words.word) {
        for (int bit = 0; bit < last; ++bit) {
            const bool mine = (word >> bit & 1u) != 0u;
            const unsigned int set = ballot(mine);
            same &= mine ? set : ~set;
        }
    }
    return same;
}

// The lanes of the mask, exited ones left out, where all pass the same bits, else 0; `predicate` becomes 1 or 0:
// __match_all_sync.
template <typename T>
__device__ inline unsigned int match_all_sync(unsigned int mask, T value, int *predicate) {
    const unsigned int members = ballot_sync(mask, 1);
    const unsigned int first = (static_cast<unsigned int>(__ffs(members)) - 1u) & 31u;
    const detail::Words<T> words(value);
    bool differs = false;
    for (unsigned int word : words.word) differs |= word != detail::read_lane(word, first);
    const int same = all_sync(mask, !differs);
    *predicate = same;
    return same ? members : 0u;
}

// Sum, smallest and largest of the values that the mask's lanes pass, and their bitwise and, or, exclusive or:
// __reduce_add_sync and its kin. Sums wrap around.
__device__ inline unsigned int reduce_add_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a + b; });
}
__device__ inline int reduce_add_sync(unsigned int mask, int value) {
    return static_cast<int>(reduce_add_sync(mask, static_cast<unsigned int>(value)));
}
__device__ inline unsigned int reduce_min_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a < b ? a : b; });
}
__device__ inline int reduce_min_sync(unsigned int mask, int value) {
    return detail::reduce(mask, value, [](int a, int b) { return a < b ? a : b; });
}
__device__ inline unsigned int reduce_max_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a < b ? b : a; });
}
__device__ inline int reduce_max_sync(unsigned int mask, int value) {
    return detail::reduce(mask, value, [](int a, int b) { return a < b ? b : a; });
}
__device__ inline unsigned int reduce_and_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a & b; });
}
__device__ inline unsigned int reduce_or_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a | b; });
}
__device__ inline unsigned int reduce_xor_sync(unsigned int mask, unsigned int value) {
    return detail::reduce(mask, value, [](unsigned int a, unsigned int b) { return a ^ b; });
}

namespace detail {

// What a shuffle of that width chooses from, and the caller's number there: the 32 lanes of its warp, or the 64 of its
// wavefront for a width above 32. CUDA has no such width; code has it that is given the width by the host.
__device__ inline int reach(int width) { return width > 32 ? 64 : 32; }
__device__ inline unsigned int self(int width) { return width > 32 ? __lane_id() : lane_id(); }

// What a shuffle gives: CUDA has one for each of these types, none for `char`, `short`, `bool` or enumerations, which
// become an `int` there, as do objects that convert to one. All other types are their own.
struct Own {};
__host__ __device__ int overload(int);
__host__ __device__ unsigned int overload(unsigned int);
__host__ __device__ long overload(long);
__host__ __device__ unsigned long overload(unsigned long);
__host__ __device__ long long overload(long long);
__host__ __device__ unsigned long long overload(unsigned long long);
__host__ __device__ Own overload(float);
__host__ __device__ Own overload(double);
template <typename T>
__host__ __device__ T some();
template <typename T>
__host__ __device__ decltype(overload(some<T>())) overload_of(int);
template <typename T>
__host__ __device__ Own overload_of(...);
template <typename T, typename Overload>
struct Given {
    typedef Overload type;
};
template <typename T>
struct Given<T, Own> {
    typedef T type;
};
template <typename T>
using Shuffled = typename Given<T, decltype(overload_of<T>(0))>::type;

}  // namespace detail

// The value of another lane, of any type that may be copied by its bytes; `detail::Shuffled` says as what. `width`, a power of two up to 32, splits
// the warp into parts; 64 is the whole of a wavefront of 64. As in CUDA the value of a lane that does not run the call
// is undefined, and of a lane number, distance or lane mask only the low five bits count, six for a width of 64.

// The lane with that number in the caller's part, taken modulo `width`: __shfl_sync.
template <typename T>
__device__ inline detail::Shuffled<T> shfl_sync(unsigned int, T value, int lane, int width = 32) {
    const unsigned int inside = static_cast<unsigned int>(width) - 1u;
    const unsigned int from = (detail::self(width) & ~inside) | (static_cast<unsigned int>(lane) & inside);
    return detail::read_lane<detail::Shuffled<T>>(value, from, detail::reach(width));
}

// The lane `delta` below, or the caller's own value where that is before its part: __shfl_up_sync.
template <typename T>
__device__ inline detail::Shuffled<T> shfl_up_sync(unsigned int, T value, unsigned int delta, int width = 32) {
    const unsigned int self = detail::self(width);
    const unsigned int distance = delta & static_cast<unsigned int>(detail::reach(width) - 1);
    const unsigned int below = self & (static_cast<unsigned int>(width) - 1u);
    return detail::read_lane<detail::Shuffled<T>>(value, distance > below ? self : self - distance, detail::reach(width));
}

// The lane `delta` above, or the caller's own value where that is behind its part: __shfl_down_sync.
template <typename T>
__device__ inline detail::Shuffled<T> shfl_down_sync(unsigned int, T value, unsigned int delta, int width = 32) {
    const unsigned int self = detail::self(width);
    const unsigned int from = self + (delta & static_cast<unsigned int>(detail::reach(width) - 1));
    const unsigned int last = self | (static_cast<unsigned int>(width) - 1u);
    return detail::read_lane<detail::Shuffled<T>>(value, from > last ? self : from, detail::reach(width));
}

// The lane whose number differs in the bits of `lane_mask`, or the caller's own value where that is behind its part:
// __shfl_xor_sync. A part before its own may be read.
template <typename T>
__device__ inline detail::Shuffled<T> shfl_xor_sync(unsigned int, T value, int lane_mask, int width = 32) {
    if (__builtin_constant_p(lane_mask) && __builtin_constant_p(width) && width <= 32 && lane_mask > 0 && lane_mask < width)
        return detail::read_across<detail::Shuffled<T>>(value, lane_mask);
    const unsigned int self = detail::self(width);
    const unsigned int bits = static_cast<unsigned int>(detail::reach(width) - 1);
    const unsigned int from = self ^ (static_cast<unsigned int>(lane_mask) & bits);
    const unsigned int last = self | (static_cast<unsigned int>(width) - 1u);
    return detail::read_lane<detail::Shuffled<T>>(value, from > last ? self : from, detail::reach(width));
}

// Position of the bit of `mask` that is the offset-th set one, counted from bit `base` and that included, upwards or,
// where `offset` is negative, downwards; `base` where `offset` is 0 and that bit is set. Else 0xffffffff: __fns.
__device__ inline unsigned int fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return (mask >> base & 1u) != 0u ? base : 0xffffffffu;
    const bool down = offset < 0;
    unsigned int left = down ? 0u - static_cast<unsigned int>(offset) : static_cast<unsigned int>(offset);
    unsigned int rest = down ? __brev(mask) & 0xffffffffu << (31u - base) : mask & 0xffffffffu << base;
    for (; left > 1u && rest != 0u; --left) rest &= rest - 1u;
    const unsigned int found = static_cast<unsigned int>(__ffs(rest)) - 1u;
    return down && rest != 0u ? 31u - found : found;
}

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_HIP_H
