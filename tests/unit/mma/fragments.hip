// Every shape of cudamigrate_wmma.h, for compilers.
#include "cudamigrate_bf16.h"
#include "cudamigrate_groups.h"
#include "cudamigrate_math.h"
#include "cudamigrate_sparse.h"
#include "cudamigrate_wmma.h"  // after the others, whose names it must not take
#include "elements.h"

using namespace nvcuda;

struct brain {
    unsigned short bits;
};

template <int M, int N, int K, typename T, typename C, typename A, typename B, typename Memory>
__device__ void product(const Memory *a, const Memory *b, C *c) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> right;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(left, a, K);
    wmma::load_matrix_sync(right, b, K);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
    wmma::load_matrix_sync(sum, c, M, wmma::mem_col_major);
}

__global__ void halves(const __half *a, float *c, __half *d) {
    product<16, 16, 16, __half, float, wmma::row_major, wmma::col_major>(a, a, c);
    product<32, 8, 16, __half, __half, wmma::col_major, wmma::row_major>(a, a, d);
    product<8, 32, 16, __half, float, wmma::row_major, wmma::row_major>(a, a, c);
}
__global__ void others(const brain *a, const signed char *b, const unsigned char *u, float *c, int *d, double *e) {
    product<16, 16, 16, brain, float, wmma::row_major, wmma::col_major>(a, a, c);
    product<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(b, b, d);
    product<32, 8, 16, unsigned char, int, wmma::row_major, wmma::col_major>(u, u, d);
    product<16, 16, 8, wmma::precision::tf32, float, wmma::row_major, wmma::col_major>(c, c, c);
    product<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(e, e, e);
}
__global__ void registers(const void *a, unsigned int *b, void *c, unsigned int places) {
    using namespace cudamigrate;
    const auto left = wmma_load<wmma::matrix_a, 16, 16, 16, cudamigrate::f16, true>(a, 16u);
    const auto right = wmma_load<wmma::matrix_b, 16, 16, 16, cudamigrate::f16, false>(a, 16u);
    const auto third = wmma_load<wmma::accumulator, 16, 16, 16, float, true>(c, 16u);
    wmma_store<16, 16, 16, cudamigrate::f16, true>(
        c, wmma_multiply<16, 16, 16, cudamigrate::f16, cudamigrate::f16, cudamigrate::f16, float>(left, right, third), 16u);
    const Registers<float, 4> sum = mma_sp<16, 8, 16, bf16, bf16, float>({b[0], b[1]}, {b[2], b[3]}, {}, places, 1u);
    const Registers<int, 4> whole = mma_sp<16, 8, 64, s8, u8, int>({b[0], b[1], b[2], b[3]}, {b[4], b[5], b[6], b[7]}, {}, places, 0u);
    for (int i = 0; i < 4; ++i) b[i] = bits<unsigned int>(sum.value[i]) + static_cast<unsigned int>(whole.value[i]);
}
