// Thrust's algorithms on the emulated GPU: plain loops of the host.
#ifndef CUDAMIGRATE_EMULATION_THRUST_ALGORITHMS_H
#define CUDAMIGRATE_EMULATION_THRUST_ALGORITHMS_H

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

#include "iterators.h"

namespace thrust {

namespace detail {

// Where an algorithm runs means nothing here.
struct Policy {
    template <typename... Any> Policy on(const Any &...) const { return *this; }
    template <typename... Any> Policy operator()(const Any &...) const { return *this; }
};
template <typename P> using OfPolicy = std::enable_if_t<std::is_base_of<Policy, std::decay_t<P>>::value, int>;
template <typename It> using Value = typename std::iterator_traits<It>::value_type;

// A copy to the host is recorded as such.
template <typename In, typename Out> void noted(In, Out, std::ptrdiff_t) {}
template <typename T>
void noted(const T *from, T *to, std::ptrdiff_t count) {
    using namespace ::cudamigrate_emulation;
    if (count > 0 && is_device(from) && !is_device(to))
        record_copy(from, to, static_cast<std::size_t>(count) * sizeof(T), type_name<T>());
}
template <typename T, typename It>
void noted(const T *from, std::reverse_iterator<It>, std::ptrdiff_t) { static_cast<void>(from); }

}  // namespace detail

typedef detail::Policy device_execution_policy, host_execution_policy;
static const detail::Policy device, host, seq;
struct device_system_tag {};
struct host_system_tag {};
namespace cuda { static const ::thrust::detail::Policy par, par_nosync; }
namespace hip { static const ::thrust::detail::Policy par, par_nosync; }
namespace omp { static const ::thrust::detail::Policy par; }

#define CUDAMIGRATE_EMULATION_FUNCTION(name, Base) \
    template <typename T = void> using name = std::Base<T>;
CUDAMIGRATE_EMULATION_FUNCTION(plus, plus)
CUDAMIGRATE_EMULATION_FUNCTION(minus, minus)
CUDAMIGRATE_EMULATION_FUNCTION(multiplies, multiplies)
CUDAMIGRATE_EMULATION_FUNCTION(divides, divides)
CUDAMIGRATE_EMULATION_FUNCTION(modulus, modulus)
CUDAMIGRATE_EMULATION_FUNCTION(negate, negate)
CUDAMIGRATE_EMULATION_FUNCTION(equal_to, equal_to)
CUDAMIGRATE_EMULATION_FUNCTION(not_equal_to, not_equal_to)
CUDAMIGRATE_EMULATION_FUNCTION(greater, greater)
CUDAMIGRATE_EMULATION_FUNCTION(greater_equal, greater_equal)
CUDAMIGRATE_EMULATION_FUNCTION(less, less)
CUDAMIGRATE_EMULATION_FUNCTION(less_equal, less_equal)
CUDAMIGRATE_EMULATION_FUNCTION(logical_and, logical_and)
CUDAMIGRATE_EMULATION_FUNCTION(logical_or, logical_or)
CUDAMIGRATE_EMULATION_FUNCTION(logical_not, logical_not)
CUDAMIGRATE_EMULATION_FUNCTION(bit_and, bit_and)
CUDAMIGRATE_EMULATION_FUNCTION(bit_or, bit_or)
CUDAMIGRATE_EMULATION_FUNCTION(bit_xor, bit_xor)
#undef CUDAMIGRATE_EMULATION_FUNCTION
template <typename T = void> struct maximum { T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <typename T = void> struct minimum { T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <typename T = void> struct identity { const T &operator()(const T &value) const { return value; } };
template <typename T = void> struct square { T operator()(const T &value) const { return value * value; } };
template <typename A, typename R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <typename A, typename B, typename R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

// Each algorithm with a policy before its arguments, which changes nothing.
#define CUDAMIGRATE_EMULATION_ALGORITHM(name)                             \
    template <typename P, typename... A, detail::OfPolicy<P> = 0>         \
    auto name(const P &, A &&...given) {                                  \
        return ::thrust::name(std::forward<A>(given)...);                           \
    }
// One that the standard library has, with iterators for its results.
#define CUDAMIGRATE_EMULATION_PLACE_OF(name)                                          \
    template <typename It, typename... A>                                             \
    std::enable_if_t<!std::is_base_of<detail::Policy, It>::value, It> name(It first, It last, A... given) { \
        const detail::Works works;                                                    \
        const auto begin = detail::plain(first);                                      \
        return first + (std::name(begin, detail::plain(last), given...) - begin);     \
    }                                                                                 \
    CUDAMIGRATE_EMULATION_ALGORITHM(name)
CUDAMIGRATE_EMULATION_PLACE_OF(find)
CUDAMIGRATE_EMULATION_PLACE_OF(find_if)
CUDAMIGRATE_EMULATION_PLACE_OF(find_if_not)
CUDAMIGRATE_EMULATION_PLACE_OF(min_element)
CUDAMIGRATE_EMULATION_PLACE_OF(max_element)
CUDAMIGRATE_EMULATION_PLACE_OF(remove)
CUDAMIGRATE_EMULATION_PLACE_OF(adjacent_find)
CUDAMIGRATE_EMULATION_PLACE_OF(is_sorted_until)
#undef CUDAMIGRATE_EMULATION_PLACE_OF
// One that gives a value, or nothing.
#define CUDAMIGRATE_EMULATION_VALUE_OF(name)                                            \
    template <typename It, typename... A>                                               \
    std::enable_if_t<!std::is_base_of<detail::Policy, It>::value,                       \
                     decltype(std::name(std::declval<decltype(detail::plain(std::declval<It>()))>(),  \
                                        std::declval<decltype(detail::plain(std::declval<It>()))>(), std::declval<A>()...))> \
    name(It first, It last, A... given) {                                               \
        const detail::Works works;                                                      \
        return std::name(detail::plain(first), detail::plain(last), detail::plain(given)...);          \
    }                                                                                   \
    CUDAMIGRATE_EMULATION_ALGORITHM(name)
CUDAMIGRATE_EMULATION_VALUE_OF(count)
CUDAMIGRATE_EMULATION_VALUE_OF(count_if)
CUDAMIGRATE_EMULATION_VALUE_OF(all_of)
CUDAMIGRATE_EMULATION_VALUE_OF(any_of)
CUDAMIGRATE_EMULATION_VALUE_OF(none_of)
CUDAMIGRATE_EMULATION_VALUE_OF(is_sorted)
CUDAMIGRATE_EMULATION_VALUE_OF(fill)
CUDAMIGRATE_EMULATION_VALUE_OF(generate)
CUDAMIGRATE_EMULATION_VALUE_OF(reverse)
CUDAMIGRATE_EMULATION_VALUE_OF(replace)
CUDAMIGRATE_EMULATION_VALUE_OF(replace_if)
CUDAMIGRATE_EMULATION_VALUE_OF(equal)
#undef CUDAMIGRATE_EMULATION_VALUE_OF

template <typename It, typename F>
It for_each(It first, It last, F function) {
    const detail::Works works;
    const auto end = detail::plain(last);
    for (auto it = detail::plain(first); it != end; ++it) function(*it);
    return last;
}
CUDAMIGRATE_EMULATION_ALGORITHM(for_each)
template <typename It, typename N, typename F>
It for_each_n(It first, N count, F function) {
    return ::thrust::for_each(first, first + count, function);
}
CUDAMIGRATE_EMULATION_ALGORITHM(for_each_n)

template <typename In, typename Out>
Out copy(In first, In last, Out out) {
    const detail::Works works;
    const auto from = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    std::ptrdiff_t count = 0;
    for (auto it = from; it != end; ++it, ++to, ++count) *to = *it;
    if constexpr (std::is_class<decltype(to)>::value && std::is_same<detail::Value<In>, detail::Value<Out>>::value &&
                  std::is_same<typename std::iterator_traits<Out>::iterator_category,
                               std::random_access_iterator_tag>::value) {
        if constexpr (std::is_lvalue_reference<decltype(*detail::plain(out))>::value)
            if (count > 0) detail::noted(from, &*detail::plain(out), count);
    } else {
        detail::noted(from, detail::plain(out), count);
    }
    if constexpr (std::is_same<decltype(to), Out>::value) return to;
    else return out + count;
}
CUDAMIGRATE_EMULATION_ALGORITHM(copy)
template <typename In, typename N, typename Out>
Out copy_n(In first, N count, Out out) {
    return ::thrust::copy(first, first + count, out);
}
CUDAMIGRATE_EMULATION_ALGORITHM(copy_n)

template <typename It, typename N, typename T>
It fill_n(It first, N count, const T &value) {
    ::thrust::fill(first, first + count, value);
    return first + count;
}
CUDAMIGRATE_EMULATION_ALGORITHM(fill_n)
template <typename It, typename T> void uninitialized_fill(It first, It last, const T &value) { ::thrust::fill(first, last, value); }
CUDAMIGRATE_EMULATION_ALGORITHM(uninitialized_fill)
template <typename It, typename T, typename S>
void sequence(It first, It last, T from, S step) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    for (auto it = begin; it != end; ++it) *it = static_cast<detail::Value<It>>(from + step * static_cast<S>(it - begin));
}
template <typename It, typename T> void sequence(It first, It last, T from) { ::thrust::sequence(first, last, from, T(1)); }
template <typename It> std::enable_if_t<!std::is_base_of<detail::Policy, It>::value> sequence(It first, It last) {
    ::thrust::sequence(first, last, detail::Value<It>(0));
}
CUDAMIGRATE_EMULATION_ALGORITHM(sequence)
template <typename It, typename F>
void tabulate(It first, It last, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    for (auto it = begin; it != end; ++it) *it = function(it - begin);
}
CUDAMIGRATE_EMULATION_ALGORITHM(tabulate)

template <typename In, typename Out, typename F>
Out transform(In first, In last, Out out, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    for (auto it = begin; it != end; ++it, ++to) *to = function(*it);
    return out + (end - begin);
}
template <typename In, typename Other, typename Out, typename F>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out>
transform(In first, In last, Other other, Out out, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    auto second = detail::plain(other);
    for (auto it = begin; it != end; ++it, ++to, ++second) *to = function(*it, *second);
    return out + (end - begin);
}
CUDAMIGRATE_EMULATION_ALGORITHM(transform)
template <typename In, typename Out, typename F, typename Test>
Out transform_if(In first, In last, Out out, F function, Test test) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    for (auto it = begin; it != end; ++it, ++to) {
        if (test(*it)) *to = function(*it);
    }
    return out + (end - begin);
}
CUDAMIGRATE_EMULATION_ALGORITHM(transform_if)

namespace detail {
// Combines values in their order as a tree, as GPUs do: sums of many floats are as near as theirs.
template <typename T, typename F>
class Tree {
public:
    explicit Tree(F function) : function_(function) {}
    void add(T value) {
        for (std::size_t full = count_++; (full & 1u) != 0; full >>= 1) {
            value = function_(parts_.back(), value);
            parts_.pop_back();
        }
        parts_.push_back(value);
    }
    T total(T start) {
        if (parts_.empty()) return start;
        T made = parts_.back();
        for (auto part = parts_.rbegin() + 1; part != parts_.rend(); ++part) made = function_(*part, made);
        return function_(start, made);
    }

private:
    F function_;
    std::size_t count_ = 0;
    std::deque<T> parts_;
};
}  // namespace detail

template <typename In, typename T, typename F>
T reduce(In first, In last, T start, F function) {
    const detail::Works works;
    detail::Tree<T, F> tree(function);
    const auto end = detail::plain(last);
    for (auto it = detail::plain(first); it != end; ++it) tree.add(static_cast<detail::Value<In>>(*it));
    return tree.total(start);
}
template <typename In, typename T>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, T> reduce(In first, In last, T start) {
    return ::thrust::reduce(first, last, start, std::plus<T>());
}
template <typename In>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, detail::Value<In>> reduce(In first, In last) {
    return ::thrust::reduce(first, last, detail::Value<In>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(reduce)
template <typename In, typename U, typename T, typename F>
T transform_reduce(In first, In last, U unary, T start, F function) {
    const detail::Works works;
    detail::Tree<T, F> tree(function);
    const auto end = detail::plain(last);
    for (auto it = detail::plain(first); it != end; ++it) tree.add(unary(*it));
    return tree.total(start);
}
CUDAMIGRATE_EMULATION_ALGORITHM(transform_reduce)
template <typename In, typename Other, typename T, typename F, typename G>
T inner_product(In first, In last, Other other, T start, F add, G multiply) {
    const detail::Works works;
    const auto end = detail::plain(last);
    auto second = detail::plain(other);
    detail::Tree<T, F> tree(add);
    for (auto it = detail::plain(first); it != end; ++it, ++second) tree.add(multiply(*it, *second));
    return tree.total(start);
}
template <typename In, typename Other, typename T>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, T> inner_product(In first, In last, Other other, T start) {
    return ::thrust::inner_product(first, last, other, start, std::plus<T>(), std::multiplies<T>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(inner_product)
template <typename It, typename... A>
std::enable_if_t<!std::is_base_of<detail::Policy, It>::value, std::pair<It, It>>
minmax_element(It first, It last, A... given) {
    return {::thrust::min_element(first, last, given...), ::thrust::max_element(first, last, given...)};
}
CUDAMIGRATE_EMULATION_ALGORITHM(minmax_element)

}  // namespace thrust

#endif  // CUDAMIGRATE_EMULATION_THRUST_ALGORITHMS_H
