// cudamigrate_groups.h: what converted code needs of cooperative groups and HIP lacks, or does otherwise.
//
// Included by code that cudamigrate converted to HIP; copy it, and cudamigrate_hip.h, wherever that code goes. It needs
// nothing but HIP's own headers and works with ROCm 5.2 and later, on wavefronts of 32 and of 64 lanes. As in
// cudamigrate_hip.h a warp keeps CUDA's 32 lanes: a group of active threads has at most 32, and its masks have 32 bits.
// The threads of a group must make a call together. Threads that have exited do not count.
#ifndef CUDAMIGRATE_GROUPS_H
#define CUDAMIGRATE_GROUPS_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include "cudamigrate_hip.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

// Operations of reductions and scans: cooperative_groups::plus and its kin. `less` is the smaller of two, `greater` the
// larger.
template <typename T>
struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

namespace detail {

typedef decltype(sizeof(0)) Count;

__device__ inline unsigned int bits_of(unsigned int mask) { return static_cast<unsigned int>(__popc(mask)); }

// The highest and the lowest lane of a mask, or -1.
__device__ inline int last_lane(unsigned int mask) {
    return mask == 0u ? -1 : 32 - static_cast<int>(__ffs(__brev(mask)));
}
__device__ inline int next_lane(unsigned int mask) { return static_cast<int>(__ffs(mask)) - 1; }

// The bits of `bits` at the lanes of `mask`, moved together: bit n is that of the mask's n-th lane.
__device__ inline unsigned int packed(unsigned int mask, unsigned int bits) {
    if (mask == 0xffffffffu) return bits;
    unsigned int together = 0u;
    for (unsigned int rank = 0u; mask != 0u; ++rank, mask &= mask - 1u) {
        if ((bits & mask & (0u - mask)) != 0u) together |= 1u << rank;
    }
    return together;
}

}  // namespace detail

// Threads of one warp that were active together: cooperative_groups::coalesced_group. HIP's own may hold 64 threads.
class coalesced_group {
public:
    __device__ explicit coalesced_group(unsigned int lanes, unsigned int number = 0u, unsigned int count = 1u)
        : lanes_(lanes), number_(number), count_(count) {}

    // The group's lanes in the warp.
    __device__ unsigned int lanes() const { return lanes_; }

    __device__ unsigned int num_threads() const { return detail::bits_of(lanes_); }
    __device__ unsigned int size() const { return num_threads(); }
    __device__ unsigned int thread_rank() const { return detail::bits_of(lanes_ & lanemask_lt()); }
    __device__ void sync() const { syncwarp(lanes_); }

    // Which of the groups this is that came of one partition, and how many there are.
    __device__ unsigned int meta_group_rank() const { return number_; }
    __device__ unsigned int meta_group_size() const { return count_; }

    // The value of the thread with that rank, or of the thread that many ranks above or below; the caller's own where
    // there is none.
    template <typename T>
    __device__ T shfl(T value, unsigned int rank) const {
        return detail::read_lane(value, fns(lanes_, 0u, static_cast<int>(rank % num_threads()) + 1) & 31u);
    }
    template <typename T>
    __device__ T shfl_down(T value, unsigned int delta) const {
        return detail::read_lane(value, other(static_cast<int>(delta) + 1));
    }
    template <typename T>
    __device__ T shfl_up(T value, unsigned int delta) const {
        return detail::read_lane(value, other(-static_cast<int>(delta) - 1));
    }

    // Votes and comparisons; bit n of a result stands for the thread of rank n.
    __device__ unsigned int ballot(int predicate) const {
        return detail::packed(lanes_, ballot_sync(lanes_, predicate));
    }
    __device__ int any(int predicate) const { return any_sync(lanes_, predicate); }
    __device__ int all(int predicate) const { return all_sync(lanes_, predicate); }
    template <typename T>
    __device__ unsigned int match_any(T value) const {
        return detail::packed(lanes_, match_any_sync(lanes_, value));
    }
    template <typename T>
    __device__ unsigned int match_all(T value, int &predicate) const {
        return detail::packed(lanes_, match_all_sync(lanes_, value, &predicate));
    }

private:
    __device__ unsigned int other(int offset) const {
        const unsigned int found = fns(lanes_, lane_id(), offset);
        return found > 31u ? lane_id() : found;
    }

    unsigned int lanes_, number_, count_;
};

// The threads of the caller's warp that run this call: cooperative_groups::coalesced_threads.
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(activemask()); }

