// cudamigrate declarations: algorithms of rocThrust 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_THRUST_ALGORITHMS
#define CUDAMIGRATE_DECLARES_THRUST_ALGORITHMS
#include <thrust/cudamigrate/functional.h>
#include <thrust/cudamigrate/iterators.h>

namespace thrust {
// Each algorithm comes with and without a policy before its arguments.
#define CM_LIST(...) __VA_ARGS__
#define CM_ALGORITHM(result, name, types, arguments) \
    template <class P, types> \
    CM_THRUST_HD result name(const detail::execution_policy_base<P> &, arguments) CM_THRUST_NONE \
    template <types> CM_THRUST_HD result name(arguments) CM_THRUST_NONE
#define CM_VALUE(I) typename iterator_traits<I>::value_type
#define CM_COUNT(I) typename iterator_traits<I>::difference_type

CM_ALGORITHM(O, copy, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, copy_n, CM_LIST(class I, class N, class O), CM_LIST(I, N, O))
CM_ALGORITHM(O, copy_if, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))
CM_ALGORITHM(O, copy_if, CM_LIST(class I, class S, class O, class F), CM_LIST(I, I, S, O, F))
CM_ALGORITHM(O, uninitialized_copy, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, uninitialized_copy_n, CM_LIST(class I, class N, class O), CM_LIST(I, N, O))
CM_ALGORITHM(void, uninitialized_fill, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(I, uninitialized_fill_n, CM_LIST(class I, class N, class T), CM_LIST(I, N, const T &))
CM_ALGORITHM(void, fill, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(I, fill_n, CM_LIST(class I, class N, class T), CM_LIST(I, N, const T &))
CM_ALGORITHM(void, generate, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, generate_n, CM_LIST(class I, class N, class F), CM_LIST(I, N, F))
CM_ALGORITHM(void, sequence, CM_LIST(class I), CM_LIST(I, I))
CM_ALGORITHM(void, sequence, CM_LIST(class I, class T), CM_LIST(I, I, T))
CM_ALGORITHM(void, sequence, CM_LIST(class I, class T), CM_LIST(I, I, T, T))
CM_ALGORITHM(void, tabulate, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, for_each, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, for_each_n, CM_LIST(class I, class N, class F), CM_LIST(I, N, F))
CM_ALGORITHM(O, transform, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))
CM_ALGORITHM(O, transform, CM_LIST(class I, class J, class O, class F), CM_LIST(I, I, J, O, F))
CM_ALGORITHM(O, transform_if, CM_LIST(class I, class O, class F, class G), CM_LIST(I, I, O, F, G))
CM_ALGORITHM(O, transform_if, CM_LIST(class I, class S, class O, class F, class G), CM_LIST(I, I, S, O, F, G))
CM_ALGORITHM(
    O, transform_if, CM_LIST(class I, class J, class S, class O, class F, class G), CM_LIST(I, I, J, S, O, F, G))
CM_ALGORITHM(I, swap_ranges, CM_LIST(class I, class J), CM_LIST(I, I, J))
CM_ALGORITHM(void, reverse, CM_LIST(class I), CM_LIST(I, I))
CM_ALGORITHM(O, reverse_copy, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(void, replace, CM_LIST(class I, class T), CM_LIST(I, I, const T &, const T &))
CM_ALGORITHM(void, replace_if, CM_LIST(class I, class F, class T), CM_LIST(I, I, F, const T &))
CM_ALGORITHM(void, replace_if, CM_LIST(class I, class S, class F, class T), CM_LIST(I, I, S, F, const T &))
CM_ALGORITHM(O, replace_copy, CM_LIST(class I, class O, class T), CM_LIST(I, I, O, const T &, const T &))
CM_ALGORITHM(O, replace_copy_if, CM_LIST(class I, class O, class F, class T), CM_LIST(I, I, O, F, const T &))
CM_ALGORITHM(I, remove, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(I, remove_if, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, remove_if, CM_LIST(class I, class S, class F), CM_LIST(I, I, S, F))
CM_ALGORITHM(O, remove_copy, CM_LIST(class I, class O, class T), CM_LIST(I, I, O, const T &))
CM_ALGORITHM(O, remove_copy_if, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))
CM_ALGORITHM(O, remove_copy_if, CM_LIST(class I, class S, class O, class F), CM_LIST(I, I, S, O, F))
CM_ALGORITHM(O, gather, CM_LIST(class M, class I, class O), CM_LIST(M, M, I, O))
CM_ALGORITHM(O, gather_if, CM_LIST(class M, class S, class I, class O), CM_LIST(M, M, S, I, O))
CM_ALGORITHM(O, gather_if, CM_LIST(class M, class S, class I, class O, class F), CM_LIST(M, M, S, I, O, F))
CM_ALGORITHM(void, scatter, CM_LIST(class I, class M, class O), CM_LIST(I, I, M, O))
CM_ALGORITHM(void, scatter_if, CM_LIST(class I, class M, class S, class O), CM_LIST(I, I, M, S, O))
CM_ALGORITHM(void, scatter_if, CM_LIST(class I, class M, class S, class O, class F), CM_LIST(I, I, M, S, O, F))

CM_ALGORITHM(CM_VALUE(I), reduce, class I, CM_LIST(I, I))
CM_ALGORITHM(T, reduce, CM_LIST(class I, class T), CM_LIST(I, I, T))
CM_ALGORITHM(T, reduce, CM_LIST(class I, class T, class F), CM_LIST(I, I, T, F))
#define CM_ENDS thrust::pair<A, B>
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), reduce_by_key,
    CM_LIST(class K, class V, class A, class B), CM_LIST(K, K, V, A, B))
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), reduce_by_key,
    CM_LIST(class K, class V, class A, class B, class E), CM_LIST(K, K, V, A, B, E))
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), reduce_by_key,
    CM_LIST(class K, class V, class A, class B, class E, class F), CM_LIST(K, K, V, A, B, E, F))
