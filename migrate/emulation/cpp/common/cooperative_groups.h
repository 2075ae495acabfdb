// Cooperative groups, as far as both languages have them. A header that includes this says how lanes are masked:
// CUDAMIGRATE_EMULATION_MASK(lanes) is what a group of those lanes waits for, 0 where nobody waits.
#ifndef CUDAMIGRATE_EMULATION_COOPERATIVE_GROUPS_H
#define CUDAMIGRATE_EMULATION_COOPERATIVE_GROUPS_H

#include "lanes.h"

namespace cooperative_groups {

namespace emulation = ::cudamigrate_emulation;

struct thread_block {
    static unsigned int thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static void sync() { __syncthreads(); }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static bool is_valid() { return true; }
    static void sync() { emulation::grid_barrier(); }
};
inline grid_group this_grid() { return {}; }

// A group of lanes of one wave; each exchange is by the lane's number in the wave.
struct lane_group {
    std::uint64_t lanes_;

    static std::uint64_t below() { return (std::uint64_t{1} << emulation::lane()) - 1; }
    unsigned int num_threads() const { return static_cast<unsigned int>(__builtin_popcountll(lanes_)); }
    unsigned int size() const { return num_threads(); }
    unsigned int thread_rank() const { return static_cast<unsigned int>(__builtin_popcountll(lanes_ & below())); }
    void sync() const { emulation::meet(0, CUDAMIGRATE_EMULATION_MASK(lanes_)); }

    // The lane with that rank, -1 where there is none.
    CUDAMIGRATE_EMULATION_UNSEEN int lane_of(long rank) const {
        std::uint64_t left = lanes_;
        for (; rank > 0 && left != 0; --rank) left &= left - 1;
        return rank < 0 || left == 0 ? -1 : __builtin_ctzll(left);
    }
    CUDAMIGRATE_EMULATION_UNSEEN std::uint64_t packed(std::uint64_t set) const {
        std::uint64_t made = 0;
        unsigned int rank = 0;
        for (std::uint64_t left = lanes_; left != 0; left &= left - 1, ++rank) {
            made |= (set >> __builtin_ctzll(left) & 1u) << rank;
        }
        return made;
    }
    template <typename T> T read(T value, int from) const {
        T made = value;
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, static_cast<const void *>(&value), sizeof(T));
        for (std::size_t at = 0; at < sizeof(T); at += 8) {
            const std::size_t part = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + at, part);
            word = emulation::read_lane(word, from, CUDAMIGRATE_EMULATION_MASK(lanes_));
            std::memcpy(bytes + at, &word, part);
        }
        std::memcpy(static_cast<void *>(&made), bytes, sizeof(T));
        return made;
    }
    int own_or(int found) const { return found < 0 ? emulation::lane() : found; }

    template <typename T> T shfl(T value, int rank) const {
        const long size = static_cast<long>(num_threads());
        return read(value, lane_of((rank % size + size) % size));
    }
    template <typename T> T shfl_up(T value, unsigned int delta) const {
        return read(value, own_or(lane_of(static_cast<long>(thread_rank()) - CUDAMIGRATE_EMULATION_DISTANCE(delta))));
    }
    template <typename T> T shfl_down(T value, unsigned int delta) const {
        return read(value, own_or(lane_of(static_cast<long>(thread_rank()) + CUDAMIGRATE_EMULATION_DISTANCE(delta))));
    }
    template <typename T> T shfl_xor(T value, unsigned int mask) const {
        return read(value, own_or(lane_of(thread_rank() ^ CUDAMIGRATE_EMULATION_DISTANCE(mask))));
    }
    std::uint64_t votes(int predicate) const {
        return emulation::ballot(predicate != 0, CUDAMIGRATE_EMULATION_MASK(lanes_)) & lanes_;
    }
    int any(int predicate) const { return votes(predicate) != 0; }
    int all(int predicate) const { return votes(predicate == 0) == 0; }
    CUDAMIGRATE_EMULATION_BALLOT ballot(int predicate) const {
        return static_cast<CUDAMIGRATE_EMULATION_BALLOT>(packed(votes(predicate)));
    }
    template <typename T> CUDAMIGRATE_EMULATION_BALLOT match_any(T value) const {
        return static_cast<CUDAMIGRATE_EMULATION_BALLOT>(
            packed(emulation::match(lanes_, value, CUDAMIGRATE_EMULATION_MASK(lanes_))));
    }
    template <typename T> CUDAMIGRATE_EMULATION_BALLOT match_all(T value, int &predicate) const {
        const std::uint64_t same = emulation::match(lanes_, value, CUDAMIGRATE_EMULATION_MASK(lanes_));
        predicate = all(same == lanes_);
        return predicate ? static_cast<CUDAMIGRATE_EMULATION_BALLOT>(packed(lanes_)) : 0;
    }
};

template <unsigned int Size, typename Parent = void>
struct thread_block_tile : lane_group {
    unsigned int place_, count_;
    // A tile counts among the tiles of what was divided: a tile of a tile knows nothing of the block.
    thread_block_tile(unsigned int rank, unsigned int threads)
        : lane_group{own_lanes()}, place_(rank / Size), count_((threads + Size - 1) / Size) {}
    operator thread_block_tile<Size, void>() const { return {place_ * Size, count_ * Size}; }
    static std::uint64_t own_lanes() {
        const int first = emulation::lane() / static_cast<int>(Size) * static_cast<int>(Size);
        return (Size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Size) - 1) << first;
    }
    static constexpr unsigned int num_threads() { return Size; }
    static constexpr unsigned int size() { return Size; }
    unsigned int thread_rank() const { return thread_block::thread_rank() % Size; }
    unsigned int meta_group_rank() const { return place_; }
    unsigned int meta_group_size() const { return count_; }
};
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    static_assert((Size & (Size - 1)) == 0, "a tile's size is a power of two");
    if (static_cast<int>(Size) > emulation::wave_width()) emulation::missing("a tile of more than one wave");
    return {parent.thread_rank(), parent.size()};
}

struct coalesced_group : lane_group {
    unsigned int meta_group_rank() const { return 0; }
    unsigned int meta_group_size() const { return 1; }
};
inline coalesced_group coalesced_threads() { return {{emulation::ballot(true)}}; }
inline lane_group tiled_partition(const thread_block &, unsigned int size) {
    const int first = emulation::lane() / static_cast<int>(size) * static_cast<int>(size);
    return {(size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1) << first};
}

// A group of either kind, as functions take it that do not care.
struct thread_group {
    bool is_block;
    lane_group lanes;
    thread_group(const thread_block &) : is_block(true), lanes{0} {}
    thread_group(const lane_group &group) : is_block(false), lanes(group) {}
    unsigned int num_threads() const { return is_block ? thread_block::num_threads() : lanes.num_threads(); }
    unsigned int size() const { return num_threads(); }
    unsigned int thread_rank() const { return is_block ? thread_block::thread_rank() : lanes.thread_rank(); }
    void sync() const { is_block ? thread_block::sync() : lanes.sync(); }
};
inline lane_group tiled_partition(const thread_group &, unsigned int size) {
    return tiled_partition(thread_block(), size);
}

template <typename Group> void sync(const Group &group) { group.sync(); }
template <typename Group> unsigned int thread_rank(const Group &group) { return group.thread_rank(); }

}  // namespace cooperative_groups

#endif  // CUDAMIGRATE_EMULATION_COOPERATIVE_GROUPS_H
