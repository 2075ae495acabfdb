// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/Half.h>

#include <cfloat>
#include <complex>
#include <type_traits>
#ifdef __HIPCC__
#include <thrust/complex.h>
#endif

namespace c10 {

template <typename T>
struct alignas(sizeof(T) * 2) complex {
  T real_ = T(0);
  T imag_ = T(0);
  using value_type = T;

  template <typename Wider, std::enable_if_t<(sizeof(Wider) > sizeof(T)), int> = 0>
  explicit C10_HOST_DEVICE constexpr complex(const complex<Wider>& from);
  template <typename Narrower, std::enable_if_t<(sizeof(Narrower) < sizeof(T)), long> = 0>
  C10_HOST_DEVICE constexpr complex(const complex<Narrower>& from);
#ifdef __HIPCC__
  template <typename Part>
  C10_HOST_DEVICE explicit complex(const thrust::complex<Part>& from);
#endif
  template <typename Part>
  explicit constexpr complex(const std::complex<Part>& from);
  C10_HOST_DEVICE constexpr complex(const T& real, const T& imaginary = T());
  constexpr complex() = default;

  C10_HOST_DEVICE constexpr complex& operator=(T re);
  C10_HOST_DEVICE constexpr complex& operator+=(T re);
  C10_HOST_DEVICE constexpr complex& operator-=(T re);
  C10_HOST_DEVICE constexpr complex& operator*=(T re);
  C10_HOST_DEVICE constexpr complex& operator/=(T re);
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator=(const complex<U>& rhs);
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator+=(const complex<U>& rhs);
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator-=(const complex<U>& rhs);
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator*=(const complex<U>& rhs);
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator/=(const complex<U>& rhs);
  template <typename U>
  constexpr complex& operator=(const std::complex<U>& rhs);
  C10_HOST_DEVICE explicit constexpr operator bool() const;
  template <typename Part>
  constexpr explicit operator std::complex<Part>() const;
#ifdef __HIPCC__
  template <typename Part>
  explicit C10_HOST_DEVICE operator thrust::complex<Part>() const;
  template <typename Part>
  C10_HOST_DEVICE complex& operator=(const thrust::complex<Part>& from);
#endif
  C10_HOST_DEVICE constexpr void imag(T part);
  C10_HOST_DEVICE constexpr void real(T part);
  C10_HOST_DEVICE constexpr T imag() const;
  C10_HOST_DEVICE constexpr T real() const;
};

template <>
struct alignas(4) complex<Half> {
  using value_type = Half;
  Half real_;
  Half imag_;
  complex() = default;
  C10_HOST_DEVICE constexpr complex(const Half& real, const Half& imaginary);
  C10_HOST_DEVICE complex(const c10::complex<float>& value);
  C10_HOST_DEVICE operator c10::complex<float>() const;
  C10_HOST_DEVICE constexpr Half imag() const;
  C10_HOST_DEVICE constexpr Half real() const;
  C10_HOST_DEVICE complex& operator+=(const complex& other);
  C10_HOST_DEVICE complex& operator-=(const complex& other);
  C10_HOST_DEVICE complex& operator*=(const complex& other);
};

template <typename T>
C10_HOST_DEVICE constexpr complex<T> operator+(const complex<T>& value);
template <typename T>
C10_HOST_DEVICE constexpr complex<T> operator-(const complex<T>& value);
#define CUDAMIGRATE_COMPLEX_OPERATOR(op)                                                   \
  template <typename T>                                                                    \
  C10_HOST_DEVICE constexpr complex<T> operator op(const complex<T>& a, const complex<T>& b); \
  template <typename T>                                                                    \
  C10_HOST_DEVICE constexpr complex<T> operator op(const complex<T>& a, const T& b);       \
  template <typename T>                                                                    \
  C10_HOST_DEVICE constexpr complex<T> operator op(const T& a, const complex<T>& b);
CUDAMIGRATE_COMPLEX_OPERATOR(+)
CUDAMIGRATE_COMPLEX_OPERATOR(-)
CUDAMIGRATE_COMPLEX_OPERATOR(*)
CUDAMIGRATE_COMPLEX_OPERATOR(/)
#undef CUDAMIGRATE_COMPLEX_OPERATOR
#define CUDAMIGRATE_COMPLEX_COMPARISON(op)                                          \
  template <typename T>                                                             \
  C10_HOST_DEVICE constexpr bool operator op(const complex<T>& a, const complex<T>& b); \
  template <typename T>                                                             \
  C10_HOST_DEVICE constexpr bool operator op(const complex<T>& a, const T& b);      \
  template <typename T>                                                             \
  C10_HOST_DEVICE constexpr bool operator op(const T& a, const complex<T>& b);
CUDAMIGRATE_COMPLEX_COMPARISON(==)
CUDAMIGRATE_COMPLEX_COMPARISON(!=)
#undef CUDAMIGRATE_COMPLEX_COMPARISON
template <typename T>
std::ostream& operator<<(std::ostream& out, const complex<T>& value);
template <typename T>
C10_HOST_DEVICE complex<T> polar(const T& r, const T& theta = T());

}  // namespace c10

