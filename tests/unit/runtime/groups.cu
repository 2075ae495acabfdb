// Sums, ranks and copies by cooperative groups in blocks of two dimensions. Checks its own results: prints PASS or FAIL.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kThreads = 16 * 12;
constexpr int kKeys = 5;

struct Results {
    int sums[kThreads], before[kThreads], most[kThreads], copied[kThreads], piped[kThreads];
    int keyed[kKeys], groups, slots[kThreads], count, largest, calls;
};

__device__ int aggregated(int *count) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(active.size()));
    return active.shfl(first, 0) + static_cast<int>(active.thread_rank());
}

__global__ void collect(Results *out, const int *in) {
    __shared__ int copy[kThreads];
    __shared__ int pipe[kThreads];
    cg::thread_block block = cg::this_thread_block();
    const int self = static_cast<int>(block.thread_rank());
    cg::memcpy_async(block, copy, in, sizeof(int) * kThreads);
    __pipeline_memcpy_async(&pipe[self], &in[self], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    cg::wait(block);
    out->copied[self] = copy[kThreads - 1 - self];
    out->piped[self] = pipe[kThreads - 1 - self];

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int value = in[self];
    out->sums[self] = cg::reduce(warp, value, cg::plus<int>());
    out->most[self] = cg::reduce(cg::tiled_partition<8>(block), value, cg::greater<int>());
    out->before[self] = cg::exclusive_scan(warp, value);

    auto peers = cg::labeled_partition(warp, value % kKeys);
    const int sum = cg::reduce(peers, value, cg::plus<int>());
    if (peers.thread_rank() == 0) {
        atomicAdd(&out->keyed[value % kKeys], sum);
        atomicAdd(&out->groups, 1);
    }
    auto odd = cg::binary_partition(warp, value % 2 != 0);
    atomicMax(&out->largest, static_cast<int>(odd.size()));
    if (value % 3 == 0) out->slots[aggregated(&out->count)] = value;
    cg::invoke_one(warp, [=] { atomicAdd(&out->calls, 1); });
}

int main() {
    std::vector<int> in(kThreads);
    for (int i = 0; i < kThreads; ++i) in[i] = (i * 37 + 11) % 101;
    Results wanted = {}, got = {};
    for (int first = 0; first < kThreads; first += 32) {
        int sum = 0, odd = 0;
        bool seen[kKeys] = {};
        for (int i = first; i < first + 32; ++i) {
            wanted.before[i] = sum;
            sum += in[i];
            odd += in[i] % 2;
            seen[in[i] % kKeys] = true;
        }
        for (int i = first; i < first + 32; ++i) wanted.sums[i] = sum;
        for (bool key : seen) wanted.groups += key;
        if (wanted.largest < odd) wanted.largest = odd;
        if (wanted.largest < 32 - odd) wanted.largest = 32 - odd;
    }
    int multiples = 0;
    for (int i = 0; i < kThreads; ++i) {
        wanted.keyed[in[i] % kKeys] += in[i];
        wanted.copied[i] = wanted.piped[i] = in[kThreads - 1 - i];
        for (int j = i / 8 * 8; j < i / 8 * 8 + 8; ++j) {
            if (wanted.most[i] < in[j]) wanted.most[i] = in[j];
        }
        if (in[i] % 3 == 0) {
            wanted.count += 1;
            multiples += in[i];
        }
    }
    int *numbers = nullptr;
    Results *results = nullptr;
    cudaMalloc(&numbers, sizeof(int) * kThreads);
    cudaMalloc(&results, sizeof(Results));
    cudaMemcpy(numbers, in.data(), sizeof(int) * kThreads, cudaMemcpyHostToDevice);
    cudaMemset(results, 0, sizeof(Results));
    collect<<<1, dim3(16, 12)>>>(results, numbers);
    cudaMemcpy(&got, results, sizeof(Results), cudaMemcpyDeviceToHost);
    bool right = got.count == wanted.count && got.groups == wanted.groups && got.largest == wanted.largest;
    right = right && got.calls == kThreads / 32;
    for (int i = 0; i < kThreads; ++i) {
        right = right && got.sums[i] == wanted.sums[i] && got.before[i] == wanted.before[i];
        right = right && got.most[i] == wanted.most[i] && got.copied[i] == wanted.copied[i];
        right = right && got.piped[i] == wanted.piped[i];
        multiples -= got.slots[i];
    }
    for (int key = 0; key < kKeys; ++key) right = right && got.keyed[key] == wanted.keyed[key];
    std::printf("%s\n", right && multiples == 0 ? "PASS" : "FAIL");
    return right && multiples == 0 ? 0 : 1;
}
