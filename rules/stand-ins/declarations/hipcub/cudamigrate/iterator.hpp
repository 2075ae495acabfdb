// cudamigrate declarations: iterators and grids of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB_ITERATOR
#define CUDAMIGRATE_DECLARES_HIPCUB_ITERATOR
#include <hipcub/cudamigrate/thread.hpp>
#include <ostream>

namespace hipcub {
#define CM_RANDOM(self, value, ref, difference) \
    typedef self self_type; \
    typedef difference difference_type; \
    typedef value value_type; \
    typedef ref reference; \
    typedef value *pointer; \
    typedef std::random_access_iterator_tag iterator_category; \
    CM_CUB_HD self operator++(int) CM_CUB_NONE \
    CM_CUB_HD self &operator++() CM_CUB_NONE \
    CM_CUB_HD reference operator*() const CM_CUB_NONE \
    template <class D> CM_CUB_HD self operator+(D) const CM_CUB_NONE \
    template <class D> CM_CUB_HD self &operator+=(D) CM_CUB_NONE \
    template <class D> CM_CUB_HD self operator-(D) const CM_CUB_NONE \
    template <class D> CM_CUB_HD self &operator-=(D) CM_CUB_NONE \
    CM_CUB_HD difference operator-(self) const CM_CUB_NONE \
    template <class D> CM_CUB_HD reference operator[](D) const CM_CUB_NONE \
    CM_CUB_HD bool operator==(const self &) const CM_CUB_NONE \
    CM_CUB_HD bool operator!=(const self &) const CM_CUB_NONE

template <class Value, class Op, class It, class Offset = ptrdiff_t> class TransformInputIterator {
public:
    CM_RANDOM(TransformInputIterator, Value, Value, Offset)
    CM_CUB_HD TransformInputIterator(It, Op) CM_CUB_NONE
};
template <class Value, class Offset = ptrdiff_t> class CountingInputIterator {
public:
    CM_RANDOM(CountingInputIterator, Value, Value, Offset)
    CM_CUB_HD CountingInputIterator(const Value &) CM_CUB_NONE
};
template <class Value, class Offset = ptrdiff_t> class ConstantInputIterator {
public:
    CM_RANDOM(ConstantInputIterator, Value, Value, Offset)
    CM_CUB_HD ConstantInputIterator(Value, Offset = 0) CM_CUB_NONE
};
template <class It, class Offset = ptrdiff_t, class Output = cm_value_t<It>> class ArgIndexInputIterator {
    typedef KeyValuePair<Offset, Output> cm_pair;
public:
    CM_RANDOM(ArgIndexInputIterator, cm_pair, cm_pair, Offset)
    CM_CUB_HD ArgIndexInputIterator(It, Offset = 0) CM_CUB_NONE
    CM_CUB_HD void normalize() CM_CUB_NONE
};
template <CacheLoadModifier M, class Value, class Offset = ptrdiff_t> class CacheModifiedInputIterator {
public:
    CM_RANDOM(CacheModifiedInputIterator, Value, Value, Offset)
    Value *ptr;
    template <class Q> CM_CUB_HD CacheModifiedInputIterator(Q *) CM_CUB_NONE
};
template <class Value> struct cm_sink { template <class T> CM_CUB_HD const cm_sink &operator=(const T &) const CM_CUB_NONE };
template <CacheStoreModifier M, class Value, class Offset = ptrdiff_t> class CacheModifiedOutputIterator {
public:
    CM_RANDOM(CacheModifiedOutputIterator, void, cm_sink<Value>, Offset)
    template <class Q> CM_CUB_HD CacheModifiedOutputIterator(Q *) CM_CUB_NONE
};
template <class Offset = ptrdiff_t> class DiscardOutputIterator {
public:
    CM_RANDOM(DiscardOutputIterator, void, cm_sink<void>, Offset)
    CM_CUB_HD DiscardOutputIterator(Offset = 0) CM_CUB_NONE
    CM_CUB_HD operator void *() const CM_CUB_NONE
};
template <class T, class Offset = ptrdiff_t> class TexObjInputIterator {
public:
    CM_RANDOM(TexObjInputIterator, T, T, Offset)
    CM_CUB_HD TexObjInputIterator() CM_CUB_NONE
    template <class Q> __host__ hipError_t BindTexture(Q *, size_t = size_t(-1), size_t = 0) CM_CUB_NONE
    __host__ hipError_t UnbindTexture();
};
#undef CM_RANDOM

enum GridMappingStrategy { GRID_MAPPING_RAKE, GRID_MAPPING_STRIP_MINE, GRID_MAPPING_DYNAMIC };
template <class Offset> struct GridEvenShare {
    Offset num_items, block_offset, block_end, block_stride;
    int grid_size;
    CM_CUB_HD GridEvenShare() CM_CUB_NONE
    CM_CUB_HD void DispatchInit(Offset, int, int) CM_CUB_NONE
    template <int TILE, GridMappingStrategy S> CM_CUB_D void BlockInit() CM_CUB_NONE
    template <int TILE> CM_CUB_D void BlockInit(int, Int2Type<GRID_MAPPING_RAKE>) CM_CUB_NONE
    template <int TILE> CM_CUB_D void BlockInit(Offset, Offset) CM_CUB_NONE
};
template <class Offset> class GridQueue {
public:
    CM_CUB_HD static size_t AllocationSize() CM_CUB_NONE
    CM_CUB_HD GridQueue() CM_CUB_NONE
    CM_CUB_HD GridQueue(void *) CM_CUB_NONE
    CM_CUB_HD hipError_t FillAndResetDrain(Offset, hipStream_t = 0) CM_CUB_NONE
    CM_CUB_HD hipError_t ResetDrain(hipStream_t = 0) CM_CUB_NONE
    CM_CUB_HD hipError_t ResetFill(hipStream_t = 0) CM_CUB_NONE
    CM_CUB_HD hipError_t FillSize(Offset &, hipStream_t = 0) CM_CUB_NONE
    CM_CUB_D Offset Drain(Offset) CM_CUB_NONE
    CM_CUB_D Offset Fill(Offset) CM_CUB_NONE
};
class GridBarrier {
public:
    GridBarrier();
    CM_CUB_D void Sync() const CM_CUB_NONE
};
class GridBarrierLifetime : public GridBarrier {
public:
    GridBarrierLifetime();
    virtual ~GridBarrierLifetime();
    hipError_t HostReset();
    hipError_t Setup(int);
};
}
#endif
