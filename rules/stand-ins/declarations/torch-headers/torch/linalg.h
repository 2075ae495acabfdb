// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/types.h>

#include <string>
#include <tuple>

namespace torch::linalg {
#define CUDAMIGRATE_NUMBER const std::optional<Scalar>& ord
#define CUDAMIGRATE_OF(Dims) Dims dim, bool keepdim, std::optional<ScalarType> dtype
Tensor cholesky(const Tensor& self);
Tensor det(const Tensor& self);
Tensor linalg_det(const Tensor& self);
std::tuple<Tensor, Tensor> slogdet(const Tensor& input);
std::tuple<Tensor, Tensor> eig(const Tensor& self);
Tensor eigvals(const Tensor& self);
std::tuple<Tensor, Tensor> eigh(const Tensor& self, std::string_view uplo);
Tensor eigvalsh(const Tensor& self, std::string_view uplo);
Tensor householder_product(const Tensor& input, const Tensor& tau);
Tensor inv(const Tensor& input);
Tensor matrix_exp(const Tensor& self);
Tensor norm(const Tensor& self, CUDAMIGRATE_NUMBER, CUDAMIGRATE_OF(at::OptionalIntArrayRef));
Tensor norm(const Tensor& self, std::string ord, CUDAMIGRATE_OF(at::OptionalIntArrayRef));
Tensor linalg_norm(const Tensor& self, CUDAMIGRATE_NUMBER, CUDAMIGRATE_OF(at::OptionalIntArrayRef));
Tensor linalg_norm(const Tensor& self, std::string_view ord, CUDAMIGRATE_OF(at::OptionalIntArrayRef));
Tensor vector_norm(const Tensor& self, Scalar ord, CUDAMIGRATE_OF(at::OptionalIntArrayRef));
Tensor matrix_norm(const Tensor& self, const Scalar& ord, CUDAMIGRATE_OF(IntArrayRef));
Tensor matrix_norm(const Tensor& self, std::string ord, CUDAMIGRATE_OF(IntArrayRef));
Tensor matrix_power(const Tensor& self, int64_t n);
Tensor matrix_rank(const Tensor& input, double tol, bool hermitian);
Tensor multi_dot(TensorList tensors);
std::tuple<Tensor, Tensor> lu_factor(const Tensor& self, bool pivot = true);
Tensor pinv(const Tensor& input, double rcond = 1e-15, bool hermitian = false);
std::tuple<Tensor, Tensor> qr(const Tensor& input, std::string_view mode = "reduced");
Tensor solve(const Tensor& input, const Tensor& other, bool left = true);
Tensor solve_triangular(const Tensor& input, const Tensor& other, bool upper, bool left, bool unitriangular);
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& input, bool full_matrices);
Tensor svdvals(const Tensor& input);
Tensor tensorinv(const Tensor& self, int64_t ind);
Tensor tensorsolve(const Tensor& self, const Tensor& other, at::OptionalIntArrayRef dims);
#undef CUDAMIGRATE_NUMBER
#undef CUDAMIGRATE_OF
}  // namespace torch::linalg
