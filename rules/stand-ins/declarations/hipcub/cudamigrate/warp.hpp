// cudamigrate declarations: warp-wide part of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_WARP
#define CUDAMIGRATE_DECLARES_HIPCUB_WARP
#include <hipcub/cudamigrate/thread.hpp>

namespace hipcub {
template <class T, int LANES = HIPCUB_DEVICE_WARP_THREADS, int ARCH = HIPCUB_ARCH> class WarpReduce {
    static_assert(LANES > 0, "logical warp size");
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(T) * LANES]; };
    CM_CUB_D WarpReduce(TempStorage &) CM_CUB_NONE
    CM_CUB_D T Sum(T) CM_CUB_NONE
    CM_CUB_D T Sum(T, int) CM_CUB_NONE
    template <class Flag> CM_CUB_D T HeadSegmentedSum(T, Flag) CM_CUB_NONE
    template <class Flag> CM_CUB_D T TailSegmentedSum(T, Flag) CM_CUB_NONE
    template <class Op> CM_CUB_D T Reduce(T, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D T Reduce(T, Op, int) CM_CUB_NONE
    template <class Op, class Flag> CM_CUB_D T HeadSegmentedReduce(T, Flag, Op) CM_CUB_NONE
    template <class Op, class Flag> CM_CUB_D T TailSegmentedReduce(T, Flag, Op) CM_CUB_NONE
};
template <class T, int LANES = HIPCUB_DEVICE_WARP_THREADS, int ARCH = HIPCUB_ARCH> class WarpScan {
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(T) * LANES]; };
    CM_CUB_D WarpScan(TempStorage &) CM_CUB_NONE
    CM_CUB_D void InclusiveSum(T, T &) CM_CUB_NONE
    CM_CUB_D void InclusiveSum(T, T &, T &) CM_CUB_NONE
    CM_CUB_D void ExclusiveSum(T, T &) CM_CUB_NONE
    CM_CUB_D void ExclusiveSum(T, T &, T &) CM_CUB_NONE
    template <class Op> CM_CUB_D void InclusiveScan(T, T &, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void InclusiveScan(T, T &, Op, T &) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, T, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, Op, T &) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, T, Op, T &) CM_CUB_NONE
    template <class Op> CM_CUB_D void Scan(T, T &, T &, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void Scan(T, T &, T &, T, Op) CM_CUB_NONE
    CM_CUB_D T Broadcast(T, unsigned int) CM_CUB_NONE
};
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
template <class T, int N, WarpLoadAlgorithm A = WARP_LOAD_DIRECT, int LANES = HIPCUB_DEVICE_WARP_THREADS,
          int ARCH = HIPCUB_ARCH>
class WarpLoad {
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(T) * N * LANES]; };
    CM_CUB_D WarpLoad() CM_CUB_NONE
    CM_CUB_D WarpLoad(TempStorage &) CM_CUB_NONE
    template <class It> CM_CUB_D void Load(It, T (&)[N]) CM_CUB_NONE
    template <class It> CM_CUB_D void Load(It, T (&)[N], int) CM_CUB_NONE
    template <class It, class D> CM_CUB_D void Load(It, T (&)[N], int, D) CM_CUB_NONE
};
template <class T, int N, WarpStoreAlgorithm A = WARP_STORE_DIRECT, int LANES = HIPCUB_DEVICE_WARP_THREADS,
          int ARCH = HIPCUB_ARCH>
class WarpStore {
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(T) * N * LANES]; };
    CM_CUB_D WarpStore() CM_CUB_NONE
    CM_CUB_D WarpStore(TempStorage &) CM_CUB_NONE
    template <class It> CM_CUB_D void Store(It, T (&)[N]) CM_CUB_NONE
    template <class It> CM_CUB_D void Store(It, T (&)[N], int) CM_CUB_NONE
};
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <class T, int N, int LANES = HIPCUB_DEVICE_WARP_THREADS, int ARCH = HIPCUB_ARCH,
          WarpExchangeAlgorithm A = WARP_EXCHANGE_SMEM>
class WarpExchange {
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(T) * N * LANES]; };
    CM_CUB_D explicit WarpExchange(TempStorage &) CM_CUB_NONE
    template <class O> CM_CUB_D void BlockedToStriped(const T (&)[N], O (&)[N]) CM_CUB_NONE
    template <class O> CM_CUB_D void StripedToBlocked(const T (&)[N], O (&)[N]) CM_CUB_NONE
    template <class Offset> CM_CUB_D void ScatterToStriped(T (&)[N], Offset (&)[N]) CM_CUB_NONE
    template <class O, class Offset> CM_CUB_D void ScatterToStriped(const T (&)[N], O (&)[N], Offset (&)[N]) CM_CUB_NONE
};
template <class K, int N, int LANES = HIPCUB_DEVICE_WARP_THREADS, class V = NullType, int ARCH = HIPCUB_ARCH>
class WarpMergeSort {
public:
    struct TempStorage { unsigned char cm_bytes[sizeof(K) * N * LANES]; };
    CM_CUB_D WarpMergeSort(TempStorage &) CM_CUB_NONE
    CM_CUB_D unsigned int get_linear_tid() const CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], Op, int, K) CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], V (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], V (&)[N], Op, int, K) CM_CUB_NONE
    template <class Op> CM_CUB_D void StableSort(K (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void StableSort(K (&)[N], V (&)[N], Op) CM_CUB_NONE
};
}
#endif
