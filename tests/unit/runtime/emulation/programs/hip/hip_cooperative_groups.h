// A stand-in for HIP's cooperative groups on a CPU, for whole programs: what HIP 7.1 has of them, as far as is used.
#ifndef EMULATION_PROGRAMS_HIP_COOPERATIVE_GROUPS_H
#define EMULATION_PROGRAMS_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

namespace cooperative_groups {

struct thread_block {
    static unsigned int thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int size() { return num_threads(); }
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
    template <typename T>
    T shfl(T value, int rank) const {
        return __shfl(value, rank, Size);
    }
    operator thread_block_tile<Size, void>() const { return {}; }
};
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}

}  // namespace cooperative_groups

#endif  // EMULATION_PROGRAMS_HIP_COOPERATIVE_GROUPS_H