namespace std {
template <typename T>
C10_HOST_DEVICE constexpr T real(const c10::complex<T>& value);
template <typename T>
C10_HOST_DEVICE constexpr T imag(const c10::complex<T>& value);
template <typename T>
C10_HOST_DEVICE T abs(const c10::complex<T>& value);
template <typename T>
C10_HOST_DEVICE T arg(const c10::complex<T>& value);
template <typename T>
constexpr T norm(const c10::complex<T>& value);
template <typename T>
C10_HOST_DEVICE constexpr c10::complex<T> conj(const c10::complex<T>& value);
}  // namespace std

namespace c10_complex_math {
#define CUDAMIGRATE_COMPLEX_FUNCTION(name) \
  template <typename T>                    \
  C10_HOST_DEVICE c10::complex<T> name(const c10::complex<T>& value);
CUDAMIGRATE_COMPLEX_FUNCTION(exp)
CUDAMIGRATE_COMPLEX_FUNCTION(log)
CUDAMIGRATE_COMPLEX_FUNCTION(log10)
CUDAMIGRATE_COMPLEX_FUNCTION(log2)
CUDAMIGRATE_COMPLEX_FUNCTION(sqrt)
CUDAMIGRATE_COMPLEX_FUNCTION(sin)
CUDAMIGRATE_COMPLEX_FUNCTION(cos)
CUDAMIGRATE_COMPLEX_FUNCTION(tan)
CUDAMIGRATE_COMPLEX_FUNCTION(asin)
CUDAMIGRATE_COMPLEX_FUNCTION(acos)
CUDAMIGRATE_COMPLEX_FUNCTION(atan)
CUDAMIGRATE_COMPLEX_FUNCTION(sinh)
CUDAMIGRATE_COMPLEX_FUNCTION(cosh)
CUDAMIGRATE_COMPLEX_FUNCTION(tanh)
CUDAMIGRATE_COMPLEX_FUNCTION(asinh)
CUDAMIGRATE_COMPLEX_FUNCTION(acosh)
CUDAMIGRATE_COMPLEX_FUNCTION(atanh)
CUDAMIGRATE_COMPLEX_FUNCTION(log1p)
CUDAMIGRATE_COMPLEX_FUNCTION(expm1)
#undef CUDAMIGRATE_COMPLEX_FUNCTION
template <typename T>
C10_HOST_DEVICE c10::complex<T> pow(const c10::complex<T>& x, const c10::complex<T>& y);
template <typename T>
C10_HOST_DEVICE c10::complex<T> pow(const c10::complex<T>& x, const T& y);
template <typename T>
C10_HOST_DEVICE c10::complex<T> pow(const T& x, const c10::complex<T>& y);
}  // namespace c10_complex_math
namespace std {
using namespace c10_complex_math;
}
namespace torch::headeronly {
using c10::complex;
}
