// cudamigrate declarations: single-thread part of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_THREAD
#define CUDAMIGRATE_DECLARES_HIPCUB_THREAD
#include <hipcub/cudamigrate/types.hpp>

namespace hipcub {
enum CacheLoadModifier : int { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier : int { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <class It> using cm_value_t = typename std::iterator_traits<It>::value_type;

template <CacheLoadModifier M, class It> CM_CUB_D cm_value_t<It> ThreadLoad(It) CM_CUB_NONE
template <CacheStoreModifier M, class It, class T> CM_CUB_D void ThreadStore(It, T) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadReduce(T *, Op, T) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadReduce(T *, Op) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadReduce(T (&)[N], Op, T) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadReduce(T (&)[N], Op) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadScanInclusive(T *, T *, Op) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadScanInclusive(T (&)[N], T (&)[N], Op) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadScanInclusive(T (&)[N], T (&)[N], Op, T, bool = true) CM_CUB_NONE
template <int N, class T, class Op> CM_CUB_D T ThreadScanExclusive(T (&)[N], T (&)[N], Op, T, bool = true) CM_CUB_NONE
template <class A, class B, class Offset, class Point>
CM_CUB_HD void MergePathSearch(Offset, A, B, Offset, Offset, Point &) CM_CUB_NONE
template <class It, class Offset, class T> CM_CUB_D Offset LowerBound(It, Offset, T) CM_CUB_NONE
template <class It, class Offset, class T> CM_CUB_D Offset UpperBound(It, Offset, T) CM_CUB_NONE
template <class K, class V, class Op, int N> CM_CUB_D void StableOddEvenSort(K (&)[N], V (&)[N], Op) CM_CUB_NONE
}
#endif
