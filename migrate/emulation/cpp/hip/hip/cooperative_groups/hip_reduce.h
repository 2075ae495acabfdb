// The operations of reductions, which HIP has since ROCm 7.13. Its reductions themselves are not emulated: converted
// code has those of our own header.
#ifndef CUDAMIGRATE_EMULATION_HIP_REDUCE_H
#define CUDAMIGRATE_EMULATION_HIP_REDUCE_H

#include "../hip_cooperative_groups.h"

namespace cooperative_groups {

template <typename T> struct plus : emulation::Add {};
template <typename T> struct less : emulation::Least {};
template <typename T> struct greater : emulation::Most {};
template <typename T> struct bit_and : emulation::And {};
template <typename T> struct bit_or : emulation::Or {};
template <typename T> struct bit_xor : emulation::Xor {};

}  // namespace cooperative_groups

#endif  // CUDAMIGRATE_EMULATION_HIP_REDUCE_H
