// Cooperative groups by HIP: what it has of them in all releases, with groups of up to a wave's lanes, in lock step.
#ifndef CUDAMIGRATE_EMULATION_HIP_COOPERATIVE_GROUPS_H
#define CUDAMIGRATE_EMULATION_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"
#define CUDAMIGRATE_EMULATION_MASK(lanes) 0
#define CUDAMIGRATE_EMULATION_BALLOT unsigned long long
#define CUDAMIGRATE_EMULATION_DISTANCE(distance) static_cast<long>(distance)
#include "../../common/cooperative_groups.h"

namespace cooperative_groups {

// What some releases have: converted code must not come to it by way of the type of an argument.
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

#endif  // CUDAMIGRATE_EMULATION_HIP_COOPERATIVE_GROUPS_H
