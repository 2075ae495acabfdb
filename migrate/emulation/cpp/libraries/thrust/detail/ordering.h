// Thrust's scans, sorts, selections and moves on the emulated GPU: plain loops of the host.
#ifndef CUDAMIGRATE_EMULATION_THRUST_ORDERING_H
#define CUDAMIGRATE_EMULATION_THRUST_ORDERING_H

#include "algorithms.h"

namespace thrust {

template <typename In, typename Out, typename F>
Out inclusive_scan(In first, In last, Out out, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    detail::Value<In> sum{};
    for (auto it = begin; it != end; ++it, ++to) *to = sum = it == begin ? detail::Value<In>(*it) : function(sum, *it);
    return out + (end - begin);
}
template <typename In, typename Out>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out> inclusive_scan(In first, In last, Out out) {
    return ::thrust::inclusive_scan(first, last, out, std::plus<detail::Value<In>>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(inclusive_scan)
template <typename In, typename Out, typename T, typename F>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out>
exclusive_scan(In first, In last, Out out, T start, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    for (auto it = begin; it != end; ++it, ++to) {
        const detail::Value<In> value = *it;
        *to = start;
        start = function(start, value);
    }
    return out + (end - begin);
}
template <typename In, typename Out, typename T>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out> exclusive_scan(In first, In last, Out out, T start) {
    return ::thrust::exclusive_scan(first, last, out, start, std::plus<T>());
}
template <typename In, typename Out>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out> exclusive_scan(In first, In last, Out out) {
    return ::thrust::exclusive_scan(first, last, out, detail::Value<In>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(exclusive_scan)
template <typename In, typename Out, typename U, typename F>
Out transform_inclusive_scan(In first, In last, Out out, U unary, F function) {
    const auto it = make_transform_iterator(first, unary);
    return ::thrust::inclusive_scan(it, it + (last - first), out, function);
}
CUDAMIGRATE_EMULATION_ALGORITHM(transform_inclusive_scan)
template <typename In, typename Out, typename U, typename T, typename F>
Out transform_exclusive_scan(In first, In last, Out out, U unary, T start, F function) {
    const auto it = make_transform_iterator(first, unary);
    return ::thrust::exclusive_scan(it, it + (last - first), out, start, function);
}
CUDAMIGRATE_EMULATION_ALGORITHM(transform_exclusive_scan)
template <typename In, typename Out, typename F>
Out adjacent_difference(In first, In last, Out out, F function) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    auto to = detail::plain(out);
    detail::Value<In> before{};
    for (auto it = begin; it != end; ++it, ++to) {
        const detail::Value<In> value = *it;
        *to = it == begin ? value : function(value, before);
        before = value;
    }
    return out + (end - begin);
}
template <typename In, typename Out>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out> adjacent_difference(In first, In last, Out out) {
    return ::thrust::adjacent_difference(first, last, out, std::minus<detail::Value<In>>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(adjacent_difference)

// Sorts keep the order of equals, as Thrust's radix sort does.
template <typename It, typename F>
void stable_sort(It first, It last, F less) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    std::vector<detail::Value<It>> values(begin, end);
    std::stable_sort(values.begin(), values.end(), less);
    std::copy(values.begin(), values.end(), begin);
}
template <typename It>
std::enable_if_t<!std::is_base_of<detail::Policy, It>::value> stable_sort(It first, It last) {
    ::thrust::stable_sort(first, last, std::less<detail::Value<It>>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(stable_sort)
template <typename It, typename... F>
std::enable_if_t<!std::is_base_of<detail::Policy, It>::value> sort(It first, It last, F... less) {
    ::thrust::stable_sort(first, last, less...);
}
CUDAMIGRATE_EMULATION_ALGORITHM(sort)
template <typename Key, typename It, typename F>
void stable_sort_by_key(Key first, Key last, It values, F less) {
    const detail::Works works;
    const auto keys = detail::plain(first), end = detail::plain(last);
    const auto with = detail::plain(values);
    const std::vector<detail::Value<Key>> old_keys(keys, end);
    const std::vector<detail::Value<It>> old_values(with, with + (end - keys));
    std::vector<std::size_t> order(old_keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return less(old_keys[a], old_keys[b]); });
    for (std::size_t at = 0; at < order.size(); ++at) {
        keys[static_cast<std::ptrdiff_t>(at)] = old_keys[order[at]];
        with[static_cast<std::ptrdiff_t>(at)] = old_values[order[at]];
    }
}
template <typename Key, typename It>
std::enable_if_t<!std::is_base_of<detail::Policy, Key>::value> stable_sort_by_key(Key first, Key last, It values) {
    ::thrust::stable_sort_by_key(first, last, values, std::less<detail::Value<Key>>());
}
CUDAMIGRATE_EMULATION_ALGORITHM(stable_sort_by_key)
template <typename Key, typename It, typename... F>
std::enable_if_t<!std::is_base_of<detail::Policy, Key>::value> sort_by_key(Key first, Key last, It values, F... less) {
    ::thrust::stable_sort_by_key(first, last, values, less...);
}
CUDAMIGRATE_EMULATION_ALGORITHM(sort_by_key)

// Runs of equal keys, each with what its values make.
template <typename Key, typename It, typename KeyOut, typename Out, typename Same, typename F>
std::pair<KeyOut, Out> reduce_by_key(Key first, Key last, It values, KeyOut keys_out, Out out, Same same, F function) {
    const detail::Works works;
    const auto end = detail::plain(last);
    auto value = detail::plain(values);
    auto key_to = detail::plain(keys_out);
    auto to = detail::plain(out);
    std::ptrdiff_t count = 0;
    for (auto it = detail::plain(first); it != end; ++count) {
        const detail::Value<Key> key = *it;
        detail::Value<It> sum = *value;
        for (++it, ++value; it != end && same(key, *it); ++it, ++value) sum = function(sum, *value);
        *key_to = key, *to = sum;
        ++key_to, ++to;
    }
    return {keys_out + count, out + count};
}
template <typename Key, typename It, typename KeyOut, typename Out, typename... Same>
std::enable_if_t<!std::is_base_of<detail::Policy, Key>::value && (sizeof...(Same) < 2), std::pair<KeyOut, Out>>
reduce_by_key(Key first, Key last, It values, KeyOut keys_out, Out out, Same... same) {
    const std::plus<detail::Value<It>> add;
    if constexpr (sizeof...(Same) == 0) {
        return ::thrust::reduce_by_key(first, last, values, keys_out, out, std::equal_to<detail::Value<Key>>(), add);
    } else {
        return ::thrust::reduce_by_key(first, last, values, keys_out, out, same..., add);
    }
}
CUDAMIGRATE_EMULATION_ALGORITHM(reduce_by_key)

// What stays of a range: `stays` is asked with each value and with the one that stayed last, null at first.
namespace detail {
template <typename In, typename Out, typename Stays>
std::ptrdiff_t kept(In first, In last, Out out, Stays stays) {
    std::ptrdiff_t count = 0;
    for (; first != last; ++first) {
        const Value<In> value = *first;
        if (!stays(value, first)) continue;
        *out = value;
        ++out, ++count;
    }
    return count;
}
}  // namespace detail
template <typename In, typename Out, typename F>
Out copy_if(In first, In last, Out out, F test) {
    const detail::Works works;
    const auto asked = [&](const auto &value, auto) { return test(value); };
    return out + detail::kept(detail::plain(first), detail::plain(last), detail::plain(out), asked);
}
template <typename In, typename Stencil, typename Out, typename F>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out>
copy_if(In first, In last, Stencil stencil, Out out, F test) {
    const detail::Works works;
    const auto begin = detail::plain(first);
    const auto by = detail::plain(stencil);
    const auto asked = [&](const auto &, auto at) { return test(by[at - begin]); };
    return out + detail::kept(begin, detail::plain(last), detail::plain(out), asked);
}
CUDAMIGRATE_EMULATION_ALGORITHM(copy_if)
template <typename In, typename F>
In remove_if(In first, In last, F test) {
    return ::thrust::copy_if(first, last, first, [&](const auto &value) { return !test(value); });
}
CUDAMIGRATE_EMULATION_ALGORITHM(remove_if)
template <typename In, typename Out, typename F>
Out remove_copy_if(In first, In last, Out out, F test) {
    return ::thrust::copy_if(first, last, out, [&](const auto &value) { return !test(value); });
}
CUDAMIGRATE_EMULATION_ALGORITHM(remove_copy_if)
template <typename In, typename Out, typename... Same>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value && (sizeof...(Same) < 2), Out>
unique_copy(In first, In last, Out out, Same... same) {
    const detail::Works works;
    bool any = false;
    detail::Value<In> before{};
    const auto asked = [&](const auto &value, auto) {
        bool stays = !any;
        if constexpr (sizeof...(Same) == 0) stays = stays || !(before == value);
        else stays = stays || !(same(before, value) || ...);
        any = true;
        if (stays) before = value;
        return stays;
    };
    return out + detail::kept(detail::plain(first), detail::plain(last), detail::plain(out), asked);
}
CUDAMIGRATE_EMULATION_ALGORITHM(unique_copy)
template <typename In, typename... Same>
std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, In> unique(In first, In last, Same... same) {
    return ::thrust::unique_copy(first, last, first, same...);
}
CUDAMIGRATE_EMULATION_ALGORITHM(unique)
template <typename In, typename F>
In stable_partition(In first, In last, F test) {
    const detail::Works works;
    const auto begin = detail::plain(first), end = detail::plain(last);
    const std::vector<detail::Value<In>> values(begin, end);
    auto to = std::copy_if(values.begin(), values.end(), begin, test);
    std::copy_if(values.begin(), values.end(), to, [&](const auto &value) { return !test(value); });
    return first + (to - begin);
}
CUDAMIGRATE_EMULATION_ALGORITHM(stable_partition)
template <typename In, typename F> In partition(In first, In last, F test) { return ::thrust::stable_partition(first, last, test); }
CUDAMIGRATE_EMULATION_ALGORITHM(partition)

template <typename Map, typename In, typename Out>
Out gather(Map first, Map last, In from, Out out) {
    return ::thrust::copy(make_permutation_iterator(from, first), make_permutation_iterator(from, last), out);
}
CUDAMIGRATE_EMULATION_ALGORITHM(gather)
template <typename In, typename Map, typename Out>
void scatter(In first, In last, Map map, Out out) {
    ::thrust::copy(first, last, make_permutation_iterator(out, map));
}
CUDAMIGRATE_EMULATION_ALGORITHM(scatter)

// Searches of one value, and of many at once.
template <typename In, typename T>
In lower_bound(In first, In last, const T &value) {
    const detail::Works works;
    return first + (std::lower_bound(detail::plain(first), detail::plain(last), value) - detail::plain(first));
}
template <typename In, typename T>
bool binary_search(In first, In last, const T &value) {
    const detail::Works works;
    return std::binary_search(detail::plain(first), detail::plain(last), value);
}
#define CUDAMIGRATE_EMULATION_SEARCH(name, found)                                                             \
    template <typename In, typename Values, typename Out>                                                     \
    std::enable_if_t<!std::is_base_of<detail::Policy, In>::value, Out>                                        \
    name(In first, In last, Values values, Values values_end, Out out) {                                      \
        const detail::Works works;                                                                            \
        const auto begin = detail::plain(first), end = detail::plain(last);                                   \
        auto to = detail::plain(out);                                                                         \
        const auto stop = detail::plain(values_end);                                                          \
        for (auto it = detail::plain(values); it != stop; ++it, ++to) *to = found;                            \
        return out + (values_end - values);                                                                   \
    }                                                                                                         \
    CUDAMIGRATE_EMULATION_ALGORITHM(name)
CUDAMIGRATE_EMULATION_SEARCH(lower_bound, std::lower_bound(begin, end, *it) - begin)
CUDAMIGRATE_EMULATION_SEARCH(upper_bound, std::upper_bound(begin, end, *it) - begin)
CUDAMIGRATE_EMULATION_SEARCH(binary_search, std::binary_search(begin, end, *it))
#undef CUDAMIGRATE_EMULATION_SEARCH
#define CUDAMIGRATE_EMULATION_OF_TWO(name)                                                                    \
    template <typename A, typename B, typename Out>                                                           \
    std::enable_if_t<!std::is_base_of<detail::Policy, A>::value, Out>                                         \
    name(A first, A last, B other, B other_last, Out out) {                                                   \
        const detail::Works works;                                                                            \
        const auto begin = detail::plain(out);                                                                \
        return out + (std::name(detail::plain(first), detail::plain(last), detail::plain(other),              \
                                detail::plain(other_last), begin) - begin);                                   \
    }                                                                                                         \
    CUDAMIGRATE_EMULATION_ALGORITHM(name)
CUDAMIGRATE_EMULATION_OF_TWO(merge)
CUDAMIGRATE_EMULATION_OF_TWO(set_intersection)
CUDAMIGRATE_EMULATION_OF_TWO(set_union)
CUDAMIGRATE_EMULATION_OF_TWO(set_difference)
#undef CUDAMIGRATE_EMULATION_OF_TWO
#undef CUDAMIGRATE_EMULATION_ALGORITHM

}  // namespace thrust

#endif  // CUDAMIGRATE_EMULATION_THRUST_ORDERING_H
