// cudamigrate declarations: cooperative groups of HIP 7.13; not the library's own header
#pragma once
#include <hip/cooperative_groups/hip_reduce.h>

namespace cooperative_groups {
template <class Group, typename T> __device__ T inclusive_scan(const Group &, const T &);
template <class Group, typename T, class Operation> __device__ T inclusive_scan(const Group &, const T &, Operation &&);
template <class Group, typename T> __device__ T exclusive_scan(const Group &, const T &);
template <class Group, typename T, class Operation> __device__ T exclusive_scan(const Group &, const T &, Operation &&);
}
