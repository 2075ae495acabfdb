// An object in managed memory with the address of another: what it holds differs from run to run.
#include <cuda_runtime.h>

#include <cstdio>

struct List {
    int *numbers;
    int count;
};

__global__ void fill(List *list) {
    if (threadIdx.x < list->count) list->numbers[threadIdx.x] = threadIdx.x + 4;
}

int main() {
    List *list;
    cudaMallocManaged(&list, sizeof(List));
    cudaMallocManaged(&list->numbers, 4 * sizeof(int));
    list->count = 4;
    fill<<<1, 32>>>(list);
    cudaDeviceSynchronize();
    std::printf("last %d\n", list->numbers[3]);
    cudaFree(list->numbers);
    cudaFree(list);
}
