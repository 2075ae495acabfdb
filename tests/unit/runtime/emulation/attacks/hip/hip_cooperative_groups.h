// The emulation's cooperative groups with more members, as HIP 7.1 has them.
#ifndef ATTACK_HIP_COOPERATIVE_GROUPS_H
#define ATTACK_HIP_COOPERATIVE_GROUPS_H
#include <hip/hip_runtime.h>
namespace attack {
#ifdef ATTACK_CUDA
typedef unsigned GroupMask;
#else
typedef unsigned long long GroupMask;
#endif
inline std::uint64_t all_lanes() { return ~std::uint64_t{0}; }
template <typename T> unsigned long long same(T v) {
    const grid::Call &c = grid::meet(lanes::bits(v));
    unsigned long long r = 0;
    for (int i = 0; i < wavefront::width(); ++i) r |= (c.lanes & std::uint64_t{c.value[i] == lanes::bits(v)} << i);
    return r;
}
inline unsigned long long votes(int p) {
    const grid::Call &c = grid::meet(p != 0);
    unsigned long long r = 0;
    for (int i = 0; i < wavefront::width(); ++i) r |= (c.lanes >> i & c.value[i] & 1u) << i;
    return r;
}
}
namespace cooperative_groups {
struct thread_group {};
struct thread_block : thread_group {
    static unsigned int thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static void sync() { __syncthreads(); }
};
inline thread_block this_thread_block() { return {}; }
template <unsigned int Size, typename Parent = void>
struct thread_block_tile {
    static unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
    static unsigned int num_threads() { return Size; }
    static unsigned int size() { return Size; }
    static void sync() { __syncwarp(); }
    unsigned int meta_group_rank() const { return thread_block::thread_rank() / Size; }
    unsigned int meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
    template <typename T> T shfl(T v, int rank) const { return __shfl(v, rank, Size); }
    template <typename T> T shfl_down(T v, unsigned int by) const { return __shfl_down(v, by, Size); }
    template <typename T> T shfl_up(T v, unsigned int by) const { return __shfl_up(v, by, Size); }
    template <typename T> T shfl_xor(T v, int by) const { return __shfl_xor(v, by, Size); }
    attack::GroupMask part(unsigned long long m) const {
        const unsigned base = __lane_id() / Size * Size;
        return (attack::GroupMask)(m >> base & (~0ull >> (64 - Size)));
    }
    attack::GroupMask ballot(int p) const { return part(attack::votes(p)); }
    int any(int p) const { return ballot(p) != 0; }
    int all(int p) const { return ballot(p == 0) == 0; }
    template <typename T> attack::GroupMask match_any(T v) const { return part(attack::same(v)); }
    operator thread_block_tile<Size, void>() const { return {}; }
};
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) { return {}; }
struct coalesced_group {
    unsigned long long members;
    unsigned int size() const { return (unsigned)__builtin_popcountll(members); }
    unsigned int num_threads() const { return size(); }
    unsigned int thread_rank() const { return (unsigned)__builtin_popcountll(members & ((1ull << __lane_id()) - 1)); }
    int lane_of(unsigned rank) const {
        for (int i = 0; i < 64; ++i) if ((members >> i & 1u) && rank-- == 0) return i;
        return -1;
    }
    void sync() const { __syncwarp(); }
    template <typename T> T shfl(T v, unsigned rank) const { return __shfl(v, lane_of(rank % size()), wavefront::width()); }
    template <typename T> T shfl_down(T v, unsigned by) const {
        const unsigned to = thread_rank() + by;
        return __shfl(v, to < size() ? lane_of(to) : (int)__lane_id(), wavefront::width());
    }
    template <typename T> T shfl_up(T v, unsigned by) const {
        const unsigned me = thread_rank();
        return __shfl(v, me >= by ? lane_of(me - by) : (int)__lane_id(), wavefront::width());
    }
    attack::GroupMask packed(unsigned long long m) const {
        unsigned long long r = 0; int at = 0;
        for (int i = 0; i < 64; ++i) if (members >> i & 1u) r |= (m >> i & 1ull) << at++;
        return (attack::GroupMask)r;
    }
    attack::GroupMask ballot(int p) const { return packed(attack::votes(p)); }
    int any(int p) const { return ballot(p) != 0; }
    int all(int p) const { return ballot(p == 0) == 0; }
    template <typename T> attack::GroupMask match_any(T v) const { return packed(attack::same(v)); }
};
inline coalesced_group coalesced_threads() { return {attack::votes(1)}; }
template <typename G> void sync(const G &g) { g.sync(); }
template <typename T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename G, typename T, typename Op> T reduce(const G &g, T v, Op op) {
    T total = g.shfl(v, 0);
    for (unsigned r = 1; r < g.size(); ++r) total = op(total, g.shfl(v, r));
    return total;
}
}
#endif
