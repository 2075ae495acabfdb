// cudamigrate declarations: function objects of rocThrust 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_THRUST_FUNCTIONAL
#define CUDAMIGRATE_DECLARES_THRUST_FUNCTIONAL
#include <thrust/cudamigrate/core.h>
#include <functional>

namespace thrust {
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
#define CM_BINARY(name, result, expression) \
    template <class T = void> struct name { \
        typedef T first_argument_type; \
        typedef T second_argument_type; \
        typedef result result_type; \
        CM_THRUST_HD constexpr result operator()(const T &a, const T &b) const { return expression; } \
    }; \
    template <> struct name<void> { \
        typedef void is_transparent; \
        template <class A, class B> \
        CM_THRUST_HD constexpr auto operator()(A &&a, B &&b) const -> typename std::decay<decltype(expression)>::type { \
            return expression; \
        } \
    };
CM_BINARY(plus, T, a + b)
CM_BINARY(minus, T, a - b)
CM_BINARY(multiplies, T, a *b)
CM_BINARY(divides, T, a / b)
CM_BINARY(modulus, T, a % b)
CM_BINARY(equal_to, bool, a == b)
CM_BINARY(not_equal_to, bool, a != b)
CM_BINARY(greater, bool, a > b)
CM_BINARY(less, bool, a < b)
CM_BINARY(greater_equal, bool, a >= b)
CM_BINARY(less_equal, bool, a <= b)
CM_BINARY(logical_and, bool, a &&b)
CM_BINARY(logical_or, bool, a || b)
CM_BINARY(bit_and, T, a &b)
CM_BINARY(bit_or, T, a | b)
CM_BINARY(bit_xor, T, a ^ b)
CM_BINARY(maximum, T, a < b ? b : a)
CM_BINARY(minimum, T, a < b ? a : b)
#undef CM_BINARY
#define CM_UNARY(name, result, expression) \
    template <class T = void> struct name { \
        typedef T argument_type; \
        typedef result result_type; \
        CM_THRUST_HD constexpr result operator()(const T &a) const { return expression; } \
    }; \
    template <> struct name<void> { \
        template <class A> CM_THRUST_HD constexpr auto operator()(A &&a) const \
            -> typename std::decay<decltype(expression)>::type { return expression; } \
    };
CM_UNARY(negate, T, -a)
CM_UNARY(square, T, a *a)
CM_UNARY(logical_not, bool, !a)
#undef CM_UNARY
template <class T = void> struct identity {
    CM_THRUST_HD constexpr const T &operator()(const T &a) const { return a; }
};
template <> struct identity<void> {
    template <class A> CM_THRUST_HD constexpr A &&operator()(A &&a) const { return static_cast<A &&>(a); }
};
template <class A = void, class B = void> struct project1st {
    CM_THRUST_HD const A &operator()(const A &a, const B &) const { return a; }
};
template <class A = void, class B = void> struct project2nd {
    CM_THRUST_HD const B &operator()(const A &, const B &b) const { return b; }
};
template <class F> struct unary_negate {
    CM_THRUST_HD explicit unary_negate(F) CM_THRUST_NONE
    template <class A> CM_THRUST_HD bool operator()(const A &) CM_THRUST_NONE
};
template <class F> struct binary_negate {
    CM_THRUST_HD explicit binary_negate(F) CM_THRUST_NONE
    template <class A, class B> CM_THRUST_HD bool operator()(const A &, const B &) CM_THRUST_NONE
};
template <class F> CM_THRUST_HD unary_negate<F> not1(const F &) CM_THRUST_NONE
template <class F> CM_THRUST_HD binary_negate<F> not2(const F &) CM_THRUST_NONE
template <class F> class zip_function {
    mutable F cm_function;
    template <class T, size_t... I> CM_THRUST_HD auto cm_call(T &&t, std::index_sequence<I...>) const
        -> decltype(cm_function(thrust::get<I>(t)...)) { return cm_function(thrust::get<I>(t)...); }
public:
    CM_THRUST_HD zip_function(F f) : cm_function(f) {}
    template <class T> CM_THRUST_HD auto operator()(T &&t) const {
        return cm_call(t, std::make_index_sequence<tuple_size<typename std::decay<T>::type>::value>());
    }
};
template <class F> CM_THRUST_HD zip_function<typename std::decay<F>::type> make_zip_function(F &&f) {
    return zip_function<typename std::decay<F>::type>(f);
}

namespace detail {
// A placeholder expression: what it makes of its arguments is not followed.
struct cm_any {
    template <class T, class = typename std::enable_if<!std::is_reference<T>::value>::type>
    CM_THRUST_HD operator T() const CM_THRUST_NONE
};
template <int> struct cm_actor {
    template <class... A> CM_THRUST_HD cm_any operator()(A &&...) const CM_THRUST_NONE
    template <class T> CM_THRUST_HD cm_actor<-1> operator=(const T &) const CM_THRUST_NONE
};
#define CM_SIGN(sign) \
    template <int N, class T> CM_THRUST_HD cm_actor<-1> operator sign(const cm_actor<N> &, const T &) CM_THRUST_NONE \
    template <int N, class T> CM_THRUST_HD cm_actor<-1> operator sign(const T &, const cm_actor<N> &) CM_THRUST_NONE \
    template <int N, int M> \
    CM_THRUST_HD cm_actor<-1> operator sign(const cm_actor<N> &, const cm_actor<M> &) CM_THRUST_NONE
CM_SIGN(+)
CM_SIGN(-)
CM_SIGN(*)
CM_SIGN(/)
CM_SIGN(%)
CM_SIGN(==)
CM_SIGN(!=)
CM_SIGN(<)
CM_SIGN(>)
CM_SIGN(<=)
CM_SIGN(>=)
CM_SIGN(&&)
CM_SIGN(||)
CM_SIGN(&)
CM_SIGN(|)
CM_SIGN(^)
CM_SIGN(<<)
CM_SIGN(>>)
#undef CM_SIGN
template <int N> CM_THRUST_HD cm_actor<-1> operator-(const cm_actor<N> &) CM_THRUST_NONE
template <int N> CM_THRUST_HD cm_actor<-1> operator!(const cm_actor<N> &) CM_THRUST_NONE
}
namespace placeholders {
constexpr detail::cm_actor<0> _1{};
constexpr detail::cm_actor<1> _2{};
constexpr detail::cm_actor<2> _3{};
constexpr detail::cm_actor<3> _4{};
}
}
#endif