CM_ALGORITHM(T, transform_reduce, CM_LIST(class I, class G, class T, class F), CM_LIST(I, I, G, T, F))
CM_ALGORITHM(T, inner_product, CM_LIST(class I, class J, class T), CM_LIST(I, I, J, T))
CM_ALGORITHM(T, inner_product, CM_LIST(class I, class J, class T, class F, class G), CM_LIST(I, I, J, T, F, G))
CM_ALGORITHM(CM_COUNT(I), count, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(CM_COUNT(I), count_if, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, min_element, class I, CM_LIST(I, I))
CM_ALGORITHM(I, min_element, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, max_element, class I, CM_LIST(I, I))
CM_ALGORITHM(I, max_element, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(CM_LIST(thrust::pair<I, I>), minmax_element, class I, CM_LIST(I, I))
CM_ALGORITHM(CM_LIST(thrust::pair<I, I>), minmax_element, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(bool, all_of, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(bool, any_of, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(bool, none_of, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(bool, equal, CM_LIST(class I, class J), CM_LIST(I, I, J))
CM_ALGORITHM(bool, equal, CM_LIST(class I, class J, class F), CM_LIST(I, I, J, F))
CM_ALGORITHM(I, find, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(I, find_if, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, find_if_not, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(CM_LIST(thrust::pair<I, J>), mismatch, CM_LIST(class I, class J), CM_LIST(I, I, J))
CM_ALGORITHM(CM_LIST(thrust::pair<I, J>), mismatch, CM_LIST(class I, class J, class F), CM_LIST(I, I, J, F))
#undef CM_ENDS

CM_ALGORITHM(O, inclusive_scan, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, inclusive_scan, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))
CM_ALGORITHM(O, inclusive_scan, CM_LIST(class I, class O, class T, class F), CM_LIST(I, I, O, T, F))
CM_ALGORITHM(O, exclusive_scan, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, exclusive_scan, CM_LIST(class I, class O, class T), CM_LIST(I, I, O, T))
CM_ALGORITHM(O, exclusive_scan, CM_LIST(class I, class O, class T, class F), CM_LIST(I, I, O, T, F))
CM_ALGORITHM(O, inclusive_scan_by_key, CM_LIST(class K, class V, class O), CM_LIST(K, K, V, O))
CM_ALGORITHM(O, inclusive_scan_by_key, CM_LIST(class K, class V, class O, class E), CM_LIST(K, K, V, O, E))
CM_ALGORITHM(O, inclusive_scan_by_key, CM_LIST(class K, class V, class O, class E, class F), CM_LIST(K, K, V, O, E, F))
CM_ALGORITHM(O, exclusive_scan_by_key, CM_LIST(class K, class V, class O), CM_LIST(K, K, V, O))
CM_ALGORITHM(O, exclusive_scan_by_key, CM_LIST(class K, class V, class O, class T), CM_LIST(K, K, V, O, T))
CM_ALGORITHM(O, exclusive_scan_by_key, CM_LIST(class K, class V, class O, class T, class E), CM_LIST(K, K, V, O, T, E))
CM_ALGORITHM(O, exclusive_scan_by_key,
    CM_LIST(class K, class V, class O, class T, class E, class F), CM_LIST(K, K, V, O, T, E, F))
CM_ALGORITHM(O, transform_inclusive_scan, CM_LIST(class I, class O, class G, class F), CM_LIST(I, I, O, G, F))
CM_ALGORITHM(
    O, transform_exclusive_scan, CM_LIST(class I, class O, class G, class T, class F), CM_LIST(I, I, O, G, T, F))
CM_ALGORITHM(O, adjacent_difference, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, adjacent_difference, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))

#define CM_SORT(name) \
    CM_ALGORITHM(void, name, class I, CM_LIST(I, I)) \
    CM_ALGORITHM(void, name, CM_LIST(class I, class F), CM_LIST(I, I, F)) \
    CM_ALGORITHM(void, name##_by_key, CM_LIST(class K, class V), CM_LIST(K, K, V)) \
    CM_ALGORITHM(void, name##_by_key, CM_LIST(class K, class V, class F), CM_LIST(K, K, V, F))
CM_SORT(sort)
CM_SORT(stable_sort)
#undef CM_SORT
CM_ALGORITHM(bool, is_sorted, class I, CM_LIST(I, I))
CM_ALGORITHM(bool, is_sorted, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, is_sorted_until, class I, CM_LIST(I, I))
CM_ALGORITHM(I, is_sorted_until, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(I, unique, class I, CM_LIST(I, I))
CM_ALGORITHM(I, unique, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(O, unique_copy, CM_LIST(class I, class O), CM_LIST(I, I, O))
CM_ALGORITHM(O, unique_copy, CM_LIST(class I, class O, class F), CM_LIST(I, I, O, F))
CM_ALGORITHM(CM_COUNT(I), unique_count, class I, CM_LIST(I, I))
CM_ALGORITHM(CM_LIST(thrust::pair<K, V>), unique_by_key, CM_LIST(class K, class V), CM_LIST(K, K, V))
CM_ALGORITHM(CM_LIST(thrust::pair<K, V>), unique_by_key, CM_LIST(class K, class V, class F), CM_LIST(K, K, V, F))
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), unique_by_key_copy,
    CM_LIST(class K, class V, class A, class B), CM_LIST(K, K, V, A, B))
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), unique_by_key_copy,
    CM_LIST(class K, class V, class A, class B, class F), CM_LIST(K, K, V, A, B, F))
#define CM_PARTITION(prefix) \
    CM_ALGORITHM(I, prefix##partition, CM_LIST(class I, class F), CM_LIST(I, I, F)) \
    CM_ALGORITHM(I, prefix##partition, CM_LIST(class I, class S, class F), CM_LIST(I, I, S, F)) \
    CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), prefix##partition_copy, \
        CM_LIST(class I, class A, class B, class F), CM_LIST(I, I, A, B, F)) \
    CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), prefix##partition_copy, \
        CM_LIST(class I, class S, class A, class B, class F), CM_LIST(I, I, S, A, B, F))
CM_PARTITION()
CM_PARTITION(stable_)
#undef CM_PARTITION
CM_ALGORITHM(I, partition_point, CM_LIST(class I, class F), CM_LIST(I, I, F))
CM_ALGORITHM(bool, is_partitioned, CM_LIST(class I, class F), CM_LIST(I, I, F))

#define CM_SEARCH(result, name) \
    CM_ALGORITHM(result, name, CM_LIST(class I, class T), CM_LIST(I, I, const T &)) \
    CM_ALGORITHM(result, name, CM_LIST(class I, class T, class F), CM_LIST(I, I, const T &, F)) \
    CM_ALGORITHM(O, name, CM_LIST(class I, class J, class O), CM_LIST(I, I, J, J, O)) \
    CM_ALGORITHM(O, name, CM_LIST(class I, class J, class O, class F), CM_LIST(I, I, J, J, O, F))
CM_SEARCH(I, lower_bound)
CM_SEARCH(I, upper_bound)
CM_SEARCH(bool, binary_search)
#undef CM_SEARCH
CM_ALGORITHM(CM_LIST(thrust::pair<I, I>), equal_range, CM_LIST(class I, class T), CM_LIST(I, I, const T &))
CM_ALGORITHM(CM_LIST(thrust::pair<I, I>), equal_range, CM_LIST(class I, class T, class F), CM_LIST(I, I, const T &, F))
#define CM_SETS(name) \
    CM_ALGORITHM(O, name, CM_LIST(class I, class J, class O), CM_LIST(I, I, J, J, O)) \
    CM_ALGORITHM(O, name, CM_LIST(class I, class J, class O, class F), CM_LIST(I, I, J, J, O, F))
#define CM_SETS_BY_KEY(name) \
    CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), name##_by_key, \
        CM_LIST(class I, class J, class V, class W, class A, class B), CM_LIST(I, I, J, J, V, W, A, B)) \
    CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), name##_by_key, \
        CM_LIST(class I, class J, class V, class W, class A, class B, class F), CM_LIST(I, I, J, J, V, W, A, B, F))
