// Thrust on the emulated GPU: tuples, and iterators that compute what they give.
#ifndef CUDAMIGRATE_EMULATION_THRUST_ITERATORS_H
#define CUDAMIGRATE_EMULATION_THRUST_ITERATORS_H

#include <tuple>
#include <utility>

#include "memory.h"

namespace thrust {

template <typename... T> using tuple = std::tuple<T...>;
template <typename A, typename B> using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::tie;
template <std::size_t Number, typename Tuple> using tuple_element = std::tuple_element<Number, Tuple>;
template <typename Tuple> using tuple_size = std::tuple_size<Tuple>;
template <typename It> using iterator_value = std::iterator_traits<It>;
template <typename It> using iterator_traits = std::iterator_traits<It>;
template <typename It> using reverse_iterator = std::reverse_iterator<It>;
template <typename It> reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }
using std::advance;
using std::distance;
using std::next;
using std::prev;

namespace detail {

// What iterators have in common that compute their values: `Self` gives value() and step(by), and distance(other).
template <typename Self, typename Value, typename Reference = Value>
struct Computed {
    typedef Value value_type;
    typedef Reference reference;
    typedef const Value *pointer;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;

    const Self &self() const { return static_cast<const Self &>(*this); }
    Self &self() { return static_cast<Self &>(*this); }
    Reference operator*() const { return self().value(); }
    Reference operator[](difference_type at) const { return *(self() + at); }
    Self &operator++() { return self().step(1), self(); }
    Self &operator--() { return self().step(-1), self(); }
    Self operator++(int) {
        Self old = self();
        self().step(1);
        return old;
    }
    Self operator--(int) {
        Self old = self();
        self().step(-1);
        return old;
    }
    Self &operator+=(difference_type by) { return self().step(by), self(); }
    Self &operator-=(difference_type by) { return self().step(-by), self(); }
    friend Self operator+(Self it, difference_type by) { return it.step(by), it; }
    friend Self operator+(difference_type by, Self it) { return it.step(by), it; }
    friend Self operator-(Self it, difference_type by) { return it.step(-by), it; }
    friend difference_type operator-(const Self &a, const Self &b) { return a.distance(b); }
    friend bool operator==(const Self &a, const Self &b) { return a.distance(b) == 0; }
    friend bool operator!=(const Self &a, const Self &b) { return a.distance(b) != 0; }
    friend bool operator<(const Self &a, const Self &b) { return a.distance(b) < 0; }
};

}  // namespace detail

template <typename T, typename = void, typename = void, typename = void>
struct counting_iterator : detail::Computed<counting_iterator<T>, T> {
    counting_iterator() = default;
    explicit counting_iterator(T first) : at(first) {}
    T value() const { return at; }
    void step(std::ptrdiff_t by) { at = static_cast<T>(at + by); }
    std::ptrdiff_t distance(const counting_iterator &from) const { return static_cast<std::ptrdiff_t>(at - from.at); }
    T at = T();
};
template <typename T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

template <typename T>
struct constant_iterator : detail::Computed<constant_iterator<T>, T> {
    constant_iterator() = default;
    explicit constant_iterator(T given, std::ptrdiff_t first = 0) : what(given), at(first) {}
    T value() const { return what; }
    void step(std::ptrdiff_t by) { at += by; }
    std::ptrdiff_t distance(const constant_iterator &from) const { return at - from.at; }
    T what = T();
    std::ptrdiff_t at = 0;
};
template <typename T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }

struct discard_iterator : detail::Computed<discard_iterator, int, int &> {
    int &value() const {
        static thread_local int nowhere;
        return nowhere;
    }
    void step(std::ptrdiff_t by) { at += by; }
    std::ptrdiff_t distance(const discard_iterator &from) const { return at - from.at; }
    std::ptrdiff_t at = 0;
};
template <typename = void> using discard_iterator_of = discard_iterator;
inline discard_iterator make_discard_iterator() { return discard_iterator(); }