namespace detail {

// The lanes of a group in the caller's warp that run this call.
__device__ inline unsigned int members(const coalesced_group &group) { return ballot_sync(group.lanes(), 1); }
template <unsigned int Size, typename Parent>
__device__ inline unsigned int members(const cooperative_groups::thread_block_tile<Size, Parent> &) {
    static_assert(Size <= 32u, "a warp has 32 lanes here: split tiles of 64");
    return ballot_sync(0xffffffffu >> (32u - Size) << (lane_id() & ~(Size - 1u)), 1);
}

// The size of a tile; 1 for other groups, whose lanes need not be neighbours.
template <typename Group>
struct TileSize {
    static constexpr unsigned int value = 1u;
};
template <unsigned int Size, typename Parent>
struct TileSize<cooperative_groups::thread_block_tile<Size, Parent>> {
    static constexpr unsigned int value = Size;
};

// Combines the values of a whole tile. All lanes come to the same result where the operation is commutative.
template <unsigned int Size, typename T, typename Combine>
__device__ inline T reduce_tile(T value, Combine combine) {
    for (unsigned int apart = Size / 2u; apart > 0u; apart /= 2u) {
        value = combine(value, read_lane(value, lane_id() ^ apart));
    }
    return value;
}

// Combines the value of each member with those of the members below it. Each lane holds the result of a run of members
// and knows the one before it; every round joins two runs, the lower one as second operand. No lane is read that is
// not a member.
template <typename T, typename Combine>
__device__ inline T scan_members(unsigned int lanes, T value, Combine combine) {
    const int self = static_cast<int>(lane_id());
    int previous = last_lane(lanes & lanemask_lt());
    for (int round = 0; round < 5; ++round) {
        const unsigned int from = static_cast<unsigned int>(previous < 0 ? self : previous);
        const T theirs = read_lane(value, from);
        const int before = read_lane(previous, from);
        if (previous >= 0) value = combine(value, theirs);
        previous = previous < 0 ? previous : before;
    }
    return value;
}

}  // namespace detail

// Combines the values of all threads of a group, a tile or a group of active threads: cooperative_groups::reduce. The
// operation must be associative and commutative. Values are combined in the order in which CUDA's headers do it, so
// that sums of floating-point numbers have the same bits.
template <typename Group, typename T, typename Combine>
__device__ inline T reduce(const Group &group, T value, Combine combine) {
    constexpr unsigned int size = detail::TileSize<Group>::value;
    const unsigned int lanes = detail::members(group);
    if (size > 1u && detail::bits_of(lanes) == size) return detail::reduce_tile<size>(value, combine);
    if (lanes == 0xffffffffu) return detail::reduce_tile<32u>(value, combine);
    const T scanned = detail::scan_members(lanes, value, combine);
    return detail::read_lane(scanned, static_cast<unsigned int>(detail::last_lane(lanes)) & 31u);
}

// Combines the values of the threads up to the caller, with or without its own: cooperative_groups::inclusive_scan and
// exclusive_scan. The first thread of an exclusive scan gets T(), which is 0 for numbers.
template <typename Group, typename T, typename Combine>
__device__ inline T inclusive_scan(const Group &group, T value, Combine combine) {
    return detail::scan_members(detail::members(group), value, combine);
}
template <typename Group, typename T>
__device__ inline T inclusive_scan(const Group &group, T value) {
    return cudamigrate::inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Combine>
__device__ inline T exclusive_scan(const Group &group, T value, Combine combine) {
    const unsigned int lanes = detail::members(group);
    const T all = detail::scan_members(lanes, value, combine);
    const int previous = detail::last_lane(lanes & lanemask_lt());
    const T before = detail::read_lane(all, previous < 0 ? lane_id() : static_cast<unsigned int>(previous));
    return previous < 0 ? T() : before;
}
template <typename Group, typename T>
__device__ inline T exclusive_scan(const Group &group, T value) {
    return cudamigrate::exclusive_scan(group, value, plus<T>());
}

// The threads of a group that pass the same truth value, or the same label: cooperative_groups::binary_partition and
// labeled_partition. Groups are numbered by truth value, and by their first threads.
template <typename Group>
__device__ inline coalesced_group binary_partition(const Group &group, bool predicate) {
    const unsigned int lanes = detail::members(group);
    const unsigned int yes = ballot_sync(lanes, predicate);
    if (yes == lanes || yes == 0u) return coalesced_group(lanes);
    return predicate ? coalesced_group(yes, 1u, 2u) : coalesced_group(lanes & ~yes, 0u, 2u);
}
template <typename Group, typename Label>
__device__ inline coalesced_group labeled_partition(const Group &group, Label label) {
    const unsigned int lanes = detail::members(group);
    const unsigned int same = match_any_sync(lanes, label);
    const unsigned int first = same & (0u - same);
    const unsigned int firsts = ballot_sync(lanes, first == lanemask_eq());
    return coalesced_group(same, detail::bits_of(firsts & (first - 1u)), detail::bits_of(firsts));
}
template <typename Group>
__device__ inline coalesced_group labeled_partition(const Group &group, bool label) {
    return cudamigrate::binary_partition(group, label);
}

// Copies with all threads of a group: cooperative_groups::memcpy_async. The copy is done by the threads themselves and
// at once; it is there for all of them after `wait`. Counts are of bytes, or of elements where there are two.
template <typename Group, typename T>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, detail::Count bytes) {
    char *target = reinterpret_cast<char *>(to);
    const char *source = reinterpret_cast<const char *>(from);
    const detail::Count rank = group.thread_rank(), step = group.size();
    detail::Count done = 0;
    if (alignof(T) >= 4 || (reinterpret_cast<detail::Count>(to) | reinterpret_cast<detail::Count>(from)) % 4 == 0) {
        done = bytes - bytes % 4;
        for (detail::Count i = 4 * rank; i < done; i += 4 * step) {
            __builtin_memcpy(__builtin_assume_aligned(target + i, 4), __builtin_assume_aligned(source + i, 4), 4);
        }
    }
    for (detail::Count i = done + rank; i < bytes; i += step) target[i] = source[i];
}
template <typename Group, typename T>
__device__ inline void memcpy_async(const Group &group, T *to, detail::Count room, const T *from, detail::Count count) {
    const detail::Count least = room < count ? room : count;
    for (detail::Count i = group.thread_rank(); i < least; i += group.size()) to[i] = from[i];
}

