// Cooperative groups by CUDA: groups of up to 32 lanes, which wait for each other.
#ifndef CUDAMIGRATE_EMULATION_CUDA_COOPERATIVE_GROUPS_H
#define CUDAMIGRATE_EMULATION_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#define CUDAMIGRATE_EMULATION_MASK(lanes) (lanes)
#define CUDAMIGRATE_EMULATION_BALLOT unsigned int
#define CUDAMIGRATE_EMULATION_DISTANCE(distance) static_cast<long>((distance) & 31u)
#include "../common/cooperative_groups.h"

namespace cooperative_groups {

template <typename T> struct plus : emulation::Add {};
template <typename T> struct less : emulation::Least {};
template <typename T> struct greater : emulation::Most {};
template <typename T> struct bit_and : emulation::And {};
template <typename T> struct bit_or : emulation::Or {};
template <typename T> struct bit_xor : emulation::Xor {};

template <typename Group, typename T, typename Combine>
T reduce(const Group &group, T value, Combine combine) {
    return emulation::combined(group.lanes_, value, combine, group.lanes_);
}
template <typename Group, typename T, typename Combine>
T inclusive_scan(const Group &group, T value, Combine combine) {
    return emulation::combined(group.lanes_ & (group.below() << 1 | 1u), value, combine, group.lanes_);
}
template <typename Group, typename T>
T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Combine>
T exclusive_scan(const Group &group, T value, Combine combine) {
    const T made = emulation::combined(group.lanes_ & group.below(), value, combine, group.lanes_);
    return group.thread_rank() == 0 ? T() : made;
}
template <typename Group, typename T>
T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}
template <typename Group, typename Label>
coalesced_group labeled_partition(const Group &group, Label label) {
    return {{emulation::match(group.lanes_, label, group.lanes_)}};
}
template <typename Group>
coalesced_group binary_partition(const Group &group, bool predicate) {
    return {{emulation::match(group.lanes_, predicate, group.lanes_)}};
}

}  // namespace cooperative_groups

#endif  // CUDAMIGRATE_EMULATION_CUDA_COOPERATIVE_GROUPS_H
