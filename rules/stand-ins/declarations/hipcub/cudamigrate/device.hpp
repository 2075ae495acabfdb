// cudamigrate declarations: device-wide part of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_DEVICE
#define CUDAMIGRATE_DECLARES_HIPCUB_DEVICE
#include <hipcub/cudamigrate/iterator.hpp>

namespace hipcub {
#define CM_CALL __host__ static hipError_t
#define CM_TEMP void *, size_t &
#define CM_LAST hipStream_t = 0, bool = false
#define CM_LAST_BITS(type) int = 0, int = sizeof(type) * 8, CM_LAST

struct DeviceReduce {
    template <class I, class O, class Op, class T, class N> CM_CALL Reduce(CM_TEMP, I, O, N, Op, T, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class T, class N, class Env = int,
              class = typename std::enable_if<std::is_convertible<N, size_t>::value>::type>
    CM_CALL Reduce(I, O, N, Op, T, Env = Env()) CM_CUB_NONE // allocates by what an environment says
    template <class I, class O, class N> CM_CALL Sum(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class N> CM_CALL Min(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class N> CM_CALL Max(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class N> CM_CALL ArgMin(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class N> CM_CALL ArgMax(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class Map, class T, class N>
    CM_CALL TransformReduce(CM_TEMP, I, O, N, Op, Map, T, CM_LAST) CM_CUB_NONE
    template <class K, class U, class V, class A, class C, class Op, class N>
    CM_CALL ReduceByKey(CM_TEMP, K, U, V, A, C, Op, N, CM_LAST) CM_CUB_NONE
};
struct DeviceSegmentedReduce {
    template <class I, class O, class B, class E, class Op, class T>
    CM_CALL Reduce(CM_TEMP, I, O, int, B, E, Op, T, CM_LAST) CM_CUB_NONE
    template <class I, class O, class B, class E> CM_CALL Sum(CM_TEMP, I, O, int, B, E, CM_LAST) CM_CUB_NONE
    template <class I, class O, class B, class E> CM_CALL Min(CM_TEMP, I, O, int, B, E, CM_LAST) CM_CUB_NONE
    template <class I, class O, class B, class E> CM_CALL Max(CM_TEMP, I, O, int, B, E, CM_LAST) CM_CUB_NONE
    template <class I, class O, class B, class E> CM_CALL ArgMin(CM_TEMP, I, O, int, B, E, CM_LAST) CM_CUB_NONE
    template <class I, class O, class B, class E> CM_CALL ArgMax(CM_TEMP, I, O, int, B, E, CM_LAST) CM_CUB_NONE
};

class DeviceScan {
    template <class N> using cm_count = typename std::enable_if<std::is_convertible<N, size_t>::value>::type;
public:
    template <class I, class O, class N, class = cm_count<N>> CM_CALL InclusiveSum(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class N, class = cm_count<N>> CM_CALL InclusiveSum(CM_TEMP, I, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class N, class = cm_count<N>> CM_CALL ExclusiveSum(CM_TEMP, I, O, N, CM_LAST) CM_CUB_NONE
    template <class I, class N, class = cm_count<N>> CM_CALL ExclusiveSum(CM_TEMP, I, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class N, class = cm_count<N>>
    CM_CALL InclusiveScan(CM_TEMP, I, O, Op, N, CM_LAST) CM_CUB_NONE
    template <class I, class Op, class N, class = cm_count<N>> CM_CALL InclusiveScan(CM_TEMP, I, Op, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class T, class N> CM_CALL InclusiveScanInit(CM_TEMP, I, O, Op, T, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class T, class N, class = cm_count<N>>
    CM_CALL ExclusiveScan(CM_TEMP, I, O, Op, T, N, CM_LAST) CM_CUB_NONE
    template <class I, class Op, class T, class N, class = cm_count<N>>
    CM_CALL ExclusiveScan(CM_TEMP, I, Op, T, N, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op, class T, class It, class N>
    CM_CALL ExclusiveScan(CM_TEMP, I, O, Op, FutureValue<T, It>, N, CM_LAST) CM_CUB_NONE
    template <class K, class I, class O, class N, class Eq = Equality>
    CM_CALL InclusiveSumByKey(CM_TEMP, K, I, O, N, Eq = Eq(), CM_LAST) CM_CUB_NONE
    template <class K, class I, class O, class N, class Eq = Equality>
    CM_CALL ExclusiveSumByKey(CM_TEMP, K, I, O, N, Eq = Eq(), CM_LAST) CM_CUB_NONE
    template <class K, class I, class O, class Op, class N, class Eq = Equality>
    CM_CALL InclusiveScanByKey(CM_TEMP, K, I, O, Op, N, Eq = Eq(), CM_LAST) CM_CUB_NONE
    template <class K, class I, class O, class Op, class T, class N, class Eq = Equality>
    CM_CALL ExclusiveScanByKey(CM_TEMP, K, I, O, Op, T, N, Eq = Eq(), CM_LAST) CM_CUB_NONE
};

#define CM_PAIRS(name) \
    template <class K, class V, class N> CM_CALL name( \
        CM_TEMP, const K *, K *, const V *, V *, N, CM_LAST_BITS(K)) CM_CUB_NONE \
    template <class K, class V, class N> CM_CALL name( \
        CM_TEMP, DoubleBuffer<K> &, DoubleBuffer<V> &, N, CM_LAST_BITS(K)) CM_CUB_NONE \
    template <class K, class V, class N, class D> CM_CALL name( \
        CM_TEMP, const K *, K *, const V *, V *, N, D, CM_LAST) CM_CUB_NONE \
    template <class K, class V, class N, class D> CM_CALL name( \
        CM_TEMP, const K *, K *, const V *, V *, N, D, int, int, CM_LAST) CM_CUB_NONE \
    template <class K, class V, class N, class D> CM_CALL name( \
        CM_TEMP, DoubleBuffer<K> &, DoubleBuffer<V> &, N, D, CM_LAST) CM_CUB_NONE
#define CM_KEYS(name) \
    template <class K, class N> CM_CALL name(CM_TEMP, const K *, K *, N, CM_LAST_BITS(K)) CM_CUB_NONE \
    template <class K, class N> CM_CALL name(CM_TEMP, DoubleBuffer<K> &, N, CM_LAST_BITS(K)) CM_CUB_NONE \
    template <class K, class N, class D> CM_CALL name(CM_TEMP, const K *, K *, N, D, CM_LAST) CM_CUB_NONE \
    template <class K, class N, class D> CM_CALL name(CM_TEMP, const K *, K *, N, D, int, int, CM_LAST) CM_CUB_NONE
struct DeviceRadixSort {
    CM_PAIRS(SortPairs)
    CM_PAIRS(SortPairsDescending)
    CM_KEYS(SortKeys)
    CM_KEYS(SortKeysDescending)
};
#undef CM_PAIRS
#undef CM_KEYS
#define CM_PAIRS(name, last) \
    template <class K, class V, class B, class E> CM_CALL name( \
        CM_TEMP, const K *, K *, const V *, V *, int, int, B, E, last) CM_CUB_NONE \
    template <class K, class V, class B, class E> CM_CALL name( \
        CM_TEMP, DoubleBuffer<K> &, DoubleBuffer<V> &, int, int, B, E, last) CM_CUB_NONE
#define CM_KEYS(name, last) \
    template <class K, class B, class E> CM_CALL name(CM_TEMP, const K *, K *, int, int, B, E, last) CM_CUB_NONE \
    template <class K, class B, class E> CM_CALL name(CM_TEMP, DoubleBuffer<K> &, int, int, B, E, last) CM_CUB_NONE
#define CM_BITS int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false
#define CM_STREAM hipStream_t = 0, bool = false
#define CM_ARGS(...) __VA_ARGS__
struct DeviceSegmentedRadixSort {
    CM_PAIRS(SortPairs, CM_ARGS(CM_BITS))
    CM_PAIRS(SortPairsDescending, CM_ARGS(CM_BITS))
    CM_KEYS(SortKeys, CM_ARGS(CM_BITS))
    CM_KEYS(SortKeysDescending, CM_ARGS(CM_BITS))
};
struct DeviceSegmentedSort {
    CM_PAIRS(SortPairs, CM_ARGS(CM_STREAM))
    CM_PAIRS(SortPairsDescending, CM_ARGS(CM_STREAM))
    CM_KEYS(SortKeys, CM_ARGS(CM_STREAM))
    CM_KEYS(SortKeysDescending, CM_ARGS(CM_STREAM))
    CM_PAIRS(StableSortPairs, CM_ARGS(CM_STREAM))
    CM_PAIRS(StableSortPairsDescending, CM_ARGS(CM_STREAM))
    CM_KEYS(StableSortKeys, CM_ARGS(CM_STREAM))
    CM_KEYS(StableSortKeysDescending, CM_ARGS(CM_STREAM))
};
#undef CM_PAIRS
#undef CM_KEYS
#undef CM_BITS
#undef CM_STREAM
#undef CM_ARGS
struct DeviceMergeSort {
    template <class K, class V, class N, class Op> CM_CALL SortPairs(CM_TEMP, K, V, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class V, class A, class B, class N, class Op>
    CM_CALL SortPairsCopy(CM_TEMP, K, V, A, B, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class N, class Op> CM_CALL SortKeys(CM_TEMP, K, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class O, class N, class Op> CM_CALL SortKeysCopy(CM_TEMP, K, O, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class V, class N, class Op> CM_CALL StableSortPairs(CM_TEMP, K, V, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class N, class Op> CM_CALL StableSortKeys(CM_TEMP, K, N, Op, CM_LAST) CM_CUB_NONE
    template <class K, class O, class N, class Op> CM_CALL StableSortKeysCopy(CM_TEMP, K, O, N, Op, CM_LAST) CM_CUB_NONE
};
struct DeviceMerge {
    template <class A, class B, class O, class Op = ::std::less<>>
    CM_CALL MergeKeys(CM_TEMP, A, int, B, int, O, Op = {}, CM_LAST) CM_CUB_NONE
    template <class A, class V, class B, class W, class O, class P, class Op = ::std::less<>>
    CM_CALL MergePairs(CM_TEMP, A, V, int, B, W, int, O, P, Op = {}, CM_LAST) CM_CUB_NONE
};
class DeviceSelect {
public:
    template <class I, class F, class O, class C> CM_CALL Flagged(CM_TEMP, I, F, O, C, int, CM_LAST) CM_CUB_NONE
    template <class I, class F, class C> CM_CALL Flagged(CM_TEMP, I, F, C, int, CM_LAST) CM_CUB_NONE
    template <class I, class O, class C, class Op> CM_CALL If(CM_TEMP, I, O, C, int, Op, CM_LAST) CM_CUB_NONE
    template <class I, class C, class Op> CM_CALL If(CM_TEMP, I, C, int, Op, CM_LAST) CM_CUB_NONE
    template <class I, class F, class O, class C, class Op> CM_CALL FlaggedIf(CM_TEMP, I, F, O, C, int, Op, CM_LAST) CM_CUB_NONE
    template <class I, class O, class C> CM_CALL Unique(CM_TEMP, I, O, C, int, CM_LAST) CM_CUB_NONE
    template <class K, class V, class U, class A, class C, class N, class Eq>
    CM_CALL UniqueByKey(CM_TEMP, K, V, U, A, C, N, Eq, CM_LAST) CM_CUB_NONE
    template <class K, class V, class U, class A, class C, class N>
    CM_CALL UniqueByKey(CM_TEMP, K, V, U, A, C, N, CM_LAST) CM_CUB_NONE
};
struct DevicePartition {
    template <class I, class F, class O, class C> CM_CALL Flagged(CM_TEMP, I, F, O, C, int, CM_LAST) CM_CUB_NONE
    template <class I, class O, class C, class Op> CM_CALL If(CM_TEMP, I, O, C, int, Op, CM_LAST) CM_CUB_NONE
    template <class I, class A, class B, class U, class C, class P, class Q>
    CM_CALL If(CM_TEMP, I, A, B, U, C, int, P, Q, CM_LAST) CM_CUB_NONE
};
class DeviceRunLengthEncode {
public:
    template <class I, class U, class L, class C> CM_CALL Encode(CM_TEMP, I, U, L, C, int, CM_LAST) CM_CUB_NONE
    template <class I, class O, class L, class C> CM_CALL NonTrivialRuns(CM_TEMP, I, O, L, C, int, CM_LAST) CM_CUB_NONE
};
struct DeviceHistogram {
    template <class I, class C, class L, class N> CM_CALL HistogramEven(CM_TEMP, I, C *, int, L, L, N, CM_LAST) CM_CUB_NONE
    template <class I, class C, class L, class N>
    CM_CALL HistogramEven(CM_TEMP, I, C *, int, L, L, N, N, size_t, CM_LAST) CM_CUB_NONE
    template <class I, class C, class L, class N> CM_CALL HistogramRange(CM_TEMP, I, C *, int, L *, N, CM_LAST) CM_CUB_NONE
    template <class I, class C, class L, class N>
    CM_CALL HistogramRange(CM_TEMP, I, C *, int, L *, N, N, size_t, CM_LAST) CM_CUB_NONE
    template <int ALL, int ACTIVE, class I, class C, class L, class N> CM_CALL MultiHistogramEven(
        CM_TEMP, I, C *[ACTIVE], int[ACTIVE], L[ACTIVE], L[ACTIVE], N, CM_LAST) CM_CUB_NONE
    template <int ALL, int ACTIVE, class I, class C, class L, class N> CM_CALL MultiHistogramEven(
        CM_TEMP, I, C *[ACTIVE], int[ACTIVE], L[ACTIVE], L[ACTIVE], N, N, size_t, CM_LAST) CM_CUB_NONE
    template <int ALL, int ACTIVE, class I, class C, class L, class N> CM_CALL MultiHistogramRange(
        CM_TEMP, I, C *[ACTIVE], int[ACTIVE], L *[ACTIVE], N, CM_LAST) CM_CUB_NONE
    template <int ALL, int ACTIVE, class I, class C, class L, class N> CM_CALL MultiHistogramRange(
        CM_TEMP, I, C *[ACTIVE], int[ACTIVE], L *[ACTIVE], N, N, size_t, CM_LAST) CM_CUB_NONE
};
struct DeviceAdjacentDifference {
    template <class I, class O, class Op = Difference, class N = unsigned int>
    CM_CALL SubtractLeftCopy(CM_TEMP, I, O, N, Op = {}, CM_LAST) CM_CUB_NONE
    template <class I, class Op = Difference, class N = unsigned int>
    CM_CALL SubtractLeft(CM_TEMP, I, N, Op = {}, CM_LAST) CM_CUB_NONE
    template <class I, class O, class Op = Difference, class N = unsigned int>
    CM_CALL SubtractRightCopy(CM_TEMP, I, O, N, Op = {}, CM_LAST) CM_CUB_NONE
    template <class I, class Op = Difference, class N = unsigned int>
    CM_CALL SubtractRight(CM_TEMP, I, N, Op = {}, CM_LAST) CM_CUB_NONE
};
struct DeviceFor {
    template <class N, class Op> CM_CALL Bulk(CM_TEMP, N, Op, CM_LAST) CM_CUB_NONE
    template <class N, class Op> CM_CALL Bulk(N, Op, CM_LAST) CM_CUB_NONE
    template <class I, class N, class Op> CM_CALL ForEachN(CM_TEMP, I, N, Op, CM_LAST) CM_CUB_NONE
    template <class I, class N, class Op> CM_CALL ForEachN(I, N, Op, CM_LAST) CM_CUB_NONE
    template <class I, class Op> CM_CALL ForEach(CM_TEMP, I, I, Op, CM_LAST) CM_CUB_NONE
    template <class I, class Op> CM_CALL ForEach(I, I, Op, CM_LAST) CM_CUB_NONE
    template <class I, class N, class Op> CM_CALL ForEachCopyN(I, N, Op, CM_LAST) CM_CUB_NONE
    template <class I, class Op> CM_CALL ForEachCopy(I, I, Op, CM_LAST) CM_CUB_NONE
};
struct DeviceMemcpy {
    template <class I, class O, class S> CM_CALL Batched(CM_TEMP, I, O, S, uint32_t, CM_LAST) CM_CUB_NONE
};
struct DeviceCopy {
    template <class I, class O, class S> CM_CALL Batched(CM_TEMP, I, O, S, uint32_t, CM_LAST) CM_CUB_NONE
};
struct DeviceTransform {
    template <class I, class O, class N, class Op> CM_CALL Transform(I, O, N, Op, hipStream_t = 0) CM_CUB_NONE
    template <class I, class O, class N, class Op>
    CM_CALL TransformStableArgumentAddresses(I, O, N, Op, hipStream_t = 0) CM_CUB_NONE
};
class DeviceSpmv {
public:
    template <class T> CM_CALL CsrMV(CM_TEMP, T *, int *, int *, T *, T *, int, int, int, CM_LAST) CM_CUB_NONE
};
#undef CM_CALL
#undef CM_TEMP
#undef CM_LAST
#undef CM_LAST_BITS
}
#endif
