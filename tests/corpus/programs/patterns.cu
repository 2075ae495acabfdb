// What each lane gets in well-known patterns over warps, so that a repair undone is seen: searches, compactions,
// exchanges beyond the warp's end, sums of a block, leaders, and halves of a warp.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void next_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int value = t * 3;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 1);
}
__global__ void beyond_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int value = t * 3;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 37);
}
__global__ void last_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int value = t * 3;
    out[i] = value - __shfl_sync(0xffffffffu, value, 31);
}
__global__ void shifted_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int value = t * 3;
    const int below = __shfl_up_sync(0xffffffffu, value, 5);
    out[i] = lane < 5 ? value : below;
    if (lane < 5) out[i] += __shfl_sync(0x1fu, value, 4 - lane);
}
__global__ void ahead_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int value = t * 3;
    out[i] = value + __shfl_down_sync(0xffffffffu, value, 9);
}
__global__ void next_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const float value = t * 0.5f;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 1);
}
__global__ void beyond_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const float value = t * 0.5f;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 37);
}
__global__ void last_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const float value = t * 0.5f;
    out[i] = value - __shfl_sync(0xffffffffu, value, 31);
}
__global__ void shifted_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const float value = t * 0.5f;
    const float below = __shfl_up_sync(0xffffffffu, value, 5);
    out[i] = lane < 5 ? value : below;
    if (lane < 5) out[i] += __shfl_sync(0x1fu, value, 4 - lane);
}
__global__ void ahead_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const float value = t * 0.5f;
    out[i] = value + __shfl_down_sync(0xffffffffu, value, 9);
}
__global__ void next_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const long long value = t * 10000000000ll;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 1);
}
__global__ void beyond_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const long long value = t * 10000000000ll;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 37);
}
__global__ void last_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const long long value = t * 10000000000ll;
    out[i] = value - __shfl_sync(0xffffffffu, value, 31);
}
__global__ void shifted_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const long long value = t * 10000000000ll;
    const long long below = __shfl_up_sync(0xffffffffu, value, 5);
    out[i] = lane < 5 ? value : below;
    if (lane < 5) out[i] += __shfl_sync(0x1fu, value, 4 - lane);
}
__global__ void ahead_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const long long value = t * 10000000000ll;
    out[i] = value + __shfl_down_sync(0xffffffffu, value, 9);
}
__global__ void next_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int value = t + 7u;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 1);
}
__global__ void beyond_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int value = t + 7u;
    out[i] = __shfl_sync(0xffffffffu, value, lane + 37);
}
__global__ void last_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int value = t + 7u;
    out[i] = value - __shfl_sync(0xffffffffu, value, 31);
}
__global__ void shifted_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int value = t + 7u;
    const unsigned int below = __shfl_up_sync(0xffffffffu, value, 5);
    out[i] = lane < 5 ? value : below;
    if (lane < 5) out[i] += __shfl_sync(0x1fu, value, 4 - lane);
}
__global__ void ahead_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int value = t + 7u;
    out[i] = value + __shfl_down_sync(0xffffffffu, value, 9);
}
__global__ void compact_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool stays = t % 5 == 2;
    const unsigned int set = __ballot_sync(0xffffffffu, stays);
    out[i] = stays ? __popc(set & ((1u << lane) - 1u)) : -1 - __popc(set);
}
__global__ void latest_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool marked = t % 5 == 2;
    const unsigned int set = __ballot_sync(0xffffffffu, marked);
    out[i] = set == 0 ? -1 : 31 - __clz(set);
}
__global__ void share_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int count = __popc(__ballot_sync(0xffffffffu, t % 5 == 2));
    out[i] = count * 100 / 32;
}
__global__ void both_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    out[i] = __any_sync(0xffffffffu, t / 32 % 2 == 1) + 2 * __all_sync(0xffffffffu, !(t / 32 % 2 == 1));
}
__global__ void compact_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool stays = t % 64 > 20;
    const unsigned int set = __ballot_sync(0xffffffffu, stays);
    out[i] = stays ? __popc(set & ((1u << lane) - 1u)) : -1 - __popc(set);
}
__global__ void latest_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool marked = t % 64 < 20;
    const unsigned int set = __ballot_sync(0xffffffffu, marked);
    out[i] = set == 0 ? -1 : 31 - __clz(set);
}
__global__ void share_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int count = __popc(__ballot_sync(0xffffffffu, t % 64 > 20));
    out[i] = count * 100 / 32;
}
__global__ void both_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    out[i] = __any_sync(0xffffffffu, t % 64 > 40) + 2 * __all_sync(0xffffffffu, !(t % 64 > 40));
}
__global__ void compact_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool stays = t < 40;
    const unsigned int set = __ballot_sync(0xffffffffu, stays);
    out[i] = stays ? __popc(set & ((1u << lane) - 1u)) : -1 - __popc(set);
}
__global__ void latest_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool marked = t < 40;
    const unsigned int set = __ballot_sync(0xffffffffu, marked);
    out[i] = set == 0 ? -1 : 31 - __clz(set);
}
__global__ void share_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int count = __popc(__ballot_sync(0xffffffffu, t < 40));
    out[i] = count * 100 / 32;
}
__global__ void both_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    out[i] = __any_sync(0xffffffffu, t < 20) + 2 * __all_sync(0xffffffffu, !(t < 20));
}
__global__ void compact_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool stays = (t * 7) % 11 > 6;
    const unsigned int set = __ballot_sync(0xffffffffu, stays);
    out[i] = stays ? __popc(set & ((1u << lane) - 1u)) : -1 - __popc(set);
}
__global__ void latest_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool marked = (t * 7) % 11 > 6;
    const unsigned int set = __ballot_sync(0xffffffffu, marked);
    out[i] = set == 0 ? -1 : 31 - __clz(set);
}
__global__ void share_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int count = __popc(__ballot_sync(0xffffffffu, (t * 7) % 11 > 6));
    out[i] = count * 100 / 32;
}
__global__ void both_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    out[i] = __any_sync(0xffffffffu, t == 77) + 2 * __all_sync(0xffffffffu, !(t == 77));
}
__global__ void compact_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool stays = t / 3 % 2 == 1;
    const unsigned int set = __ballot_sync(0xffffffffu, stays);
    out[i] = stays ? __popc(set & ((1u << lane) - 1u)) : -1 - __popc(set);
}
__global__ void latest_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const bool marked = t / 3 % 2 == 1;
    const unsigned int set = __ballot_sync(0xffffffffu, marked);
    out[i] = set == 0 ? -1 : 31 - __clz(set);
}
__global__ void share_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const int count = __popc(__ballot_sync(0xffffffffu, t / 3 % 2 == 1));
    out[i] = count * 100 / 32;
}
__global__ void both_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    out[i] = __any_sync(0xffffffffu, t % 64 < 3) + 2 * __all_sync(0xffffffffu, !(t % 64 < 3));
}
__global__ void same_key_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t / 9);
    out[i] = (__ffs(peers) - 1) * 64 + __popc(peers);
}
__global__ void rank_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t / 9);
    out[i] = __popc(peers & ((1u << lane) - 1u));
}
__global__ void same_key_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t % 6);
    out[i] = (__ffs(peers) - 1) * 64 + __popc(peers);
}
__global__ void rank_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t % 6);
    out[i] = __popc(peers & ((1u << lane) - 1u));
}
__global__ void same_key_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t * t % 13);
    out[i] = (__ffs(peers) - 1) * 64 + __popc(peers);
}
__global__ void rank_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int peers = __match_any_sync(0xffffffffu, t * t % 13);
    out[i] = __popc(peers & ((1u << lane) - 1u));
}
__global__ void tree_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 37 % 101;
    for (int apart = 16; apart > 0; apart >>= 1) {
        const int b = __shfl_down_sync(0xffffffffu, a, apart);
        a = a > b ? a : b;
    }
    out[i] = __shfl_sync(0xffffffffu, a, 0);
}
__global__ void running_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 37 % 101;
    for (int apart = 1; apart < 32; apart <<= 1) {
        const int b = __shfl_up_sync(0xffffffffu, a, apart);
        a = a > b ? a : b;
    }
    out[i] = a;
}
__global__ void tree_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 37 % 101;
    for (int apart = 16; apart > 0; apart >>= 1) {
        const int b = __shfl_down_sync(0xffffffffu, a, apart);
        a = a < b ? a : b;
    }
    out[i] = __shfl_sync(0xffffffffu, a, 0);
}
__global__ void running_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 37 % 101;
    for (int apart = 1; apart < 32; apart <<= 1) {
        const int b = __shfl_up_sync(0xffffffffu, a, apart);
        a = a < b ? a : b;
    }
    out[i] = a;
}
__global__ void tree_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t;
    for (int apart = 16; apart > 0; apart >>= 1) {
        const int b = __shfl_down_sync(0xffffffffu, a, apart);
        a = a + b;
    }
    out[i] = __shfl_sync(0xffffffffu, a, 0);
}
__global__ void running_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t;
    for (int apart = 1; apart < 32; apart <<= 1) {
        const int b = __shfl_up_sync(0xffffffffu, a, apart);
        a = a + b;
    }
    out[i] = a;
}
__global__ void tree_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = 1 << t % 20;
    for (int apart = 16; apart > 0; apart >>= 1) {
        const int b = __shfl_down_sync(0xffffffffu, a, apart);
        a = a | b;
    }
    out[i] = __shfl_sync(0xffffffffu, a, 0);
}
__global__ void running_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = 1 << t % 20;
    for (int apart = 1; apart < 32; apart <<= 1) {
        const int b = __shfl_up_sync(0xffffffffu, a, apart);
        a = a | b;
    }
    out[i] = a;
}
__global__ void tree_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 3;
    for (int apart = 16; apart > 0; apart >>= 1) {
        const int b = __shfl_down_sync(0xffffffffu, a, apart);
        a = a ^ b;
    }
    out[i] = __shfl_sync(0xffffffffu, a, 0);
}
__global__ void running_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int a = t * 3;
    for (int apart = 1; apart < 32; apart <<= 1) {
        const int b = __shfl_up_sync(0xffffffffu, a, apart);
        a = a ^ b;
    }
    out[i] = a;
}
__global__ void block_sum(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    __shared__ int part[32];
    int value = t;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    const int own = value;
    if (lane == 0) part[t / 32] = value;
    __syncthreads();
    value = t < blockDim.x / 32 ? part[lane] : 0;
    if (t < 32) {
        for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    }
    const int first = value;
    if (t == 0) part[0] = value;
    __syncthreads();
    out[i] = part[0] + 3 * own + 5 * first;
}
__global__ void chosen(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    const unsigned int active = __activemask();
    const int leader = __ffs(active) - 1;
    int base = 0;
    if (lane == leader) base = 1000 + t;
    base = __shfl_sync(active, base, leader);
    out[i] = base + __popc(active & ((1u << lane) - 1u));
}
__global__ void halves(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    int value = t;
    if (lane < 16) {
        value += __shfl_sync(0x0000ffffu, value, 3);
    } else {
        value -= __shfl_sync(0xffff0000u, value, 20);
    }
    out[i] = value;
}

