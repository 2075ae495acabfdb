// cudamigrate declarations: pairs, tuples, pointers and policies of rocThrust 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_THRUST_CORE
#define CUDAMIGRATE_DECLARES_THRUST_CORE
#include <hip/hip_runtime.h>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <unordered_map>
#include <complex>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#define CM_THRUST_HD __host__ __device__
// A template that is used with a local type or a lambda must have a body.
#define CM_THRUST_NONE { __builtin_unreachable(); }
#define THRUST_DEVICE_SYSTEM_CPP 4
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_HIP 5
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_HIP
#define THRUST_DEVICE_COMPILER_UNKNOWN 0
#define THRUST_DEVICE_COMPILER_MSVC 1
#define THRUST_DEVICE_COMPILER_GCC 2
#define THRUST_DEVICE_COMPILER_NVCC 3
#define THRUST_DEVICE_COMPILER_CLANG 4
#define THRUST_DEVICE_COMPILER_HIP 5
#define THRUST_DEVICE_COMPILER THRUST_DEVICE_COMPILER_HIP
#define THRUST_HIP_FUNCTION __host__ __device__ __forceinline__
#define THRUST_NODISCARD [[nodiscard]]
#define THRUST_HOST __host__
#define THRUST_DEVICE __device__
#define THRUST_HOST_DEVICE __host__ __device__
// of libhipcxx, which rocThrust includes from ROCm 10.0 on
#ifndef _CCCL_HOST_DEVICE
#define _CCCL_DEVICE __device__
#define _CCCL_HOST_DEVICE __host__ __device__
#define _CCCL_HOST __host__
#define _CCCL_FORCEINLINE __forceinline__
#endif
#define THRUST_FORCEINLINE __forceinline__
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }
#define THRUST_VERSION 200500
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 5
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_PATCH_NUMBER 0

namespace thrust {
template <class A, class B> CM_THRUST_HD inline void swap(A &, B &) CM_THRUST_NONE

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    CM_THRUST_HD constexpr pair() : first(), second() {}
    CM_THRUST_HD constexpr pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D> CM_THRUST_HD constexpr pair(const pair<C, D> &p) : first(p.first), second(p.second) {}
    template <class C, class D>
    CM_THRUST_HD constexpr pair(const std::pair<C, D> &p) : first(p.first), second(p.second) {}
};
template <class A, class B>
CM_THRUST_HD constexpr pair<std::decay_t<A>, std::decay_t<B>> make_pair(A &&a, B &&b) {
    return pair<std::decay_t<A>, std::decay_t<B>>(a, b);
}
#define CM_PAIR(sign) \
    template <class A, class B> CM_THRUST_HD bool operator sign(const pair<A, B> &, const pair<A, B> &) CM_THRUST_NONE
CM_PAIR(==)
CM_PAIR(!=)
CM_PAIR(<)
CM_PAIR(>)
CM_PAIR(<=)
CM_PAIR(>=)
#undef CM_PAIR

