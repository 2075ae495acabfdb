// cudamigrate declarations: block-wide sorting and comparing of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_BLOCK_SORT
#define CUDAMIGRATE_DECLARES_HIPCUB_BLOCK_SORT
#include <hipcub/cudamigrate/block.hpp>

namespace hipcub {
template <class K, int X, int N, class V = NullType, int BITS = 4, bool MEMOIZE = true,
          BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS, hipSharedMemConfig BANKS = hipSharedMemBankSizeFourByte,
          int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH>
class BlockRadixSort {
public:
    CM_CUB_STORAGE(BlockRadixSort)
#define CM_SORT(name) \
    CM_CUB_D void name(K (&)[N], int = 0, int = sizeof(K) * 8) CM_CUB_NONE \
    CM_CUB_D void name(K (&)[N], V (&)[N], int = 0, int = sizeof(K) * 8) CM_CUB_NONE \
    template <class D> CM_CUB_D void name(K (&)[N], D) CM_CUB_NONE \
    template <class D> CM_CUB_D void name(K (&)[N], D, int, int) CM_CUB_NONE \
    template <class D> CM_CUB_D void name(K (&)[N], V (&)[N], D) CM_CUB_NONE \
    template <class D> CM_CUB_D void name(K (&)[N], V (&)[N], D, int, int) CM_CUB_NONE
    CM_SORT(Sort)
    CM_SORT(SortDescending)
    CM_SORT(SortBlockedToStriped)
    CM_SORT(SortDescendingBlockedToStriped)
#undef CM_SORT
};

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort {
public:
    CM_CUB_STORAGE(BlockMergeSort)
    CM_CUB_D unsigned int get_linear_tid() const CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], Op, int, K) CM_CUB_NONE
    template <class Op> CM_CUB_D void Sort(K (&)[N], V (&)[N], Op) CM_CUB_NONE
    template <class Op, bool LAST = true> CM_CUB_D void Sort(K (&)[N], V (&)[N], Op, int, K) CM_CUB_NONE
    template <class Op> CM_CUB_D void StableSort(K (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void StableSort(K (&)[N], V (&)[N], Op) CM_CUB_NONE
    template <class Op> CM_CUB_D void StableSort(K (&)[N], Op, int, K) CM_CUB_NONE
    template <class Op, bool LAST = true> CM_CUB_D void StableSort(K (&)[N], V (&)[N], Op, int, K) CM_CUB_NONE
};

template <int X, int BITS, bool DESCENDING, bool MEMOIZE = true, BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS,
          hipSharedMemConfig BANKS = hipSharedMemBankSizeFourByte, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH>
class BlockRadixRank {
public:
    enum { BINS_TRACKED_PER_THREAD = (1 << BITS) / X > 0 ? (1 << BITS) / X : 1 };
    CM_CUB_STORAGE(BlockRadixRank)
    template <class U, int N, class Digits> CM_CUB_D void RankKeys(U (&)[N], int (&)[N], Digits) CM_CUB_NONE
    template <class U, int N, class Digits>
    CM_CUB_D void RankKeys(U (&)[N], int (&)[N], Digits, int (&)[BINS_TRACKED_PER_THREAD]) CM_CUB_NONE
};
template <class K> struct BFEDigitExtractor {
    CM_CUB_D BFEDigitExtractor(unsigned int = 0, unsigned int = 0) CM_CUB_NONE
    CM_CUB_D unsigned int Digit(typename Traits<K>::UnsignedBits) const CM_CUB_NONE
};
template <class K> struct ShiftDigitExtractor {
    CM_CUB_D ShiftDigitExtractor(unsigned int = 0, unsigned int = 0) CM_CUB_NONE
    CM_CUB_D unsigned int Digit(typename Traits<K>::UnsignedBits) const CM_CUB_NONE
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int N, int BINS, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1,
          int ARCH = HIPCUB_ARCH>
class BlockHistogram {
public:
    CM_CUB_STORAGE(BlockHistogram)
    template <class Counter> CM_CUB_D void InitHistogram(Counter (&)[BINS]) CM_CUB_NONE
    template <class Counter> CM_CUB_D void Histogram(T (&)[N], Counter (&)[BINS]) CM_CUB_NONE
    template <class Counter> CM_CUB_D void Composite(T (&)[N], Counter (&)[BINS]) CM_CUB_NONE
};

template <class T, int X, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH> class BlockDiscontinuity {
public:
    CM_CUB_STORAGE(BlockDiscontinuity)
    template <int N, class F, class Op> CM_CUB_D void FlagHeads(F (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagHeads(F (&)[N], T (&)[N], Op, T) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagTails(F (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagTails(F (&)[N], T (&)[N], Op, T) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagHeadsAndTails(F (&)[N], F (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagHeadsAndTails(F (&)[N], F (&)[N], T, T (&)[N], Op) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagHeadsAndTails(F (&)[N], T, F (&)[N], T (&)[N], Op) CM_CUB_NONE
    template <int N, class F, class Op> CM_CUB_D void FlagHeadsAndTails(F (&)[N], T, F (&)[N], T, T (&)[N], Op) CM_CUB_NONE
};
template <class T, int X, int Y = 1, int Z = 1, int ARCH = HIPCUB_ARCH> class BlockAdjacentDifference {
public:
    CM_CUB_STORAGE(BlockAdjacentDifference)
    template <int N, class O, class Op> CM_CUB_D void SubtractLeft(T (&)[N], O (&)[N], Op) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractLeft(T (&)[N], O (&)[N], Op, T) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractLeftPartialTile(T (&)[N], O (&)[N], Op, int) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractLeftPartialTile(T (&)[N], O (&)[N], Op, int, T) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractRight(T (&)[N], O (&)[N], Op) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractRight(T (&)[N], O (&)[N], Op, T) CM_CUB_NONE
    template <int N, class O, class Op> CM_CUB_D void SubtractRightPartialTile(T (&)[N], O (&)[N], Op, int) CM_CUB_NONE
};
template <class T, int X, int RUNS, int DECODED, class Offset = unsigned int, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
public:
    struct TempStorage { unsigned char cm_bytes[16]; };
    template <class Length, class Total>
    CM_CUB_D BlockRunLengthDecode(TempStorage &, T (&)[RUNS], Length (&)[RUNS], Total &) CM_CUB_NONE
    template <class User> CM_CUB_D BlockRunLengthDecode(TempStorage &, T (&)[RUNS], User (&)[RUNS]) CM_CUB_NONE
    template <class Relative> CM_CUB_D void RunLengthDecode(T (&)[DECODED], Relative (&)[DECODED], Offset = 0) CM_CUB_NONE
    CM_CUB_D void RunLengthDecode(T (&)[DECODED], Offset = 0) CM_CUB_NONE
};
template <class T, int X, int ARCH = HIPCUB_ARCH> struct BlockRakingLayout {
    enum {
        SHARED_ELEMENTS = X, MAX_RAKING_THREADS = X < 64 ? X : 64,
        SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
        RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
        UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0
    };
    struct TempStorage { unsigned char cm_bytes[16]; };
    CM_CUB_D static T *PlacementPtr(TempStorage &, unsigned int) CM_CUB_NONE
    CM_CUB_D static T *RakingPtr(TempStorage &, unsigned int) CM_CUB_NONE
};
}
#endif
