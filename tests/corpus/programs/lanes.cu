// What each lane gets of each warp function, in kernels of one call or few, so that a repair undone is seen.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void broadcast_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int value = t;
    out[i] = __shfl_sync(0xffffffffu, value, 3);
}
__global__ void reverse_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int value = t;
    out[i] = __shfl_sync(0xffffffffu, value, 31 - t % 32);
}
__global__ void scan_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int value = t;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, value, apart);
        if (t % 32 >= apart) value += below;
    }
    out[i] = value + __shfl_sync(0xffffffffu, value, 31);
}
__global__ void after_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int value = t;
    out[i] = __shfl_down_sync(0xffffffffu, value, 1);
}
__global__ void before_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int value = t;
    out[i] = __shfl_up_sync(0xffffffffu, value, 2);
}
__global__ void total_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int value = t;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    value = __shfl_sync(0xffffffffu, value, 0);
    out[i] = value;
}
__global__ void largest_int(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int value = t;
    for (int apart = 16; apart > 0; apart /= 2) {
        const int other = __shfl_down_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
    out[i] = value;
}
__global__ void broadcast_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int value = t + 1u;
    out[i] = __shfl_sync(0xffffffffu, value, 7);
}
__global__ void reverse_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int value = t + 1u;
    out[i] = __shfl_sync(0xffffffffu, value, 31 - t % 32);
}
__global__ void scan_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned int value = t + 1u;
    for (int apart = 1; apart < 32; apart *= 2) {
        const unsigned int below = __shfl_up_sync(0xffffffffu, value, apart);
        if (t % 32 >= apart) value += below;
    }
    out[i] = value + __shfl_sync(0xffffffffu, value, 31);
}
__global__ void after_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int value = t + 1u;
    out[i] = __shfl_down_sync(0xffffffffu, value, 2);
}
__global__ void before_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int value = t + 1u;
    out[i] = __shfl_up_sync(0xffffffffu, value, 3);
}
__global__ void total_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned int value = t + 1u;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    value = __shfl_sync(0xffffffffu, value, 0);
    out[i] = value;
}
__global__ void largest_uint(unsigned int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned int value = t + 1u;
    for (int apart = 16; apart > 0; apart /= 2) {
        const unsigned int other = __shfl_down_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
    out[i] = value;
}
__global__ void broadcast_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const float value = 0.5f * t;
    out[i] = __shfl_sync(0xffffffffu, value, 11);
}
__global__ void reverse_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const float value = 0.5f * t;
    out[i] = __shfl_sync(0xffffffffu, value, 31 - t % 32);
}
__global__ void scan_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float value = 0.5f * t;
    for (int apart = 1; apart < 32; apart *= 2) {
        const float below = __shfl_up_sync(0xffffffffu, value, apart);
        if (t % 32 >= apart) value += below;
    }
    out[i] = value + __shfl_sync(0xffffffffu, value, 31);
}
__global__ void after_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const float value = 0.5f * t;
    out[i] = __shfl_down_sync(0xffffffffu, value, 3);
}
__global__ void before_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const float value = 0.5f * t;
    out[i] = __shfl_up_sync(0xffffffffu, value, 4);
}
__global__ void total_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float value = 0.5f * t;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    value = __shfl_sync(0xffffffffu, value, 0);
    out[i] = value;
}
__global__ void largest_float(float *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float value = 0.5f * t;
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = __shfl_down_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
    out[i] = value;
}
__global__ void broadcast_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const double value = 0.25 * t;
    out[i] = __shfl_sync(0xffffffffu, value, 15);
}
__global__ void reverse_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const double value = 0.25 * t;
    out[i] = __shfl_sync(0xffffffffu, value, 31 - t % 32);
}
__global__ void scan_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    double value = 0.25 * t;
    for (int apart = 1; apart < 32; apart *= 2) {
        const double below = __shfl_up_sync(0xffffffffu, value, apart);
        if (t % 32 >= apart) value += below;
    }
    out[i] = value + __shfl_sync(0xffffffffu, value, 31);
}
__global__ void after_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const double value = 0.25 * t;
    out[i] = __shfl_down_sync(0xffffffffu, value, 4);
}
__global__ void before_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const double value = 0.25 * t;
    out[i] = __shfl_up_sync(0xffffffffu, value, 5);
}
__global__ void total_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    double value = 0.25 * t;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    value = __shfl_sync(0xffffffffu, value, 0);
    out[i] = value;
}
__global__ void largest_double(double *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    double value = 0.25 * t;
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = __shfl_down_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
    out[i] = value;
}
__global__ void broadcast_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const long long value = 3LL * t;
    out[i] = __shfl_sync(0xffffffffu, value, 19);
}
__global__ void reverse_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const long long value = 3LL * t;
    out[i] = __shfl_sync(0xffffffffu, value, 31 - t % 32);
}
__global__ void scan_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    long long value = 3LL * t;
    for (int apart = 1; apart < 32; apart *= 2) {
        const long long below = __shfl_up_sync(0xffffffffu, value, apart);
        if (t % 32 >= apart) value += below;
    }
    out[i] = value + __shfl_sync(0xffffffffu, value, 31);
}
__global__ void after_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const long long value = 3LL * t;
    out[i] = __shfl_down_sync(0xffffffffu, value, 5);
}
__global__ void before_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const long long value = 3LL * t;
    out[i] = __shfl_up_sync(0xffffffffu, value, 6);
}
__global__ void total_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    long long value = 3LL * t;
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
    value = __shfl_sync(0xffffffffu, value, 0);
    out[i] = value;
}
__global__ void largest_wide(long long *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    long long value = 3LL * t;
    for (int apart = 16; apart > 0; apart /= 2) {
        const long long other = __shfl_down_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
    out[i] = value;
}
__global__ void vote_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, t % 3 == 0));
}
__global__ void count_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, t % 3 == 0));
}
__global__ void place_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, t % 3 == 0);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, t % 3 == 0));
}
__global__ void vote_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, t % 5 < 2));
}
__global__ void count_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, t % 5 < 2));
}
__global__ void place_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, t % 5 < 2);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, t % 5 < 2));
}
__global__ void vote_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, t > 40));
}
__global__ void count_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, t > 40));
}
__global__ void place_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, t > 40);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, t > 40));
}
__global__ void vote_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, t / 32 == 1));
}
__global__ void count_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, t / 32 == 1));
}
__global__ void place_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, t / 32 == 1);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, t / 32 == 1));
}
__global__ void vote_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, (t * 7) % 11 > 4));
}
__global__ void count_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, (t * 7) % 11 > 4));
}
__global__ void place_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, (t * 7) % 11 > 4);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, (t * 7) % 11 > 4));
}
__global__ void vote_5(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__ballot_sync(0xffffffffu, t % 3 == 2));
}
__global__ void count_5(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__ballot_sync(0xffffffffu, t % 3 == 2));
}
__global__ void place_5(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const unsigned int votes = __ballot_sync(0xffffffffu, t % 3 == 2);
    out[i] = __popc(votes & ((1u << (t % 32)) - 1u));
}
__global__ void first_5(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __ffs(__ballot_sync(0xffffffffu, t % 3 == 2));
}
__global__ void any_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __any_sync(0xffffffffu, t < 32);
}
__global__ void all_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __all_sync(0xffffffffu, !(t < 32));
}
__global__ void any_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __any_sync(0xffffffffu, t >= 96);
}
__global__ void all_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __all_sync(0xffffffffu, !(t >= 96));
}
__global__ void any_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __any_sync(0xffffffffu, t == 40);
}
__global__ void all_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __all_sync(0xffffffffu, !(t == 40));
}
__global__ void any_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __any_sync(0xffffffffu, t % 64 == 33);
}
__global__ void all_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __all_sync(0xffffffffu, !(t % 64 == 33));
}
__global__ void alike_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__match_any_sync(0xffffffffu, t % 5));
}
__global__ void peers_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__match_any_sync(0xffffffffu, t % 5));
}
__global__ void alike_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__match_any_sync(0xffffffffu, t % 7));
}
__global__ void peers_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__match_any_sync(0xffffffffu, t % 7));
}
__global__ void alike_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__match_any_sync(0xffffffffu, t / 8));
}
__global__ void peers_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__match_any_sync(0xffffffffu, t / 8));
}
__global__ void alike_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = static_cast<int>(__match_any_sync(0xffffffffu, (t * t) % 13));
}
__global__ void peers_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __popc(__match_any_sync(0xffffffffu, (t * t) % 13));
}
__global__ void reduced_add_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_add_sync(0xffffffffu, t);
}
__global__ void reduced_min_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_min_sync(0xffffffffu, t + 3);
}
__global__ void reduced_max_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_max_sync(0xffffffffu, t ^ 21);
}
__global__ void reduced_add_3(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_add_sync(0xffffffffu, t * t);
}
__global__ void reduced_min_4(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_min_sync(0xffffffffu, 200 - t);
}
__global__ void reduced_max_5(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = __reduce_max_sync(0xffffffffu, t % 50);
}
__global__ void active_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 2 == 0) out[i] = __popc(__activemask());
}
__global__ void leader_0(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 2 == 0) {
        const unsigned int mask = __activemask();
        out[i] = __shfl_sync(mask, t, __ffs(mask) - 1);
    }
}
__global__ void active_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 3 == 1) out[i] = __popc(__activemask());
}
__global__ void leader_1(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 3 == 1) {
        const unsigned int mask = __activemask();
        out[i] = __shfl_sync(mask, t, __ffs(mask) - 1);
    }
}
__global__ void active_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 32 < 20) out[i] = __popc(__activemask());
}
__global__ void leader_2(int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 32 < 20) {
        const unsigned int mask = __activemask();
        out[i] = __shfl_sync(mask, t, __ffs(mask) - 1);
    }
}

