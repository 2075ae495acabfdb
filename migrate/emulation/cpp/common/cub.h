// CUB and hipCUB, as far as programs commonly use them, by plain code. A header that includes this defines
// CUDAMIGRATE_EMULATION_CUB as the namespace, API(name) as the runtime's names, and CUDAMIGRATE_EMULATION_WARP as the
// lanes of a warp.
#include <numeric>
#include <vector>

#include "lanes.h"

namespace CUDAMIGRATE_EMULATION_CUB {

namespace emulation = ::cudamigrate_emulation;

struct Sum : emulation::Add {};
struct Min : emulation::Least {};
struct Max : emulation::Most {};
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

inline int thread_number() {
    return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}

// All threads bring a value; each reads the others' between two barriers.
template <typename T, int X, int Y, int Z>
struct BlockExchange {
    static constexpr int threads = X * Y * Z;
    struct TempStorage {
        T items[threads];
    };
    TempStorage &storage;
    explicit BlockExchange(TempStorage &in_storage) : storage(in_storage) {}

    template <typename Combine>
    T folded(T value, Combine combine, int first, int last, T otherwise) {
        storage.items[thread_number()] = value;
        __syncthreads();
        T made = otherwise;
        for (int at = first; at < last; ++at) made = at == first ? storage.items[at] : combine(made, storage.items[at]);
        __syncthreads();
        return made;
    }
};

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce : BlockExchange<T, X, Y, Z> {
    typedef BlockExchange<T, X, Y, Z> Base;
    using Base::Base;
    template <typename Combine> T Reduce(T value, Combine combine) { return Reduce(value, combine, Base::threads); }
    template <typename Combine> T Reduce(T value, Combine combine, int valid) {
        return this->folded(value, combine, 0, thread_number() == 0 ? valid : 0, value);
    }
    T Sum(T value) { return Reduce(value, emulation::Add()); }
    T Sum(T value, int valid) { return Reduce(value, emulation::Add(), valid); }
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan : BlockExchange<T, X, Y, Z> {
    typedef BlockExchange<T, X, Y, Z> Base;
    using Base::Base;
    template <typename Combine> void InclusiveScan(T value, T &made, Combine combine) {
        made = this->folded(value, combine, 0, thread_number() + 1, value);
    }
    template <typename Combine> void ExclusiveScan(T value, T &made, T first, Combine combine) {
        const T below = this->folded(value, combine, 0, thread_number(), value);
        made = thread_number() == 0 ? first : combine(first, below);
    }
    void InclusiveSum(T value, T &made) { InclusiveScan(value, made, emulation::Add()); }
    void ExclusiveSum(T value, T &made) { ExclusiveScan(value, made, T(), emulation::Add()); }
    void InclusiveSum(T value, T &made, T &all) {
        InclusiveSum(value, made);
        all = this->folded(value, emulation::Add(), 0, Base::threads, value);
    }
    void ExclusiveSum(T value, T &made, T &all) {
        ExclusiveSum(value, made);
        all = this->folded(value, emulation::Add(), 0, Base::threads, value);
    }
};

}  // namespace CUDAMIGRATE_EMULATION_CUB

#include "cub_warp.h"

namespace CUDAMIGRATE_EMULATION_CUB {

// Functions of the host. Asked for the size of their workspace, they need a byte.
namespace detail {
template <typename Work>
API(Error_t) asked(void *workspace, size_t &bytes, Work work) {
    if (workspace == nullptr) {
        bytes = 1;
        return API(Success);
    }
    emulation::library_works(true);
    work();
    emulation::library_works(false);
    return API(Success);
}
}  // namespace detail

struct DeviceReduce {
    template <typename In, typename Out, typename Combine, typename T>
    static API(Error_t) Reduce(void *workspace, size_t &bytes, In in, Out out, int count, Combine combine, T first,
                               API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] {
            T made = first;
            for (int at = 0; at < count; ++at) made = combine(made, static_cast<T>(in[at]));
            *out = made;
        });
    }
    template <typename In, typename Out>
    static API(Error_t) Sum(void *workspace, size_t &bytes, In in, Out out, int count, API(Stream_t) = nullptr) {
        return Reduce(workspace, bytes, in, out, count, emulation::Add(), std::decay_t<decltype(*out)>());
    }
    template <typename In, typename Out>
    static API(Error_t) Min(void *workspace, size_t &bytes, In in, Out out, int count, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] { *out = *std::min_element(in, in + count); });
    }
    template <typename In, typename Out>
    static API(Error_t) Max(void *workspace, size_t &bytes, In in, Out out, int count, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] { *out = *std::max_element(in, in + count); });
    }
};
struct DeviceScan {
    template <typename In, typename Out>
    static API(Error_t)
        InclusiveSum(void *workspace, size_t &bytes, In in, Out out, int count, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] { std::partial_sum(in, in + count, out); });
    }
    template <typename In, typename Out>
    static API(Error_t)
        ExclusiveSum(void *workspace, size_t &bytes, In in, Out out, int count, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] {
            std::decay_t<decltype(*in)> sum = 0;
            for (int at = 0; at < count; ++at) {
                const auto value = in[at];
                out[at] = sum;
                sum += value;
            }
        });
    }
};
struct DeviceRadixSort {
    template <typename Key>
    static API(Error_t) SortKeys(void *workspace, size_t &bytes, const Key *in, Key *out, int count, int = 0,
                                 int = sizeof(Key) * 8, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] {
            std::copy(in, in + count, out);
            std::sort(out, out + count);
        });
    }
    template <typename Key, typename Value>
    static API(Error_t) SortPairs(void *workspace, size_t &bytes, const Key *in, Key *out, const Value *values,
                                  Value *to, int count, int = 0, int = sizeof(Key) * 8, API(Stream_t) = nullptr) {
        return detail::asked(workspace, bytes, [&] {
            std::vector<int> order(static_cast<size_t>(count));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] < in[b]; });
            for (int at = 0; at < count; ++at) out[at] = in[order[at]], to[at] = values[order[at]];
        });
    }
};

}  // namespace CUDAMIGRATE_EMULATION_CUB