template <typename T> void show(const char *name, void (*kernel)(T *)) {
    constexpr int count = 256;
    T host[count], *out;
    cudaMalloc(&out, sizeof(host));
    cudaMemset(out, 0, sizeof(host));
    kernel<<<2, 128>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int at = 0; at < count; ++at) sum += static_cast<double>(host[at]) * (at % 7 + 1);
    std::printf("%s %.9g\n", name, sum);
    cudaFree(out);
}

int main() {
    show("next_int", next_int);
    show("beyond_int", beyond_int);
    show("last_int", last_int);
    show("shifted_int", shifted_int);
    show("ahead_int", ahead_int);
    show("next_float", next_float);
    show("beyond_float", beyond_float);
    show("last_float", last_float);
    show("shifted_float", shifted_float);
    show("ahead_float", ahead_float);
    show("next_wide", next_wide);
    show("beyond_wide", beyond_wide);
    show("last_wide", last_wide);
    show("shifted_wide", shifted_wide);
    show("ahead_wide", ahead_wide);
    show("next_uint", next_uint);
    show("beyond_uint", beyond_uint);
    show("last_uint", last_uint);
    show("shifted_uint", shifted_uint);
    show("ahead_uint", ahead_uint);
    show("compact_0", compact_0);
    show("latest_0", latest_0);
    show("share_0", share_0);
    show("both_0", both_0);
    show("compact_1", compact_1);
    show("latest_1", latest_1);
    show("share_1", share_1);
    show("both_1", both_1);
    show("compact_2", compact_2);
    show("latest_2", latest_2);
    show("share_2", share_2);
    show("both_2", both_2);
    show("compact_3", compact_3);
    show("latest_3", latest_3);
    show("share_3", share_3);
    show("both_3", both_3);
    show("compact_4", compact_4);
    show("latest_4", latest_4);
    show("share_4", share_4);
    show("both_4", both_4);
    show("same_key_0", same_key_0);
    show("rank_0", rank_0);
    show("same_key_1", same_key_1);
    show("rank_1", rank_1);
    show("same_key_2", same_key_2);
    show("rank_2", rank_2);
    show("tree_0", tree_0);
    show("running_0", running_0);
    show("tree_1", tree_1);
    show("running_1", running_1);
    show("tree_2", tree_2);
    show("running_2", running_2);
    show("tree_3", tree_3);
    show("running_3", running_3);
    show("tree_4", tree_4);
    show("running_4", running_4);
    show("block_sum", block_sum);
    show("chosen", chosen);
    show("halves", halves);
}