// Waits for the copies of a group: cooperative_groups::wait, and wait_prior, which may leave the last ones out.
template <typename Group>
__device__ inline void wait(const Group &group) {
    group.sync();
}
template <unsigned int Stages, typename Group>
__device__ inline void wait_prior(const Group &group) {
    group.sync();
}

// Copies of single threads: __pipeline_memcpy_async and its kin. The copy is done at once, so that there is nothing to
// commit or to wait for; other threads see it after a barrier, as in CUDA. The last `zeros` bytes are not read but 0.
__device__ inline void pipeline_memcpy_async(void *to, const void *from, detail::Count size, detail::Count zeros = 0) {
    char *target = static_cast<char *>(to);
    const char *source = static_cast<const char *>(from);
    if (zeros == 0 && size == 16) {
        __builtin_memcpy(__builtin_assume_aligned(target, 16), __builtin_assume_aligned(source, 16), 16);
    } else if (zeros == 0 && size == 8) {
        __builtin_memcpy(__builtin_assume_aligned(target, 8), __builtin_assume_aligned(source, 8), 8);
    } else {
        for (detail::Count i = 0; i < size; ++i) target[i] = i + zeros < size ? source[i] : char(0);
    }
}
__device__ inline void pipeline_commit() {}
__device__ inline void pipeline_wait_prior(detail::Count) {}

// The value of another thread of a tile, of any type that may be copied by its bytes: the shuffles that are members of
// cooperative_groups::thread_block_tile. HIP's own members take numbers only.
template <unsigned int Size, typename Parent, typename T>
__device__ inline T shfl(const cooperative_groups::thread_block_tile<Size, Parent> &, T value, int rank) {
    static_assert(Size <= 32u, "a warp has 32 lanes here: split tiles of 64");
    return shfl_sync(0u, value, rank, static_cast<int>(Size));
}
template <unsigned int Size, typename Parent, typename T>
__device__ inline T shfl_up(const cooperative_groups::thread_block_tile<Size, Parent> &, T value, unsigned int delta) {
    static_assert(Size <= 32u, "a warp has 32 lanes here: split tiles of 64");
    return shfl_up_sync(0u, value, delta, static_cast<int>(Size));
}
template <unsigned int Size, typename Parent, typename T>
__device__ inline T shfl_down(const cooperative_groups::thread_block_tile<Size, Parent> &, T value, unsigned int delta) {
    static_assert(Size <= 32u, "a warp has 32 lanes here: split tiles of 64");
    return shfl_down_sync(0u, value, delta, static_cast<int>(Size));
}
template <unsigned int Size, typename Parent, typename T>
__device__ inline T shfl_xor(const cooperative_groups::thread_block_tile<Size, Parent> &, T value, unsigned int lanes) {
    static_assert(Size <= 32u, "a warp has 32 lanes here: split tiles of 64");
    return shfl_xor_sync(0u, value, static_cast<int>(lanes), static_cast<int>(Size));
}

// One thread of the group makes the call: cooperative_groups::invoke_one. In the second form all get its result; that
// is for tiles and groups of active threads.
template <typename Group, typename Call, typename... Values>
__device__ inline void invoke_one(const Group &group, Call &&call, Values &&...values) {
    if (group.thread_rank() == 0) call(values...);
}
template <typename Group, typename Call, typename... Values>
__device__ inline auto invoke_one_broadcast(const Group &group, Call &&call, Values &&...values)
    -> decltype(call(values...)) {
    const unsigned int first = static_cast<unsigned int>(detail::next_lane(detail::members(group)));
    decltype(call(values...)) result = decltype(call(values...))();
    if (lane_id() == first) result = call(values...);
    return detail::read_lane(result, first & 31u);
}

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_GROUPS_H
