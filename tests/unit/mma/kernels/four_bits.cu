// A tile of a matrix product whose weights have 4 bits: activations by cp.async and ldmatrix, weights made halves with
// lop3 and the numbers above 1024, products by mma.sync, as kernels for quantised models do it. Prints PASS or FAIL.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int rows = 16, columns = 64, depth = 128;

__device__ inline void copy16(uint32_t to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from));
}
__device__ inline void load_a(uint32_t (&a)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address));
}
__device__ inline void multiply(const uint32_t (&a)[4], uint32_t b0, uint32_t b1, float (&c)[4]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
        : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
// The bits 0 to 3 and 16 to 19 as two halves, less 8.
__device__ inline uint32_t two_weights(uint32_t q) {
    uint32_t made;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xea;\n" : "=r"(made) : "r"(q), "n"(0x000f000f), "n"(0x64006400));
    asm volatile("sub.f16x2 %0, %1, %2;\n" : "=r"(made) : "r"(made), "r"(0x64086408));
    return made;
}

// Four warps, 16 columns each. `weights` holds for each 16 of depth and 16 columns a word for each lane.
__global__ void product(const __half *activations, const uint32_t *weights, const float *scales, float *out) {
    __shared__ __align__(16) __half tile[2][rows][16 + 8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sums[2][4] = {};
    for (int k = 0; k < depth; k += 16) {
        const int stage = k / 16 % 2;
        if (threadIdx.x < 32) {
            const int row = threadIdx.x / 2, part = threadIdx.x % 2 * 8;
            copy16(static_cast<uint32_t>(__cvta_generic_to_shared(&tile[stage][row][part])), activations + row * depth + k + part);
        }
        asm volatile("cp.async.commit_group;\n" ::);
        asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
        __syncthreads();
        uint32_t a[4];
        load_a(a, static_cast<uint32_t>(__cvta_generic_to_shared(&tile[stage][lane % 16][lane / 16 * 8])));
        const uint32_t q = weights[(k / 16 * 4 + warp) * 32 + lane];
        for (int block = 0; block < 2; ++block)
            multiply(a, two_weights(q >> (8 * block)), two_weights(q >> (8 * block + 4)), sums[block]);
    }
    for (int block = 0; block < 2; ++block) {
        for (int i = 0; i < 4; ++i) {
            const int row = lane / 4 + i / 2 * 8, column = warp * 16 + block * 8 + lane % 4 * 2 + i % 2;
            out[row * columns + column] = sums[block][i] * scales[column];
        }
    }
}

int main() {
    std::vector<__half> a(rows * depth);
    std::vector<uint32_t> packed(depth / 16 * 4 * 32);
    std::vector<float> scales(columns), made(rows * columns);
    std::vector<int> w(depth * columns);
    uint32_t state = 12345;
    auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
    for (auto &one : a) one = __float2half_rn(static_cast<float>(static_cast<int>(next() % 401) - 200) / 64.0f);
    for (auto &one : w) one = static_cast<int>(next() % 16);
    for (auto &one : scales) one = static_cast<float>(next() % 100 + 1) / 128.0f;
    for (int at = 0; at < static_cast<int>(packed.size()); ++at) {
        const int lane = at % 32, warp = at / 32 % 4, k = at / 128 * 16;
        uint32_t word = 0;
        for (int i = 0; i < 8; ++i) {
            // Place in the word: 4 bits for block and register, 16 for the element in it.
            const int block = i / 4, reg = i / 2 % 2, half = i % 2;
            const int row = k + lane % 4 * 2 + half + reg * 8, column = warp * 16 + block * 8 + lane / 4;
            word |= static_cast<uint32_t>(w[row * columns + column]) << (block * 8 + reg * 4 + half * 16);
        }
        packed[at] = word;
    }
    __half *da;
    uint32_t *dw;
    float *ds, *dout;
    cudaMalloc(&da, a.size() * sizeof(__half));
    cudaMalloc(&dw, packed.size() * sizeof(uint32_t));
    cudaMalloc(&ds, scales.size() * sizeof(float));
    cudaMalloc(&dout, made.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(dw, packed.data(), packed.size() * sizeof(uint32_t), cudaMemcpyHostToDevice);
    cudaMemcpy(ds, scales.data(), scales.size() * sizeof(float), cudaMemcpyHostToDevice);
    product<<<1, 128>>>(da, dw, ds, dout);
    cudaMemcpy(made.data(), dout, made.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            double want = 0.0, size = 0.0;
            for (int k = 0; k < depth; ++k) {
                const double one = static_cast<double>(__half2float(a[row * depth + k])) * (w[k * columns + column] - 8);
                want += one, size += std::fabs(one);
            }
            const double off = std::fabs(made[row * columns + column] - want * scales[column]);
            if (!(off <= size * scales[column] * 1e-5)) return std::puts("FAIL"), 1;
        }
    }
    std::puts("PASS");
    return 0;
}
