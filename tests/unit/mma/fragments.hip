// Every shape of cudamigrate_wmma.h, for compilers.
#include "cudamigrate_bf16.h"
#include "cudamigrate_groups.h"
#include "cudamigrate_math.h"
#include "cudamigrate_wmma.h"  // after the others, whose names it must not take

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
