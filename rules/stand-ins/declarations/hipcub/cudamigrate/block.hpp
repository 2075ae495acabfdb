// cudamigrate declarations: block-wide loads, reductions and scans of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_BLOCK
#define CUDAMIGRATE_DECLARES_HIPCUB_BLOCK
#include <hipcub/cudamigrate/thread.hpp>

namespace hipcub {
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
#define CM_CUB_STORAGE(self) \
    struct TempStorage { unsigned char cm_bytes[16]; }; \
    CM_CUB_D self() CM_CUB_NONE \
    CM_CUB_D self(TempStorage &) CM_CUB_NONE

template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int ARCH = HIPCUB_ARCH>
class BlockReduce {
public:
    CM_CUB_STORAGE(BlockReduce)
    template <class Op> CM_CUB_D T Reduce(T, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D T Reduce(T, Op, int) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D T Reduce(T (&)[N], Op) CM_CUB_NONE
    CM_CUB_D T Sum(T) CM_CUB_NONE
    CM_CUB_D T Sum(T, int) CM_CUB_NONE
    template <int N> CM_CUB_D T Sum(T (&)[N]) CM_CUB_NONE
};

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH>
class BlockScan {
public:
    CM_CUB_STORAGE(BlockScan)
#define CM_SUM(name) \
    CM_CUB_D void name(T, T &) CM_CUB_NONE \
    CM_CUB_D void name(T, T &, T &) CM_CUB_NONE \
    template <class Prefix> CM_CUB_D void name(T, T &, Prefix &) CM_CUB_NONE \
    template <int N> CM_CUB_D void name(T (&)[N], T (&)[N]) CM_CUB_NONE \
    template <int N> CM_CUB_D void name(T (&)[N], T (&)[N], T &) CM_CUB_NONE \
    template <int N, class Prefix> CM_CUB_D void name(T (&)[N], T (&)[N], Prefix &) CM_CUB_NONE
    CM_SUM(InclusiveSum)
    CM_SUM(ExclusiveSum)
#undef CM_SUM
    template <class Op> CM_CUB_D void InclusiveScan(T, T &, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void InclusiveScan(T, T &, Op, T &) CM_CUB_NONE
    template <class Op, class Prefix> CM_CUB_D void InclusiveScan(T, T &, Op, Prefix &) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void InclusiveScan(T (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void InclusiveScan(T (&)[N], T (&)[N], Op, T &) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void InclusiveScan(T (&)[N], T (&)[N], T, Op) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void InclusiveScan(T (&)[N], T (&)[N], T, Op, T &) CM_CUB_NONE
    template <int N, class Op, class Prefix> CM_CUB_D void InclusiveScan(T (&)[N], T (&)[N], Op, Prefix &) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, Op, T &) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, T, Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void ExclusiveScan(T, T &, T, Op, T &) CM_CUB_NONE
    template <class Op, class Prefix> CM_CUB_D void ExclusiveScan(T, T &, Op, Prefix &) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void ExclusiveScan(T (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void ExclusiveScan(T (&)[N], T (&)[N], Op, T &) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void ExclusiveScan(T (&)[N], T (&)[N], T, Op) CM_CUB_NONE
    template <int N, class Op> CM_CUB_D void ExclusiveScan(T (&)[N], T (&)[N], T, Op, T &) CM_CUB_NONE
    template <int N, class Op, class Prefix> CM_CUB_D void ExclusiveScan(T (&)[N], T (&)[N], Op, Prefix &) CM_CUB_NONE
};

#if defined(__GFX9__)
#define CM_CUB_WAVES(algorithm, threads) \
    static_assert(A < algorithm || (threads) % 64 == 0, "with this algorithm a block is a multiple of the wavefront")
#else
#define CM_CUB_WAVES(algorithm, threads) static_assert(true, "")
#endif
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int ARCH = HIPCUB_ARCH>
class BlockLoad {
public:
    CM_CUB_STORAGE(BlockLoad)
    template <class It> CM_CUB_D void Load(It, T (&)[N]) CM_CUB_NONE
    template <class It> CM_CUB_D void Load(It, T (&)[N], int) CM_CUB_NONE
    template <class It, class D> CM_CUB_D void Load(It, T (&)[N], int, D) CM_CUB_NONE
    CM_CUB_WAVES(BLOCK_LOAD_WARP_TRANSPOSE, X * Y * Z);
};
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int ARCH = HIPCUB_ARCH>
class BlockStore {
public:
    CM_CUB_STORAGE(BlockStore)
    template <class It> CM_CUB_D void Store(It, T (&)[N]) CM_CUB_NONE
    template <class It> CM_CUB_D void Store(It, T (&)[N], int) CM_CUB_NONE
    CM_CUB_WAVES(BLOCK_STORE_WARP_TRANSPOSE, X * Y * Z);
};
#define CM_LOADS(name) \
    template <class T, int N, class It> CM_CUB_D void LoadDirect##name(int, It, T (&)[N]) CM_CUB_NONE \
    template <class T, int N, class It> CM_CUB_D void LoadDirect##name(int, It, T (&)[N], int) CM_CUB_NONE \
    template <class T, class D, int N, class It> CM_CUB_D void LoadDirect##name(int, It, T (&)[N], int, D) CM_CUB_NONE \
    template <class T, int N, class It> CM_CUB_D void StoreDirect##name(int, It, T (&)[N]) CM_CUB_NONE \
    template <class T, int N, class It> CM_CUB_D void StoreDirect##name(int, It, T (&)[N], int) CM_CUB_NONE
CM_LOADS(Blocked)
CM_LOADS(WarpStriped)
#undef CM_LOADS
template <int X, class T, int N, class It> CM_CUB_D void LoadDirectStriped(int, It, T (&)[N]) CM_CUB_NONE
template <int X, class T, int N, class It> CM_CUB_D void LoadDirectStriped(int, It, T (&)[N], int) CM_CUB_NONE
template <int X, class T, class D, int N, class It> CM_CUB_D void LoadDirectStriped(int, It, T (&)[N], int, D) CM_CUB_NONE
template <int X, class T, int N, class It> CM_CUB_D void StoreDirectStriped(int, It, T (&)[N]) CM_CUB_NONE
template <int X, class T, int N, class It> CM_CUB_D void StoreDirectStriped(int, It, T (&)[N], int) CM_CUB_NONE
template <class T, int N> CM_CUB_D void LoadDirectBlockedVectorized(int, T *, T (&)[N]) CM_CUB_NONE
template <class T, int N> CM_CUB_D void StoreDirectBlockedVectorized(int, T *, T (&)[N]) CM_CUB_NONE

template <class T, int X, int N, bool SLICED = false, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH>
class BlockExchange {
public:
    CM_CUB_STORAGE(BlockExchange)
#define CM_MOVE(name) \
    template <class O> CM_CUB_D void name(T (&)[N], O (&)[N]) CM_CUB_NONE \
    CM_CUB_D void name(T (&)[N]) CM_CUB_NONE
    CM_MOVE(StripedToBlocked)
    CM_MOVE(BlockedToStriped)
    CM_MOVE(WarpStripedToBlocked)
    CM_MOVE(BlockedToWarpStriped)
#undef CM_MOVE
#define CM_SCATTER(name) \
    template <class O, class Offset> CM_CUB_D void name(T (&)[N], O (&)[N], Offset (&)[N]) CM_CUB_NONE \
    template <class Offset> CM_CUB_D void name(T (&)[N], Offset (&)[N]) CM_CUB_NONE
    CM_SCATTER(ScatterToBlocked)
    CM_SCATTER(ScatterToStriped)
    CM_SCATTER(ScatterToStripedGuarded)
    template <class O, class Offset, class Flag>
    CM_CUB_D void ScatterToStripedFlagged(T (&)[N], O (&)[N], Offset (&)[N], Flag (&)[N]) CM_CUB_NONE
#undef CM_SCATTER
};

template <class T, int X, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH> class BlockShuffle {
public:
    CM_CUB_STORAGE(BlockShuffle)
    CM_CUB_D void Offset(T, T &, int = 1) CM_CUB_NONE
    CM_CUB_D void Rotate(T, T &, unsigned int = 1) CM_CUB_NONE
    template <int N> CM_CUB_D void Up(T (&)[N], T (&)[N]) CM_CUB_NONE
    template <int N> CM_CUB_D void Up(T (&)[N], T (&)[N], T &) CM_CUB_NONE
    template <int N> CM_CUB_D void Down(T (&)[N], T (&)[N]) CM_CUB_NONE
    template <int N> CM_CUB_D void Down(T (&)[N], T (&)[N], T &) CM_CUB_NONE
};
}
#endif
