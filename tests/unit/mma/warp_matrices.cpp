// cudamigrate::wmma of every shape against plain products, both layouts of each operand, on the emulated wavefront.
#include "wavefront.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#ifdef CUDAMIGRATE_MATRIX_MODEL
#include "matrix_model.h"
#else
#include "numbers.h"
#endif
#include "cudamigrate_wmma.h"

// A project's own fragments and functions, which it adds to CUDA's namespace.
namespace nvcuda {
namespace wmma {
template <>
struct fragment<accumulator, 16, 8, 16, float> : public __frag_base<float, 4> {};
__device__ inline void scale(fragment<accumulator, 16, 8, 16, float> &sum, float by) {
    for (auto &one : sum.x) one *= by;
}
}  // namespace wmma
}  // namespace nvcuda

namespace {

namespace wmma = nvcuda::wmma;
std::mt19937_64 draw(5);

struct brain {
    unsigned short bits;
};

// What lies in memory, from a small integer, and back; all are exact.
template <typename T>
struct Number {
    static T of(int x) { return static_cast<T>(x); }
    static double value(T x) { return static_cast<double>(x); }
};
template <>
struct Number<__half> {
    static __half of(int x) { return __float2half_rn(static_cast<float>(x) / 4.0f); }
    static double value(__half x) { return static_cast<double>(__half2float(x)); }
};
template <>
struct Number<brain> {
    static brain of(int x) { return {cudamigrate::to_bf16(static_cast<float>(x) / 4.0f)}; }
    static double value(brain x) { return numbers::bf16(x.bits); }
};

int count = 0;

template <typename Fragment, typename Place>
void whole(int rows, int columns, const char *name) {
    static std::set<std::pair<int, int>> seen;
    seen.clear();
    wavefront::run(32, 1, [] {
        for (int i = 0; i < Fragment::own; ++i) seen.insert({Place::of(i).row, Place::of(i).column});
    });
    if (static_cast<int>(seen.size()) == rows * columns && seen.rbegin()->first == rows - 1 && Fragment::own * 32 == rows * columns)
        return;
    std::printf("WRONG places: %s\n", name);
    std::exit(1);
}

// Row and column of the elements of lane 1, in their order, as an H200 with CUDA 13.0 loads them.
typedef std::vector<std::pair<int, int>> Places;
template <typename Place>
void measured(const Places &want, const char *name) {
    static Places found;
    found.clear();
    wavefront::run(32, 1, [] {
        for (int i = 0; cudamigrate::lane_id() == 1 && i < Place::own; ++i) found.push_back({Place::of(i).row, Place::of(i).column});
    });
    if (found == want) return;
    std::printf("WRONG places of lane 1: %s\n", name);
    std::exit(1);
}
void places_are_those_of_a_gpu() {
    using cudamigrate::detail::place;
    const Places wide{{2, 0}, {3, 0}, {2, 8}, {3, 8}, {2, 16}, {3, 16}, {2, 24}, {3, 24}};
    const Places tall{{0, 2}, {0, 3}, {8, 2}, {8, 3}, {16, 2}, {16, 3}, {24, 2}, {24, 3}};
    measured<place<wmma::accumulator, 8, 32, 16, float>>(wide, "sums of 8x32");
    measured<place<wmma::accumulator, 8, 32, 16, int>>(wide, "integer sums of 8x32");
    measured<place<wmma::accumulator, 32, 8, 16, float>>(tall, "sums of 32x8");
    measured<place<wmma::matrix_b, 8, 32, 16, __half>>({{2, 0}, {3, 0}, {2, 8}, {3, 8}, {10, 0}, {11, 0}, {10, 8}, {11, 8},
        {2, 16}, {3, 16}, {2, 24}, {3, 24}, {10, 16}, {11, 16}, {10, 24}, {11, 24}}, "second matrix of 8x32");
    measured<place<wmma::matrix_a, 8, 32, 16, __half>>({{0, 2}, {0, 3}, {0, 10}, {0, 11}}, "first matrix of 8x32");
}

template <int M, int N, int K, typename T, typename Memory, typename C, typename A, typename B>
void test(const char *name, int elements_a) {
    typedef wmma::fragment<wmma::matrix_a, M, N, K, T, A> Left;
    typedef wmma::fragment<wmma::matrix_b, M, N, K, T, B> Right;
    typedef wmma::fragment<wmma::accumulator, M, N, K, C> Sum;
    static Memory a[2][M * (K + 3)], b[2][N * (K + 3) + K * (N + 3)];
    static C c[2][M * N], d[2][M * N];
    constexpr bool rows_a = std::is_same<A, wmma::row_major>::value, rows_b = std::is_same<B, wmma::row_major>::value;
    constexpr int leading_a = rows_a ? K + 1 : M, leading_b = rows_b ? N + 1 : K;
    whole<Left, cudamigrate::detail::place<wmma::matrix_a, M, N, K, T>>(M, K, name);
    whole<Right, cudamigrate::detail::place<wmma::matrix_b, M, N, K, T>>(K, N, name);
    whole<Sum, cudamigrate::detail::place<wmma::accumulator, M, N, K, C>>(M, N, name);
    for (int trial = 0; trial < 2 * count; ++trial) {
        const int lanes = trial % 2 ? 64 : 32;
        for (auto &warp : a) for (auto &one : warp) one = Number<Memory>::of(static_cast<int>(draw() % 100));
        for (auto &warp : b) for (auto &one : warp) one = Number<Memory>::of(static_cast<int>(draw() % 100));
        for (auto &warp : c) for (auto &one : warp) one = Number<C>::of(static_cast<int>(draw() % 100));
        wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
            const int warp = wavefront::lane() / 32;
            Left left;
            Right right;
            Sum third, sum;
            wmma::load_matrix_sync(left, a[warp], leading_a);
            wmma::load_matrix_sync(right, b[warp], leading_b);
            wmma::load_matrix_sync(third, c[warp], M, wmma::mem_col_major);
            wmma::mma_sync(sum, left, right, third);
            wmma::store_matrix_sync(d[warp], sum, N, wmma::mem_row_major);
        });
        for (int at = 0; at < lanes / 32 * M * N; ++at) {
            const int warp = at / (M * N), row = at / N % M, column = at % N;
            double want = Number<C>::value(c[warp][column * M + row]);
            for (int k = 0; k < K; ++k) {
                want += Number<Memory>::value(a[warp][rows_a ? row * leading_a + k : k * leading_a + row]) *
                        Number<Memory>::value(b[warp][rows_b ? k * leading_b + column : column * leading_b + k]);
            }
            const double got = Number<C>::value(d[warp][row * N + column]);
            const double off = sizeof(C) == 2 ? want * 0x1p-11 : 0.0;
            if (std::fabs(got - want) <= off && Left::num_elements == elements_a) continue;
            std::printf("WRONG %s: wavefront of %d, row %d, column %d\n", name, lanes, row, column);
            std::exit(1);
        }
    }
    std::printf("%s: %d\n", name, count);
}

