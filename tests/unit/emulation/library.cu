// Blocks, warps and devices by CUB, whose answers a program of the host knows; and random numbers, which repeat.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

__global__ void parts(const int *in, int *out) {
    typedef cub::BlockReduce<int, 128> Reduce;
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::WarpReduce<int> Warp;
    __shared__ typename Reduce::TempStorage reduce;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Warp::TempStorage warps[4];
    const int t = threadIdx.x;
    const int sum = Reduce(reduce).Sum(in[t]);
    int before;
    Scan(scan).ExclusiveSum(in[t], before);
    const int warp = Warp(warps[t / 32]).Sum(in[t]);
    const int nothing = min(0, warpSize) + static_cast<int>(max(warpSize, 1u) - min(warpSize, 99u) + max(-1, warpSize)) - warpSize;
    out[t] = before + (t == 0 ? sum : 0) + (t % 32 == 0 ? warp : 0) + nothing;
}

__global__ void drawn(float *out, unsigned long long seed) {
    curandState state;
    curand_init(seed, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand_uniform(&state) + curand_normal(&state);
}

int main() {
    int host[128], *in, *out;
    void *workspace = nullptr;
    size_t bytes = 0;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    parts<<<1, 128>>>(in, out);
    cub::DeviceScan::InclusiveSum(workspace, bytes, out, in, 128);
    cudaMalloc(&workspace, bytes);
    cub::DeviceScan::InclusiveSum(workspace, bytes, out, in, 128);
    cudaMemcpy(host, in, sizeof(host), cudaMemcpyDeviceToHost);
    int wanted = 128 * 127 / 2, wrong = 0;
    for (int i = 0; i < 128; ++i) {
        wanted += i * (i - 1) / 2;
        for (int j = i; i % 32 == 0 && j < i + 32; ++j) wanted += j;
        wrong += host[i] != wanted;
    }
    float *numbers, first[128], again[128];
    cudaMalloc(&numbers, sizeof(first));
    drawn<<<1, 128>>>(numbers, 7);
    cudaMemcpy(first, numbers, sizeof(first), cudaMemcpyDeviceToHost);
    drawn<<<1, 128>>>(numbers, 7);
    cudaMemcpy(again, numbers, sizeof(again), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) wrong += first[i] != again[i] || (i > 0 && first[i] == first[i - 1]);
    std::printf("%d wrong\n", wrong);
    return wrong;
}
