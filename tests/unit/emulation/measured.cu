// Device functions at the ends of their ranges. What is expected of them was measured on an H200 with CUDA 13.0.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void measured(const unsigned *in, unsigned *out) {
    const float large = __uint_as_float(in[0]), negative = __uint_as_float(in[1]), none = __uint_as_float(in[2]);
    out[0] = __byte_perm(0x477ff000u, 0x7fffffffu, in[3]);
    out[1] = __byte_perm(0x10c272abu, 0x80008000u, in[4]);
    out[2] = __float2int_rn(large);
    out[3] = __float2int_rz(-large);
    out[4] = __float2int_rn(none);
    out[5] = __float2uint_rn(large);
    out[6] = __float2uint_rz(negative);
    out[7] = __double2int_rn(static_cast<double>(large));
    out[8] = __float_as_uint(__frsqrt_rn(large));
    const __half number = __ushort_as_half(0x69f8), nan = __ushort_as_half(0xffff);
    const __half zero = __ushort_as_half(0), minus_zero = __ushort_as_half(0x8000);
    out[9] = __half_as_ushort(__hmax(number, nan));
    out[10] = __half_as_ushort(__hmin(nan, number));
    out[11] = __half_as_ushort(__hmin(minus_zero, zero));
    out[12] = __half_as_ushort(__hmax(minus_zero, zero));
    out[13] = __hne(number, nan) + 2 * __hne(number, zero);
    out[14] = __half2int_rn(nan);
}

int main() {
    const unsigned given[5] = {0x7bff0001u, 0xc10a84ddu, 0x7fc00000u, 0x2au, 0xf7fb3a37u};
    unsigned *in, *out, got[16];
    cudaMalloc(&in, sizeof given);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, given, sizeof given, cudaMemcpyHostToDevice);
    measured<<<1, 1>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("bytes %08x %08x\n", got[0], got[1]);
    std::printf("integers %08x %08x %08x %08x %08x %08x\n", got[2], got[3], got[4], got[5], got[6], got[7]);
    std::printf("root %08x\n", got[8]);
    std::printf("halves %04x %04x %04x %04x, unequal %x, integer %x\n", got[9], got[10], got[11], got[12], got[13], got[14]);
}