struct null_type {};
template <class... T> class tuple;
namespace detail {
template <size_t I, class T> struct cm_slot {
    T value;
    CM_THRUST_HD constexpr cm_slot() : value() {}
    template <class U> CM_THRUST_HD constexpr cm_slot(int, U &&from) : value(static_cast<U &&>(from)) {}
};
template <class Is, class... T> struct cm_slots;
template <size_t... I, class... T> struct cm_slots<std::index_sequence<I...>, T...> : cm_slot<I, T>... {
    CM_THRUST_HD constexpr cm_slots() {}
    template <class... U> CM_THRUST_HD constexpr cm_slots(int, U &&...from)
        : cm_slot<I, T>(0, static_cast<U &&>(from))... {}
    template <class Other> CM_THRUST_HD constexpr cm_slots(long, const Other &from)
        : cm_slot<I, T>(0, static_cast<const cm_slot<I, typename Other::template cm_at<I>> &>(from).value)... {}
};
template <size_t I, class... T> struct cm_pick;
template <class T, class... Rest> struct cm_pick<0, T, Rest...> { typedef T type; };
template <size_t I, class T, class... Rest> struct cm_pick<I, T, Rest...> : cm_pick<I - 1, Rest...> {};
}
template <class... T> class tuple : public detail::cm_slots<std::make_index_sequence<sizeof...(T)>, T...> {
    typedef detail::cm_slots<std::make_index_sequence<sizeof...(T)>, T...> cm_base;
public:
    template <size_t I> using cm_at = typename detail::cm_pick<I, T...>::type;
    CM_THRUST_HD constexpr tuple() {}
    tuple(const tuple &) = default;
    template <class... U, class = typename std::enable_if<
        sizeof...(U) == sizeof...(T) && sizeof...(U) != 0 &&
        std::is_same<std::integer_sequence<bool, true, std::is_constructible<T, U &&>::value...>,
                     std::integer_sequence<bool, std::is_constructible<T, U &&>::value..., true>>::value>::type>
    CM_THRUST_HD constexpr tuple(U &&...from) : cm_base(0, static_cast<U &&>(from)...) {}
    template <class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type>
    CM_THRUST_HD constexpr tuple(const tuple<U...> &from) : cm_base(0L, from) {}
    CM_THRUST_HD tuple &operator=(const tuple &) CM_THRUST_NONE
    template <class... U> CM_THRUST_HD tuple &operator=(const tuple<U...> &) CM_THRUST_NONE
    template <class A, class B> CM_THRUST_HD tuple &operator=(const pair<A, B> &) CM_THRUST_NONE
};
template <size_t I, class Tuple> struct tuple_element;
template <size_t I, class... T> struct tuple_element<I, tuple<T...>> : detail::cm_pick<I, T...> {};
template <size_t I, class... T> struct tuple_element<I, const tuple<T...>> {
    typedef const typename detail::cm_pick<I, T...>::type type;
};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <size_t I, class Tuple> using tuple_element_t = typename tuple_element<I, Tuple>::type;
template <class Tuple> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : std::integral_constant<size_t, 2> {};
template <size_t I, class... T> CM_THRUST_HD constexpr typename detail::cm_pick<I, T...>::type &get(tuple<T...> &t) {
    return static_cast<detail::cm_slot<I, typename detail::cm_pick<I, T...>::type> &>(t).value;
}
template <size_t I, class... T>
CM_THRUST_HD constexpr const typename detail::cm_pick<I, T...>::type &get(const tuple<T...> &t) {
    return static_cast<const detail::cm_slot<I, typename detail::cm_pick<I, T...>::type> &>(t).value;
}
template <size_t I, class A, class B>
CM_THRUST_HD typename tuple_element<I, pair<A, B>>::type &get(pair<A, B> &) CM_THRUST_NONE
template <size_t I, class A, class B>
CM_THRUST_HD const typename tuple_element<I, pair<A, B>>::type &get(const pair<A, B> &) CM_THRUST_NONE
template <class... T> CM_THRUST_HD constexpr tuple<std::decay_t<T>...> make_tuple(T &&...from) {
    return tuple<std::decay_t<T>...>(static_cast<T &&>(from)...);
}
template <class... T> CM_THRUST_HD tuple<T &...> tie(T &...from) { return tuple<T &...>(from...); }
template <class... T> CM_THRUST_HD bool operator==(const tuple<T...> &, const tuple<T...> &) CM_THRUST_NONE
template <class... T> CM_THRUST_HD bool operator!=(const tuple<T...> &, const tuple<T...> &) CM_THRUST_NONE
template <class... T> CM_THRUST_HD bool operator<(const tuple<T...> &, const tuple<T...> &) CM_THRUST_NONE
template <class... T> CM_THRUST_HD bool operator>(const tuple<T...> &, const tuple<T...> &) CM_THRUST_NONE

