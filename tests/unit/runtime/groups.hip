// Every function of cudamigrate_groups.h, for compilers to judge; nothing here is run.
#include "cudamigrate_groups.h"

using namespace cudamigrate;
namespace cg = cooperative_groups;

struct Pair {
    double sum;
    int count;
};
struct Add {
    __device__ Pair operator()(Pair a, Pair b) const { return {a.sum + b.sum, a.count + b.count}; }
};
struct Values {
    int *numbers;
    unsigned int *bits;
    float *reals;
    double *wide;
    long long *large;
    short *small;
    Pair *pair;
};

// A call must give back exactly this type.
template <typename Expected>
struct Exactly {
    template <typename T>
    __device__ static T given(T value) = delete;
    __device__ static Expected given(Expected value) { return value; }
};

template <typename T, typename Group>
__device__ void numbers(const Group &group, T *at) {
    at[0] = Exactly<T>::given(reduce(group, at[0], plus<T>()));
    at[1] = Exactly<T>::given(reduce(group, at[1], less<T>()));
    at[2] = Exactly<T>::given(reduce(group, at[2], greater<T>()));
    at[3] = Exactly<T>::given(inclusive_scan(group, at[3]));
    at[4] = Exactly<T>::given(exclusive_scan(group, at[4]));
    at[5] = Exactly<T>::given(inclusive_scan(group, at[5], greater<T>()));
    at[6] = Exactly<T>::given(exclusive_scan(group, at[6], less<T>()));
}

__device__ void active(const coalesced_group &group, const Values &with) {
    with.bits[0] = Exactly<unsigned int>::given(group.ballot(with.numbers[0] > 1));
    with.bits[1] = Exactly<unsigned int>::given(group.match_any(with.numbers[1]));
    with.bits[2] = Exactly<unsigned int>::given(group.match_all(with.numbers[2], with.numbers[3]));
    with.bits[3] = Exactly<unsigned int>::given(group.size()) + group.num_threads() + group.thread_rank();
    with.bits[4] = Exactly<unsigned int>::given(group.lanes()) + group.meta_group_rank() + group.meta_group_size();
    with.numbers[4] = Exactly<int>::given(group.any(with.numbers[4])) + Exactly<int>::given(group.all(with.numbers[5]));
    with.reals[0] = Exactly<float>::given(group.shfl(with.reals[0], 0));
    with.small[0] = Exactly<short>::given(group.shfl_up(with.small[0], 1));
    *with.pair = Exactly<Pair>::given(group.shfl_down(*with.pair, 1));
    group.sync();
    cg::sync(group);
}

template <typename Group>
__device__ void all(const Group &group, const Values &with) {
    numbers(group, with.numbers);
    numbers(group, with.bits);
    numbers(group, with.reals);
    numbers(group, with.wide);
    numbers(group, with.large);
    numbers(group, with.small);
    with.bits[0] = reduce(group, with.bits[0], bit_and<unsigned int>());
    with.bits[1] = reduce(group, with.bits[1], bit_or<unsigned int>());
    with.bits[2] = reduce(group, with.bits[2], bit_xor<unsigned int>());
    *with.pair = reduce(group, *with.pair, Add());
    *with.pair = inclusive_scan(group, *with.pair, Add());
    *with.pair = exclusive_scan(group, *with.pair, Add());
    const auto peers = labeled_partition(group, with.numbers[0]);
    const coalesced_group same = binary_partition(peers, with.numbers[1] > 2);
    const coalesced_group odd = labeled_partition(group, with.numbers[0] > 1);
    odd.sync();
    const coalesced_group third = labeled_partition(same, with.large[0]);
    with.reals[0] = reduce(third, with.reals[0], plus<float>());
    active(third, with);
    invoke_one(group, [&] { with.numbers[1] = 2; });
    with.numbers[8] = Exactly<int>::given(invoke_one_broadcast(group, [&](int by) { return by + with.numbers[2]; }, 3));
}

__global__ void __launch_bounds__(256) groups(Values with) {
    const cg::thread_block block = cg::this_thread_block();
    all(cg::tiled_partition<32>(block), with);
    all(cg::tiled_partition<4>(block), with);
    all(cg::tiled_partition<1>(block), with);
    const cg::thread_block_tile<16> half = cg::tiled_partition<16>(block);
    all(half, with);
    if (with.numbers[0] != 0) all(coalesced_threads(), with);
}

template <typename Tile, typename T>
__device__ void moved(const Tile &tile, T &value) {
    value = Exactly<T>::given(shfl(tile, value, 3));
    value = Exactly<T>::given(shfl_up(tile, value, 1u));
    value = Exactly<T>::given(shfl_down(tile, value, 2u));
    value = Exactly<T>::given(shfl_xor(tile, value, 1u));
}
__global__ void tiles(Values with, float4 *vectors) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<16> half = cg::tiled_partition<16>(block);
    moved(cg::tiled_partition<32>(block), *with.pair);
    moved(half, *vectors);
    moved(half, with.numbers[0]);
}

__global__ void copies(float *to, const float *from) {
    __shared__ float tile[256];
    __shared__ char bytes[256];
    const cg::thread_block block = cg::this_thread_block();
    memcpy_async(block, tile, from, sizeof(tile));
    memcpy_async(block, tile, 256, from, 200);
    memcpy_async(cg::tiled_partition<32>(block), bytes, reinterpret_cast<const char *>(from), 33);
    wait(block);
    wait_prior<1>(block);
    pipeline_memcpy_async(tile, from, 16);
    pipeline_memcpy_async(tile + 4, from, 8, 4);
    pipeline_commit();
    pipeline_wait_prior(0);
    invoke_one(block, [&] { to[0] = tile[3] + static_cast<float>(bytes[2]); });
}