template <typename T>
void show(const char *name, void (*kernel)(T *)) {
    static T host[256];
    T *out;
    cudaMalloc(&out, sizeof(host));
    cudaMemset(out, 0, sizeof(host));
    kernel<<<2, 128>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < 256; ++i) sum += static_cast<double>(host[i]) * (i % 97 + 1);
    std::printf("%s %.6f\n", name, sum);
    cudaFree(out);
}

int main() {
    show("broadcast_int", broadcast_int);
    show("reverse_int", reverse_int);
    show("scan_int", scan_int);
    show("after_int", after_int);
    show("before_int", before_int);
    show("total_int", total_int);
    show("largest_int", largest_int);
    show("broadcast_uint", broadcast_uint);
    show("reverse_uint", reverse_uint);
    show("scan_uint", scan_uint);
    show("after_uint", after_uint);
    show("before_uint", before_uint);
    show("total_uint", total_uint);
    show("largest_uint", largest_uint);
    show("broadcast_float", broadcast_float);
    show("reverse_float", reverse_float);
    show("scan_float", scan_float);
    show("after_float", after_float);
    show("before_float", before_float);
    show("total_float", total_float);
    show("largest_float", largest_float);
    show("broadcast_double", broadcast_double);
    show("reverse_double", reverse_double);
    show("scan_double", scan_double);
    show("after_double", after_double);
    show("before_double", before_double);
    show("total_double", total_double);
    show("largest_double", largest_double);
    show("broadcast_wide", broadcast_wide);
    show("reverse_wide", reverse_wide);
    show("scan_wide", scan_wide);
    show("after_wide", after_wide);
    show("before_wide", before_wide);
    show("total_wide", total_wide);
    show("largest_wide", largest_wide);
    show("vote_0", vote_0);
    show("count_0", count_0);
    show("place_0", place_0);
    show("first_0", first_0);
    show("vote_1", vote_1);
    show("count_1", count_1);
    show("place_1", place_1);
    show("first_1", first_1);
    show("vote_2", vote_2);
    show("count_2", count_2);
    show("place_2", place_2);
    show("first_2", first_2);
    show("vote_3", vote_3);
    show("count_3", count_3);
    show("place_3", place_3);
    show("first_3", first_3);
    show("vote_4", vote_4);
    show("count_4", count_4);
    show("place_4", place_4);
    show("first_4", first_4);
    show("vote_5", vote_5);
    show("count_5", count_5);
    show("place_5", place_5);
    show("first_5", first_5);
    show("any_0", any_0);
    show("all_0", all_0);
    show("any_1", any_1);
    show("all_1", all_1);
    show("any_2", any_2);
    show("all_2", all_2);
    show("any_3", any_3);
    show("all_3", all_3);
    show("alike_0", alike_0);
    show("peers_0", peers_0);
    show("alike_1", alike_1);
    show("peers_1", peers_1);
    show("alike_2", alike_2);
    show("peers_2", peers_2);
    show("alike_3", alike_3);
    show("peers_3", peers_3);
    show("reduced_add_0", reduced_add_0);
    show("reduced_min_1", reduced_min_1);
    show("reduced_max_2", reduced_max_2);
    show("reduced_add_3", reduced_add_3);
    show("reduced_min_4", reduced_min_4);
    show("reduced_max_5", reduced_max_5);
    show("active_0", active_0);
    show("leader_0", leader_0);
    show("active_1", active_1);
    show("leader_1", leader_1);
    show("active_2", active_2);
    show("leader_2", leader_2);
}