void takes_fragments_of_a_project() {
    wmma::fragment<wmma::accumulator, 16, 8, 16, float> sum;
    wmma::fill_fragment(sum, 2);
    scale(sum, 1.5f);  // found by the namespace of what it takes
    cudamigrate::wmma::scale(sum, 2.0f);
    if (sum.num_elements == 4 && sum.num_storage_elements == 4 && sum.x[0] == 6.0f && sum.x[3] == 6.0f) return;
    std::printf("WRONG: a fragment of the project's\n");
    std::exit(1);
}

}  // namespace

#define TEST(m, n, k, type, memory, sum, a, b, elements) \
    test<m, n, k, type, memory, sum, wmma::a##_major, wmma::b##_major>(#m "x" #n "x" #k " " #type " " #sum " " #a " " #b, elements);

int main(int, char **argv) {
    count = std::atoi(argv[1]);
    places_are_those_of_a_gpu();
    takes_fragments_of_a_project();
    TEST(16, 16, 16, __half, __half, float, row, col, 16)
    TEST(16, 16, 16, __half, __half, float, col, row, 16)
    TEST(16, 16, 16, __half, __half, __half, row, row, 16)
    TEST(32, 8, 16, __half, __half, float, row, col, 16)
    TEST(8, 32, 16, __half, __half, __half, col, col, 16)
    TEST(16, 16, 16, brain, brain, float, row, col, 8)
    TEST(32, 8, 16, brain, brain, float, col, row, 16)
    TEST(8, 32, 16, brain, brain, float, row, row, 4)
    TEST(16, 16, 16, signed char, signed char, int, row, col, 8)
    TEST(32, 8, 16, unsigned char, unsigned char, int, row, row, 16)
    TEST(8, 32, 16, signed char, signed char, int, col, col, 4)
    TEST(16, 16, 8, wmma::precision::tf32, float, float, row, col, 4)
    TEST(16, 16, 8, wmma::precision::tf32, float, float, col, row, 4)
    TEST(8, 8, 4, double, double, double, row, col, 1)
    TEST(8, 8, 4, double, double, double, col, row, 1)
}
