// Every form of cudamigrate_mma.h as a kernel, for compilers.
#include "elements.h"

#define JOIN(a, b) a##b
#define NAMED(line) JOIN(product_, line)
#define FORM(rows, depth, left, right, sum, saturate)                                                                  \
    __global__ void NAMED(__LINE__)(const cudamigrate::Registers<cudamigrate::left::word, rows * depth / 32 / cudamigrate::left::count> *a, \
                                    const cudamigrate::Registers<cudamigrate::right::word, depth / 4 / cudamigrate::right::count> *b,       \
                                    cudamigrate::Registers<cudamigrate::detail::result<sum>::word, rows / 4 / cudamigrate::detail::result<sum>::count> *c) { \
        const unsigned int at = threadIdx.x;                                                                           \
        c[at] = cudamigrate::mma_sync<rows, 8, depth, cudamigrate::left, cudamigrate::right, sum, saturate>(a[at], b[at], c[at]);           \
    }
#ifndef FORMS
#define FORMS "forms.inc"
#endif
#include FORMS

__global__ void quads(cudamigrate::Registers<unsigned int, 2> a, cudamigrate::Registers<float, 8> *c,
                      cudamigrate::Registers<unsigned int, 4> *d) {
    *c = cudamigrate::mma_m8n8k4<true, false, float>(a, a, *c);
    *d = cudamigrate::mma_m8n8k4<false, true, f16>(a, a, *d);
}

__global__ void moved(unsigned int *out, unsigned int address) {
    const cudamigrate::Registers<unsigned int, 4> four = cudamigrate::ldmatrix<4, false>(address);
    const cudamigrate::Registers<unsigned int, 2> two = cudamigrate::ldmatrix<2, true>(address);
    cudamigrate::stmatrix<4, true>(address, four);
    cudamigrate::stmatrix<2, false>(address, two);
    out[threadIdx.x] = cudamigrate::movmatrix(out[threadIdx.x]);
}

#define DOT(name, result)                                                                  \
    __global__ void name(unsigned int *out, unsigned int a, unsigned int b, unsigned int c) { \
        a ^= threadIdx.x;                                                                  \
        out[threadIdx.x] = (result);                                                       \
    }
DOT(signed_bytes, static_cast<unsigned int>(cudamigrate::dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c))))
DOT(unsigned_bytes, cudamigrate::dp4a(a, b, c))
DOT(mixed_bytes, (cudamigrate::dp4a_mixed<true, false>(a, b, c)))
DOT(bytes_mixed, (cudamigrate::dp4a_mixed<false, true>(a, b, c)))
DOT(signed_shorts, (cudamigrate::dp2a<true, false, false>(a, b, c)))
DOT(unsigned_shorts, (cudamigrate::dp2a<false, false, true>(a, b, c)))
DOT(mixed_shorts, (cudamigrate::dp2a<false, true, true>(a, b, c)))
DOT(permuted, cudamigrate::prmt(a, b, c))
