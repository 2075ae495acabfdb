// Every form of cudamigrate_mma.h in two kernels, by matrix cores and by lanes, so that their instructions can be counted.
#include "elements.h"

#define JOIN(a, b) a##b
#define NAMED(name, line) JOIN(name, line)
#define GIVEN(rows, depth, left, right)                                                                             \
    const cudamigrate::Registers<cudamigrate::left::word, rows * depth / 32 / cudamigrate::left::count> *a,        \
        const cudamigrate::Registers<cudamigrate::right::word, depth / 4 / cudamigrate::right::count> *b
#define SUM(sum) cudamigrate::detail::result<sum>::number
#define FORM(rows, depth, left, right, sum, saturate)                                                               \
    __global__ void NAMED(cores_, __LINE__)(GIVEN(rows, depth, left, right), SUM(sum) * c) {                        \
        using namespace cudamigrate::detail;                                                                        \
        const auto x = a[threadIdx.x];                                                                              \
        const auto y = b[threadIdx.x];                                                                              \
        CORES(rows, depth, left, right)(x.value, y.value, c + threadIdx.x * (rows / 4));                            \
    }                                                                                                               \
    __global__ void NAMED(lanes_, __LINE__)(GIVEN(rows, depth, left, right), SUM(sum) * c) {                        \
        const auto x = a[threadIdx.x];                                                                              \
        const auto y = b[threadIdx.x];                                                                              \
        SUM(sum) sums[rows / 4] = {};                                                                               \
        cudamigrate::detail::multiply_by_lanes<cudamigrate::left, cudamigrate::right, rows / 8,                     \
                                               depth / 4 / cudamigrate::right::count>(x.value, y.value, sums);      \
        for (int i = 0; i < rows / 4; ++i) c[threadIdx.x * (rows / 4) + i] = sums[i];                               \
    }                                                                                                               \
    __global__ void NAMED(none_, __LINE__)(GIVEN(rows, depth, left, right), SUM(sum) * c) {                         \
        const auto x = a[threadIdx.x];                                                                              \
        const auto y = b[threadIdx.x];                                                                              \
        for (int i = 0; i < rows / 4; ++i)                                                                          \
            c[threadIdx.x * (rows / 4) + i] =                                                                       \
                static_cast<SUM(sum)>(x.value[i % (sizeof(x) / sizeof(x.value[0]))]) +                              \
                static_cast<SUM(sum)>(y.value[i % (sizeof(y) / sizeof(y.value[0]))]);                               \
    }
#if CUDAMIGRATE_MFMA
template <typename A, typename B, int Rows, int Words, bool Here>
struct made_by_cores {
    template <typename Number>
    __device__ static void run(const typename A::word *a, const typename B::word *b, Number *sums) {
        cudamigrate::detail::rows_of<A, B, Rows, Words>::run(a, b, sums);
    }
};
template <typename A, typename B, int Rows, int Words>
struct made_by_cores<A, B, Rows, Words, false> {
    template <typename Number>
    __device__ static void run(const typename A::word *, const typename B::word *, Number *) {}
};
#define CORES(rows, depth, left, right)                                                                                      \
    made_by_cores<cudamigrate::left, cudamigrate::right, rows / 8, depth / 4 / cudamigrate::right::count,                    \
                  cudamigrate::detail::core_words<cudamigrate::left>::times != 0>::run
#else
#define CORES(rows, depth, left, right) \
    (void)cudamigrate::detail::multiply_by_cores<cudamigrate::left, cudamigrate::right, rows / 8, depth / 4 / cudamigrate::right::count>
#endif
#include "forms.inc"
