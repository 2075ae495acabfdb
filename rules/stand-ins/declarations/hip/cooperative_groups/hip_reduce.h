// cudamigrate declarations: cooperative groups of HIP 7.13; not the library's own header
#pragma once
#include <hip/hip_cooperative_groups.h>

namespace cooperative_groups {
#define CUDAMIGRATE_OPERATION(name)                                             \
    template <typename T> struct name {                                         \
        __device__ T operator()(const T &, const T &) const;                    \
    };
CUDAMIGRATE_OPERATION(plus)
CUDAMIGRATE_OPERATION(less)
CUDAMIGRATE_OPERATION(greater)
CUDAMIGRATE_OPERATION(bit_and)
CUDAMIGRATE_OPERATION(bit_or)
CUDAMIGRATE_OPERATION(bit_xor)
#undef CUDAMIGRATE_OPERATION

template <class Group, typename T, class Operation> __device__ T reduce(const Group &, const T &, Operation &&);
}
