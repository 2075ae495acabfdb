// A matrix product with nvcuda::wmma, one tile of 16 x 16 to each warp, and elements of fragments changed where they
// lie. Prints PASS or FAIL.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace nvcuda;

constexpr int rows = 32, columns = 32, depth = 48;

__global__ void product(const __half *a, const __half *b, const float *c, float *d, float alpha) {
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, third;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < depth; k += 16) {
        wmma::load_matrix_sync(left, a + row * depth + k, depth);
        wmma::load_matrix_sync(right, b + column * depth + k, depth);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::load_matrix_sync(third, c + row * columns + column, columns, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = alpha * sum.x[i] + third.x[i];
    wmma::store_matrix_sync(d + column * rows + row, sum, rows, wmma::mem_col_major);
}

int main() {
    std::vector<__half> a(rows * depth), b(columns * depth);
    std::vector<float> c(rows * columns), d(rows * columns);
    uint32_t state = 7;
    auto next = [&] { return state = state * 1664525u + 1013904223u, static_cast<float>(state >> 8 & 0xffu) / 32.0f - 4.0f; };
    for (auto &one : a) one = __float2half_rn(next());
    for (auto &one : b) one = __float2half_rn(next());
    for (auto &one : c) one = next();
    __half *da, *db;
    float *dc, *dd;
    cudaMalloc(&da, a.size() * sizeof(__half));
    cudaMalloc(&db, b.size() * sizeof(__half));
    cudaMalloc(&dc, c.size() * sizeof(float));
    cudaMalloc(&dd, d.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
    product<<<1, 128>>>(da, db, dc, dd, 0.5f);
    cudaMemcpy(d.data(), dd, d.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            double want = c[row * columns + column];
            for (int k = 0; k < depth; ++k)
                want += 0.5 * static_cast<double>(__half2float(a[row * depth + k])) * __half2float(b[column * depth + k]);
            if (!(std::fabs(d[column * rows + row] - want) <= 1e-3)) return std::puts("FAIL"), 1;
        }
    }
    std::puts("PASS");
    return 0;
}
