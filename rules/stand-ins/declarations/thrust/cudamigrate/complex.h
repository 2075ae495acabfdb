// cudamigrate declarations: complex numbers and random numbers of rocThrust 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_THRUST_COMPLEX
#define CUDAMIGRATE_DECLARES_THRUST_COMPLEX
#include <thrust/cudamigrate/core.h>
#include <cstdint>
#include <istream>

namespace thrust {
template <class T> struct complex {
    typedef T value_type;
    complex() = default;
    CM_THRUST_HD complex(const T &re) : cm_real(re), cm_imag() {}
    CM_THRUST_HD complex(const T &re, const T &im) : cm_real(re), cm_imag(im) {}
    complex(const complex &) = default;
    template <class U> CM_THRUST_HD complex(const complex<U> &z) : cm_real(z.real()), cm_imag(z.imag()) {}
    CM_THRUST_HD complex(const std::complex<T> &) CM_THRUST_NONE
    template <class U> CM_THRUST_HD complex(const std::complex<U> &) CM_THRUST_NONE
    CM_THRUST_HD complex &operator=(const T &) CM_THRUST_NONE
    complex &operator=(const complex &) = default;
    template <class U> CM_THRUST_HD complex &operator=(const complex<U> &) CM_THRUST_NONE
    CM_THRUST_HD complex &operator=(const std::complex<T> &) CM_THRUST_NONE
#define CM_ASSIGN(sign) \
    template <class U> CM_THRUST_HD complex &operator sign(const complex<U> &) CM_THRUST_NONE \
    template <class U> CM_THRUST_HD complex &operator sign(const U &) CM_THRUST_NONE
    CM_ASSIGN(+=)
    CM_ASSIGN(-=)
    CM_ASSIGN(*=)
    CM_ASSIGN(/=)
#undef CM_ASSIGN
    CM_THRUST_HD T real() const { return cm_real; }
    CM_THRUST_HD T imag() const { return cm_imag; }
    CM_THRUST_HD T real() const volatile { return cm_real; }
    CM_THRUST_HD T imag() const volatile { return cm_imag; }
    CM_THRUST_HD void real(T re) { cm_real = re; }
    CM_THRUST_HD void imag(T im) { cm_imag = im; }
    CM_THRUST_HD void real(T re) volatile { cm_real = re; }
    CM_THRUST_HD void imag(T im) volatile { cm_imag = im; }
    CM_THRUST_HD operator std::complex<T>() const CM_THRUST_NONE
private:
    T cm_real, cm_imag;
};
#define CM_WIDER(A, B) complex<typename std::common_type<A, B>::type>
#define CM_BINARY(sign) \
    template <class A, class B> \
    CM_THRUST_HD CM_WIDER(A, B) operator sign(const complex<A> &, const complex<B> &) CM_THRUST_NONE \
    template <class A, class B> \
    CM_THRUST_HD CM_WIDER(A, B) operator sign(const complex<A> &, const B &) CM_THRUST_NONE \
    template <class A, class B> \
    CM_THRUST_HD CM_WIDER(A, B) operator sign(const A &, const complex<B> &) CM_THRUST_NONE
CM_BINARY(+)
CM_BINARY(-)
CM_BINARY(*)
CM_BINARY(/)
#undef CM_BINARY
#define CM_COMPARE(sign) \
    template <class A, class B> CM_THRUST_HD bool operator sign(const complex<A> &, const complex<B> &) CM_THRUST_NONE \
    template <class A, class B> CM_THRUST_HD bool operator sign(const A &, const complex<B> &) CM_THRUST_NONE \
    template <class A, class B> CM_THRUST_HD bool operator sign(const complex<A> &, const B &) CM_THRUST_NONE
CM_COMPARE(==)
CM_COMPARE(!=)
#undef CM_COMPARE
template <class T> CM_THRUST_HD complex<T> operator+(const complex<T> &) CM_THRUST_NONE
template <class T> CM_THRUST_HD complex<T> operator-(const complex<T> &) CM_THRUST_NONE
#define CM_UNARY(name) template <class T> CM_THRUST_HD complex<T> name(const complex<T> &) CM_THRUST_NONE
CM_UNARY(conj)
CM_UNARY(proj)
CM_UNARY(exp)
CM_UNARY(log)
CM_UNARY(log10)
CM_UNARY(sqrt)
CM_UNARY(sin)
CM_UNARY(cos)
CM_UNARY(tan)
CM_UNARY(sinh)
CM_UNARY(cosh)
CM_UNARY(tanh)
CM_UNARY(asin)
CM_UNARY(acos)
CM_UNARY(atan)
CM_UNARY(asinh)
CM_UNARY(acosh)
CM_UNARY(atanh)
#undef CM_UNARY
template <class T> CM_THRUST_HD T abs(const complex<T> &) CM_THRUST_NONE
template <class T> CM_THRUST_HD T arg(const complex<T> &) CM_THRUST_NONE
template <class T> CM_THRUST_HD T norm(const complex<T> &) CM_THRUST_NONE
template <class A, class B> CM_THRUST_HD CM_WIDER(A, B) polar(const A &, const B &) CM_THRUST_NONE
template <class A> CM_THRUST_HD complex<A> polar(const A &) CM_THRUST_NONE
template <class A, class B> CM_THRUST_HD CM_WIDER(A, B) pow(const complex<A> &, const complex<B> &) CM_THRUST_NONE
template <class A, class B> CM_THRUST_HD CM_WIDER(A, B) pow(const complex<A> &, const B &) CM_THRUST_NONE
template <class A, class B> CM_THRUST_HD CM_WIDER(A, B) pow(const A &, const complex<B> &) CM_THRUST_NONE
template <class T, class C> std::basic_ostream<C> &operator<<(std::basic_ostream<C> &, const complex<T> &) CM_THRUST_NONE
template <class T, class C> std::basic_istream<C> &operator>>(std::basic_istream<C> &, complex<T> &) CM_THRUST_NONE
#undef CM_WIDER

namespace random {
#define CM_ENGINE(name, type) \
    class name { \
    public: \
        typedef type result_type; \
        static const result_type min = 1; \
        static const result_type max = 2147483646u; \
        static const result_type default_seed = 1; \
        CM_THRUST_HD explicit name(result_type = default_seed); \
        CM_THRUST_HD void seed(result_type = default_seed); \
        CM_THRUST_HD result_type operator()(); \
        CM_THRUST_HD void discard(unsigned long long); \
    };
CM_ENGINE(minstd_rand, std::uint32_t)
CM_ENGINE(minstd_rand0, std::uint32_t)
CM_ENGINE(ranlux24, std::uint32_t)
CM_ENGINE(ranlux48, std::uint64_t)
CM_ENGINE(taus88, std::uint32_t)
#undef CM_ENGINE
typedef minstd_rand default_random_engine;
#define CM_DISTRIBUTION(name, fallback, low, high) \
    template <class T = fallback> class name { \
    public: \
        typedef T result_type; \
        typedef pair<T, T> param_type; \
        CM_THRUST_HD explicit name(T = low, T = high) CM_THRUST_NONE \
        CM_THRUST_HD explicit name(const param_type &) CM_THRUST_NONE \
        CM_THRUST_HD void reset() CM_THRUST_NONE \
        template <class G> CM_THRUST_HD result_type operator()(G &) CM_THRUST_NONE \
        template <class G> CM_THRUST_HD result_type operator()(G &, const param_type &) CM_THRUST_NONE \
    };
CM_DISTRIBUTION(uniform_int_distribution, int, 0, std::numeric_limits<T>::max())
CM_DISTRIBUTION(uniform_real_distribution, double, 0, 1)
CM_DISTRIBUTION(normal_distribution, double, 0, 1)
#undef CM_DISTRIBUTION
}
using namespace random;
}
#endif
