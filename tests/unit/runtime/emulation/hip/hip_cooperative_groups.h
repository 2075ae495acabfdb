// A stand-in for HIP's cooperative groups on a CPU: what cudamigrate_groups.h may use of them, and no more.
#ifndef EMULATION_HIP_COOPERATIVE_GROUPS_H
#define EMULATION_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

namespace cooperative_groups {

struct thread_block {
    unsigned int thread_rank() const { return __lane_id(); }
    unsigned int size() const { return static_cast<unsigned int>(static_cast<int>(warpSize)); }
    void sync() const { __ballot(1); }
};
inline thread_block this_thread_block() { return {}; }

template <unsigned int Size, typename Parent = void>
struct thread_block_tile {
    unsigned int thread_rank() const { return __lane_id() % Size; }
    unsigned int size() const { return Size; }
    void sync() const { __ballot(1); }
};
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}
template <typename Group>
void sync(const Group &group) {
    group.sync();
}

// What some releases have: our header must not fall for it by way of the type of an argument.
template <unsigned int Size, typename Parent, typename T>
void inclusive_scan(const thread_block_tile<Size, Parent> &, T) = delete;
template <unsigned int Size, typename Parent, typename T, typename Combine>
void inclusive_scan(const thread_block_tile<Size, Parent> &, T, Combine) = delete;
template <unsigned int Size, typename Parent, typename T>
void exclusive_scan(const thread_block_tile<Size, Parent> &, T) = delete;
template <unsigned int Size, typename Parent, typename T, typename Combine>
void exclusive_scan(const thread_block_tile<Size, Parent> &, T, Combine) = delete;
template <unsigned int Size, typename Parent, typename T, typename Combine>
void reduce(const thread_block_tile<Size, Parent> &, T, Combine) = delete;
template <unsigned int Size, typename Parent>
void binary_partition(const thread_block_tile<Size, Parent> &, bool) = delete;
template <typename Group>
void wait(const Group &) = delete;

}  // namespace cooperative_groups

#endif  // EMULATION_HIP_COOPERATIVE_GROUPS_H
