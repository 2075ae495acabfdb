// Helpers of the runtime headers for which AMD GPUs have an instruction, one a kernel, for compilers.
#include "cudamigrate_ptx.h"

#define HELPER(name, result)                                                                  \
    __global__ void name(unsigned int *out, unsigned int a, unsigned int b, unsigned int c) { \
        a ^= out[threadIdx.x], b += threadIdx.x, c ^= out[threadIdx.x + 64];                  \
        out[threadIdx.x] = (result);                                                          \
    }
HELPER(permuted_by_a_constant, cudamigrate::prmt(a, b, 0x5140u))
HELPER(permuted, cudamigrate::prmt(a, b, c))
HELPER(field, cudamigrate::bit_field(a, b, c))
HELPER(field_of_a_constant, cudamigrate::bit_field(a, 5u, 7u))
HELPER(signed_field_of_a_constant, static_cast<unsigned int>(cudamigrate::bit_field(static_cast<int>(a), 5u, 7u)))
HELPER(inserted, cudamigrate::insert_bits(a, b, 5u, 7u))
HELPER(shifted_left, __funnelshift_l(a, b, c))
HELPER(shifted_right, __funnelshift_r(a, b, c))
HELPER(clamped_right, __funnelshift_rc(a, b, c))
HELPER(least_of_three, min(min(static_cast<int>(a), static_cast<int>(b)), static_cast<int>(c)))
HELPER(most_of_three, max(max(a, b), c))
HELPER(pair_sum, cudamigrate::add_x2(a, b))
HELPER(pair_max, cudamigrate::max_x2<true>(a, b))
HELPER(pair_min, cudamigrate::min_x2<false>(a, b))
HELPER(halves_sum, cudamigrate::bits<unsigned int>(__hadd2(cudamigrate::bits<__half2>(a), cudamigrate::bits<__half2>(b))))
HELPER(sum_of_a_warp, cudamigrate::reduce_add_sync(0xffffffffu, a))
HELPER(logic, (a & b) | (~a & c))
HELPER(neighbour, cudamigrate::shfl_xor_sync(0xffffffffu, a, 1))
HELPER(eighth, cudamigrate::shfl_xor_sync(0xffffffffu, a, 8))
HELPER(half_way, cudamigrate::shfl_xor_sync(0xffffffffu, a, 16))
HELPER(below, cudamigrate::shfl_down_sync(0xffffffffu, a, 1))