template <typename F, typename It, typename = void, typename = void>
struct transform_iterator
    : detail::Computed<transform_iterator<F, It>,
                       std::decay_t<decltype(std::declval<F>()(
                           std::declval<typename std::iterator_traits<It>::value_type>()))>> {
    typedef typename std::iterator_traits<It>::value_type Given;
    transform_iterator(It it, F function) : at(it), apply(function) {}
    explicit transform_iterator(It it) : at(it), apply() {}
    auto value() const { return apply(static_cast<Given>(*at)); }
    void step(std::ptrdiff_t by) { at += by; }
    std::ptrdiff_t distance(const transform_iterator &from) const { return at - from.at; }
    It base() const { return at; }
    It at;
    F apply;
};
template <typename F, typename It>
transform_iterator<F, It> make_transform_iterator(It it, F function) {
    return transform_iterator<F, It>(it, function);
}

template <typename It, typename Index>
struct permutation_iterator
    : detail::Computed<permutation_iterator<It, Index>, typename std::iterator_traits<It>::value_type,
                       typename std::iterator_traits<It>::reference> {
    permutation_iterator(It it, Index index) : at(it), order(index) {}
    typename std::iterator_traits<It>::reference value() const {
        return at[static_cast<std::ptrdiff_t>(static_cast<typename std::iterator_traits<Index>::value_type>(*order))];
    }
    void step(std::ptrdiff_t by) { order += by; }
    std::ptrdiff_t distance(const permutation_iterator &from) const { return order - from.order; }
    It at;
    Index order;
};
template <typename It, typename Index>
permutation_iterator<It, Index> make_permutation_iterator(It it, Index index) {
    return permutation_iterator<It, Index>(it, index);
}

template <typename Tuple> struct zip_iterator;
template <typename... It>
struct zip_iterator<std::tuple<It...>>
    : detail::Computed<zip_iterator<std::tuple<It...>>, std::tuple<typename std::iterator_traits<It>::value_type...>,
                       std::tuple<typename std::iterator_traits<It>::reference...>> {
    typedef std::tuple<typename std::iterator_traits<It>::reference...> Reference;
    zip_iterator() = default;
    zip_iterator(std::tuple<It...> its) : all(its) {}
    Reference value() const {
        return std::apply([](const It &...it) { return Reference(*it...); }, all);
    }
    void step(std::ptrdiff_t by) {
        std::apply([by](It &...it) { ((it += by), ...); }, all);
    }
    std::ptrdiff_t distance(const zip_iterator &from) const { return std::get<0>(all) - std::get<0>(from.all); }
    const std::tuple<It...> &get_iterator_tuple() const { return all; }
    std::tuple<It...> all;
};
template <typename... It>
zip_iterator<std::tuple<It...>> make_zip_iterator(std::tuple<It...> its) {
    return zip_iterator<std::tuple<It...>>(its);
}
template <typename... It>
zip_iterator<std::tuple<It...>> make_zip_iterator(It... its) {
    return zip_iterator<std::tuple<It...>>(std::make_tuple(its...));
}

namespace detail {

// An iterator as the library uses it: device memory by plain addresses.
template <typename It> It plain(It it) { return it; }
template <typename T> T *plain(device_ptr<T> it) { return it.get(); }
template <typename F, typename It> auto plain(const transform_iterator<F, It> &it);
template <typename It, typename Index> auto plain(const permutation_iterator<It, Index> &it);
template <typename... It>
auto plain(const zip_iterator<std::tuple<It...>> &it) {
    return std::apply([](const It &...one) { return make_zip_iterator(std::make_tuple(plain(one)...)); }, it.all);
}
template <typename F, typename It>
auto plain(const transform_iterator<F, It> &it) {
    return make_transform_iterator(plain(it.at), it.apply);
}
template <typename It, typename Index>
auto plain(const permutation_iterator<It, Index> &it) {
    return make_permutation_iterator(plain(it.at), plain(it.order));
}
template <typename It>
auto plain(const std::reverse_iterator<It> &it) {
    return std::make_reverse_iterator(plain(it.base()));
}

}  // namespace detail

}  // namespace thrust

#endif  // CUDAMIGRATE_EMULATION_THRUST_ITERATORS_H
