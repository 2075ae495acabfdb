// cudamigrate declarations: cooperative groups of HIP 7.1; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_COOPERATIVE_GROUPS
#define CUDAMIGRATE_DECLARES_HIP_COOPERATIVE_GROUPS
#include <hip/hip_runtime.h>
#include <type_traits>

namespace cooperative_groups {
#define CM_D __device__

namespace internal {
typedef enum {
    cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group
} group_type;
}

template <unsigned int N>
using is_valid_tile_size = std::integral_constant<bool, N != 0 && (N & (N - 1)) == 0 && N <= 64>;

class thread_group {
protected:
    CM_D thread_group(internal::group_type, unsigned int size = 0);
    friend CM_D thread_group this_thread();
public:
    CM_D __hip_uint32_t num_threads() const;
    CM_D __hip_uint32_t size() const;
    CM_D unsigned int cg_type() const;
    CM_D __hip_uint32_t thread_rank() const;
    CM_D __hip_uint32_t block_rank() const;
    CM_D bool is_valid() const;
    CM_D void sync() const;
};

class multi_grid_group : public thread_group {
    friend CM_D multi_grid_group this_multi_grid();
protected:
    explicit CM_D multi_grid_group(__hip_uint32_t);
public:
    CM_D __hip_uint32_t num_grids();
    CM_D __hip_uint32_t grid_rank();
    CM_D __hip_uint32_t thread_rank() const;
    CM_D bool is_valid() const;
    CM_D void sync() const;
};
CM_D multi_grid_group this_multi_grid();

class grid_group : public thread_group {
    friend CM_D grid_group this_grid();
protected:
    explicit CM_D grid_group(__hip_uint32_t);
public:
    CM_D __hip_uint32_t thread_rank() const;
    CM_D __hip_uint32_t block_rank() const;
    CM_D bool is_valid() const;
    CM_D void sync() const;
    CM_D dim3 group_dim() const;
};
CM_D grid_group this_grid();

class thread_block : public thread_group {
    friend CM_D thread_block this_thread_block();
protected:
    explicit CM_D thread_block(__hip_uint32_t);
public:
    CM_D static dim3 group_index();
    CM_D static dim3 thread_index();
    CM_D static __hip_uint32_t thread_rank();
    CM_D static __hip_uint32_t block_rank();
    CM_D static __hip_uint32_t num_threads();
    CM_D static __hip_uint32_t size();
    CM_D static bool is_valid();
    CM_D static void sync();
    CM_D dim3 group_dim();
};
CM_D thread_block this_thread_block();

class tiled_group : public thread_group {
protected:
    explicit CM_D tiled_group(unsigned int);
public:
    CM_D unsigned int num_threads() const;
    CM_D unsigned int size() const;
    CM_D unsigned int thread_rank() const;
    CM_D void sync() const;
};

class coalesced_group : public thread_group {
protected:
    explicit CM_D coalesced_group(unsigned long long);
public:
    CM_D unsigned int num_threads() const;
    CM_D unsigned int size() const;
    CM_D unsigned int thread_rank() const;
    CM_D void sync() const;
    CM_D unsigned int meta_group_rank() const;
    CM_D unsigned int meta_group_size() const;
    template <class T> CM_D T shfl(T value, int rank) const { return __shfl(value, rank, warpSize); }
    template <class T> CM_D T shfl_down(T value, unsigned int by) const { return __shfl_down(value, by, warpSize); }
    template <class T> CM_D T shfl_up(T value, unsigned int by) const { return __shfl_up(value, by, warpSize); }
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
    CM_D unsigned long long ballot(int) const;
    CM_D int any(int) const;
    CM_D int all(int) const;
    template <typename T> CM_D unsigned long long match_any(T) const { __builtin_unreachable(); }
    template <typename T> CM_D unsigned long long match_all(T, int &) const { __builtin_unreachable(); }
#endif
};
CM_D coalesced_group coalesced_threads();
CM_D thread_group this_thread();

template <class Group> CM_D __hip_uint32_t group_size(const Group &group) { return group.num_threads(); }
template <class Group> CM_D __hip_uint32_t thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> CM_D bool is_valid(const Group &group) { return group.is_valid(); }
template <class Group> CM_D void sync(const Group &group) { group.sync(); }

template <unsigned int N, class Parent = void> class thread_block_tile;

template <unsigned int N> class tile_base {
public:
    static constexpr unsigned int numThreads = N;
    CM_D static unsigned int thread_rank();
    CM_D static unsigned int num_threads();
    CM_D static unsigned int size();
};

template <unsigned int N> class thread_block_tile_base : public tile_base<N> {
    static_assert(is_valid_tile_size<N>::value, "a tile is a power of 2 and not larger than a wavefront");
public:
    CM_D static void sync();
    template <class T> CM_D T shfl(T value, int rank) const { return __shfl(value, rank, N); }
    template <class T> CM_D T shfl_down(T value, unsigned int by) const { return __shfl_down(value, by, N); }
    template <class T> CM_D T shfl_up(T value, unsigned int by) const { return __shfl_up(value, by, N); }
    template <class T> CM_D T shfl_xor(T value, unsigned int lanes) const { return __shfl_xor(value, lanes, N); }
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
    CM_D unsigned long long ballot(int) const;
    CM_D int any(int) const;
    CM_D int all(int) const;
    template <typename T> CM_D unsigned long long match_any(T) const { __builtin_unreachable(); }
    template <typename T> CM_D unsigned long long match_all(T, int &) const { __builtin_unreachable(); }
#endif
};

template <unsigned int N, class Parent> class thread_block_tile_type
    : public thread_block_tile_base<N>, public tiled_group {
protected:
    CM_D thread_block_tile_type();
public:
    using thread_block_tile_base<N>::num_threads;
    using thread_block_tile_base<N>::size;
    using thread_block_tile_base<N>::sync;
    using thread_block_tile_base<N>::thread_rank;
    CM_D unsigned int meta_group_rank() const;
    CM_D unsigned int meta_group_size() const;
};

template <unsigned int N, class Parent> class thread_block_tile : public thread_block_tile_type<N, Parent> {
protected:
    CM_D thread_block_tile(const Parent &);
public:
    CM_D operator thread_block_tile<N, void>() const;
};
template <unsigned int N> class thread_block_tile<N, void> : public thread_block_tile_type<N, void> {
public:
    template <class Parent> CM_D thread_block_tile(const thread_block_tile<N, Parent> &) { __builtin_unreachable(); }
};

CM_D thread_group tiled_partition(const thread_group &, unsigned int);
CM_D thread_group tiled_partition(const thread_block &, unsigned int);
CM_D tiled_group tiled_partition(const tiled_group &, unsigned int);
CM_D coalesced_group tiled_partition(const coalesced_group &, unsigned int);

namespace impl {
template <unsigned int N, class Parent> struct tiled_partition_internal;
template <unsigned int N> struct tiled_partition_internal<N, thread_block> : thread_block_tile<N, thread_block> {
    CM_D tiled_partition_internal(const thread_block &parent) : thread_block_tile<N, thread_block>(parent) {}
};
template <unsigned int N, unsigned int M, class Above>
struct tiled_partition_internal<N, thread_block_tile<M, Above>> : thread_block_tile<N, thread_block_tile<M, Above>> {
    static_assert(N <= M, "a tile of a tile is not larger than it");
    CM_D tiled_partition_internal(const thread_block_tile<M, Above> &parent)
        : thread_block_tile<N, thread_block_tile<M, Above>>(parent) {}
};
}
template <unsigned int N, class Parent> CM_D thread_block_tile<N, Parent> tiled_partition(const Parent &parent) {
    static_assert(is_valid_tile_size<N>::value, "a tile is a power of 2 and not larger than a wavefront");
    return impl::tiled_partition_internal<N, Parent>(parent);
}

#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
CM_D coalesced_group binary_partition(const coalesced_group &, bool);
template <unsigned int N, class Parent>
CM_D coalesced_group binary_partition(const thread_block_tile<N, Parent> &, bool);
#endif
#undef CM_D
}
#endif
