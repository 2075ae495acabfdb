// The inner loop of attention: scores by mma.sync, a softmax that goes on from block to block with shuffles in groups of
// four lanes, and the weighted sum of the values, whose fragments ldmatrix transposes. Prints PASS or FAIL.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int queries = 32, keys = 48, width = 32;

#define LDMATRIX_X4(r0, r1, r2, r3, address)                                             \
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"    \
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)                                \
                 : "r"(address))
#define LDMATRIX_X2(r0, r1, address) \
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(r0), "=r"(r1) : "r"(address))
#define LDMATRIX_X2_T(r0, r1, address) \
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(r0), "=r"(r1) : "r"(address))
#define MULTIPLY(d, a, b0, b1)                                                                       \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "               \
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"                                    \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                     \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))

__device__ inline uint32_t place(const __half *shared) { return static_cast<uint32_t>(__cvta_generic_to_shared(shared)); }
__device__ inline uint32_t halves(float low, float high) {
    uint32_t made;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(made) : "f"(high), "f"(low));
    return made;
}
__device__ inline float largest_of_four(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
    return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
}
__device__ inline float sum_of_four(float x) {
    x += __shfl_xor_sync(0xffffffff, x, 2);
    return x + __shfl_xor_sync(0xffffffff, x, 1);
}

// Two warps, 16 queries each; both go over all keys, 16 at a time.
__global__ void attention(const __half *q, const __half *k, const __half *v, float *out) {
    __shared__ __align__(16) __half sq[queries][width + 8], sk[keys][width + 8], sv[keys][width + 8];
    for (int at = threadIdx.x; at < keys * width; at += blockDim.x) {
        if (at < queries * width) sq[at / width][at % width] = q[at];
        sk[at / width][at % width] = k[at];
        sv[at / width][at % width] = v[at];
    }
    __syncthreads();
    const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16;
    uint32_t query[width / 16][4];
    for (int d = 0; d < width / 16; ++d)
        LDMATRIX_X4(query[d][0], query[d][1], query[d][2], query[d][3], place(&sq[first + lane % 16][d * 16 + lane / 16 * 8]));
    float most[2] = {-INFINITY, -INFINITY}, total[2] = {}, sums[width / 8][4] = {};
    for (int block = 0; block < keys; block += 16) {
        float score[2][4] = {};
        for (int n = 0; n < 2; ++n) {
            for (int d = 0; d < width / 16; ++d) {
                uint32_t b0, b1;
                LDMATRIX_X2(b0, b1, place(&sk[block + n * 8 + lane % 8][d * 16 + lane / 8 % 2 * 8]));
                MULTIPLY(score[n], query[d], b0, b1);
            }
        }
        for (int half = 0; half < 2; ++half) {
            const int i = 2 * half;
            const float top = largest_of_four(fmaxf(fmaxf(score[0][i], score[0][i + 1]), fmaxf(score[1][i], score[1][i + 1])));
            const float now = fmaxf(most[half], top), shrink = expf(most[half] - now);
            most[half] = now, total[half] *= shrink;
            for (int n = 0; n < 2; ++n) {
                for (int j = i; j < i + 2; ++j) score[n][j] = expf(score[n][j] - now), total[half] += score[n][j];
            }
            for (int w = 0; w < width / 8; ++w) sums[w][i] *= shrink, sums[w][i + 1] *= shrink;
        }
        const uint32_t weights[4] = {halves(score[0][0], score[0][1]), halves(score[0][2], score[0][3]),
                                     halves(score[1][0], score[1][1]), halves(score[1][2], score[1][3])};
        for (int w = 0; w < width / 8; ++w) {
            uint32_t b0, b1;
            LDMATRIX_X2_T(b0, b1, place(&sv[block + lane % 16][w * 8]));
            MULTIPLY(sums[w], weights, b0, b1);
        }
    }
    for (int half = 0; half < 2; ++half) total[half] = sum_of_four(total[half]);
    for (int w = 0; w < width / 8; ++w) {
        for (int i = 0; i < 4; ++i)
            out[(first + lane / 4 + i / 2 * 8) * width + w * 8 + lane % 4 * 2 + i % 2] = sums[w][i] / total[i / 2];
    }
}

int main() {
    std::vector<__half> q(queries * width), k(keys * width), v(keys * width);
    std::vector<float> made(queries * width);
    uint32_t state = 99;
    auto next = [&] { return state = state * 1664525u + 1013904223u, static_cast<float>(state >> 8 & 0xffffu) / 65536.0f - 0.5f; };
    for (auto *one : {&q, &k, &v}) for (auto &x : *one) x = __float2half_rn(next() * 2.0f);
    __half *dq, *dk, *dv;
    float *dout;
    cudaMalloc(&dq, q.size() * sizeof(__half));
    cudaMalloc(&dk, k.size() * sizeof(__half));
    cudaMalloc(&dv, v.size() * sizeof(__half));
    cudaMalloc(&dout, made.size() * sizeof(float));
    cudaMemcpy(dq, q.data(), q.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(dk, k.data(), k.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), v.size() * sizeof(__half), cudaMemcpyHostToDevice);
    attention<<<1, 64>>>(dq, dk, dv, dout);
    cudaMemcpy(made.data(), dout, made.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < queries; ++row) {
        std::vector<double> weight(keys);
        double all = 0.0;
        for (int key = 0; key < keys; ++key) {
            double score = 0.0;
            for (int d = 0; d < width; ++d)
                score += static_cast<double>(__half2float(q[row * width + d])) * __half2float(k[key * width + d]);
            all += weight[key] = std::exp(score);
        }
        for (int d = 0; d < width; ++d) {
            double want = 0.0;
            for (int key = 0; key < keys; ++key) want += weight[key] / all * __half2float(v[key * width + d]);
            if (!(std::fabs(made[row * width + d] - want) <= 2e-3)) return std::puts("FAIL"), 1;
        }
    }
    std::puts("PASS");
    return 0;
}
