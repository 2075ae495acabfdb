// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/hip/HIPContext.h>
#include <ATen/OpMathType.h>

namespace at::cuda::blas {
template <typename Dtype>
void gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, at::opmath_type<Dtype> alpha, const Dtype* a,
          int64_t lda, const Dtype* b, int64_t ldb, at::opmath_type<Dtype> beta, Dtype* c, int64_t ldc);
template <typename Dtype>
void bgemm(char transa, char transb, int64_t m, int64_t n, int64_t k, at::opmath_type<Dtype> alpha,
           const Dtype* a, int64_t lda, int64_t stridea, const Dtype* b, int64_t ldb, int64_t strideb,
           at::opmath_type<Dtype> beta, Dtype* c, int64_t ldc, int64_t stridec, int64_t num_batches);
template <typename Dtype>
void gemv(char trans, int64_t m, int64_t n, Dtype alpha, const Dtype* a, int64_t lda, const Dtype* x,
          int64_t incx, Dtype beta, Dtype* y, int64_t incy);
}  // namespace at::cuda::blas