namespace detail {
template <class Derived> struct execution_policy_base {
protected:
    constexpr execution_policy_base() {}
};
template <class Derived> struct cm_allocating : execution_policy_base<Derived> {
    constexpr cm_allocating() {}
    template <class Allocator> CM_THRUST_HD Derived operator()(Allocator &&) const CM_THRUST_NONE
};
struct seq_t : cm_allocating<seq_t> {};
struct host_t : cm_allocating<host_t> {};
}
namespace hip_rocprim {
template <class Derived> struct execution_policy : ::thrust::detail::execution_policy_base<Derived> {
    constexpr execution_policy() {}
};
struct par_t : execution_policy<par_t> {
    constexpr par_t() {}
    template <class Allocator> CM_THRUST_HD par_t operator()(Allocator &&) const CM_THRUST_NONE
    CM_THRUST_HD par_t on(hipStream_t) const;
};
struct tag : execution_policy<tag> {};
constexpr par_t par;
constexpr par_t par_nosync;
}
namespace detail {
using device_t = hip_rocprim::par_t;
}
namespace system {
namespace hip {
using namespace ::thrust::hip_rocprim;
}
using std::error_code;
const std::error_category &hip_category() noexcept;
class system_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    system_error(int, const std::error_category &, const char * = "");
    system_error(hipError_t, const std::error_category &, const char * = "");
    const std::error_code &code() const noexcept;
};
}
namespace hip = system::hip;
using system::system_error;
using system::hip_category;
constexpr detail::seq_t seq;
constexpr detail::host_t host;
constexpr detail::device_t device;
template <class Derived> using execution_policy = detail::execution_policy_base<Derived>;
struct host_system_tag : execution_policy<host_system_tag> {
    constexpr host_system_tag() {}
};
struct device_system_tag : execution_policy<device_system_tag> {
    constexpr device_system_tag() {}
};
struct any_system_tag : execution_policy<any_system_tag> {
    constexpr any_system_tag() {}
};
template <class Derived> struct device_execution_policy : detail::execution_policy_base<Derived> {};
template <class Derived> struct host_execution_policy : detail::execution_policy_base<Derived> {};

template <class It> struct iterator_traits : std::iterator_traits<It> {};
template <class It> struct iterator_value { typedef typename iterator_traits<It>::value_type type; };
template <class It> struct iterator_reference { typedef typename iterator_traits<It>::reference type; };
template <class It> struct iterator_pointer { typedef typename iterator_traits<It>::pointer type; };
template <class It> struct iterator_difference { typedef typename iterator_traits<It>::difference_type type; };
template <class It> struct iterator_system { typedef any_system_tag type; };
template <class It> using iterator_value_t = typename iterator_value<It>::type;
template <class It> using iterator_reference_t = typename iterator_reference<It>::type;
template <class It> using iterator_difference_t = typename iterator_difference<It>::type;
struct single_pass_traversal_tag {};
struct forward_traversal_tag : single_pass_traversal_tag {};
struct bidirectional_traversal_tag : forward_traversal_tag {};
struct random_access_traversal_tag : bidirectional_traversal_tag {};
namespace detail {
template <class Category, class System, class Traversal> struct iterator_category_with_system_and_traversal : Category {};
}
typedef std::input_iterator_tag input_host_iterator_tag;
typedef std::output_iterator_tag output_host_iterator_tag;
typedef std::forward_iterator_tag forward_host_iterator_tag;
typedef std::bidirectional_iterator_tag bidirectional_host_iterator_tag;
typedef std::random_access_iterator_tag random_access_host_iterator_tag;
struct input_device_iterator_tag : std::input_iterator_tag {};
struct output_device_iterator_tag : std::output_iterator_tag {};
struct forward_device_iterator_tag : std::forward_iterator_tag {};
struct bidirectional_device_iterator_tag : std::bidirectional_iterator_tag {};
struct random_access_device_iterator_tag : std::random_access_iterator_tag {};
struct input_universal_iterator_tag : std::input_iterator_tag {};
struct output_universal_iterator_tag : std::output_iterator_tag {};
struct forward_universal_iterator_tag : std::forward_iterator_tag {};
struct bidirectional_universal_iterator_tag : std::bidirectional_iterator_tag {};
struct random_access_universal_iterator_tag : std::random_access_iterator_tag {};
}
#endif
