// CUDA's functions with a mask wait for the lanes that it names: one kernel where they come, and one where they do not.
#include <cuda_runtime.h>

#include <cstring>

__global__ void present(int *d) {
    if (threadIdx.x < 16) d[threadIdx.x] = __shfl_sync(0xffff, d[threadIdx.x], 0);
    __syncthreads();
}
__global__ void absent(int *d) {
    if (threadIdx.x < 16) d[threadIdx.x] = __shfl_sync(0xfffff, d[threadIdx.x], 0);
    __syncthreads();
}

int main(int, char **words) {
    int *device;
    cudaMalloc(&device, 32 * sizeof(int));
    cudaMemset(device, 0, 32 * sizeof(int));
    if (std::strcmp(words[1], "absent") == 0) absent<<<1, 32>>>(device);
    else present<<<1, 32>>>(device);
}