CM_SETS(merge)
CM_SETS(set_union)
CM_SETS(set_difference)
CM_SETS(set_intersection)
CM_SETS(set_symmetric_difference)
CM_SETS_BY_KEY(merge)
CM_SETS_BY_KEY(set_union)
CM_SETS_BY_KEY(set_difference)
CM_SETS_BY_KEY(set_symmetric_difference)
#undef CM_SETS
#undef CM_SETS_BY_KEY
CM_ALGORITHM(CM_LIST(thrust::pair<A, B>), set_intersection_by_key,
    CM_LIST(class I, class J, class V, class A, class B), CM_LIST(I, I, J, J, V, A, B))
CM_ALGORITHM(void, shuffle, CM_LIST(class I, class G), CM_LIST(I, I, G &&))
CM_ALGORITHM(void, shuffle_copy, CM_LIST(class I, class O, class G), CM_LIST(I, I, O, G &&))
#undef CM_VALUE
#undef CM_COUNT
#undef CM_ALGORITHM
#undef CM_LIST

template <class T> CM_THRUST_HD T min(const T &, const T &) CM_THRUST_NONE
template <class T, class F> CM_THRUST_HD T min(const T &, const T &, F) CM_THRUST_NONE
template <class T> CM_THRUST_HD T max(const T &, const T &) CM_THRUST_NONE
template <class T, class F> CM_THRUST_HD T max(const T &, const T &, F) CM_THRUST_NONE
}
#endif
