// cudamigrate_sparse.h: products of a sparse matrix by a warp of 32 lanes: mma.sp.
//
// Included by code that cudamigrate converted from inline PTX; copy it, cudamigrate_mma.h and what that names wherever the
// code goes. Half of each row of A is zero and not held: of four numbers side by side two are, of two numbers of tf32 one,
// of eight numbers of 4 bits two pairs. Metadata say which, in 4 bits for each such chunk: two indices of 2 bits.
//
// Metadata lie over the four lanes of a group, lane / 4, which hold the rows lane / 4 and lane / 4 + 8. 4 bits belong to
// each register of 16-bit numbers or of one tf32: a lane has both rows for the four lanes of the group, the upper row in
// its upper half. That is the lane `selector`, or with twice as many columns the lanes 2 * selector and the next. 8 bits
// belong to each register of smaller numbers: lane r of the group has those of register r of all four.
//
// Sources. Which lanes: PTX ISA, "Sparse matrix storage". The order of bits is only drawn there; it is written out in
// CUTLASS's emulation of 8-bit floats by halves (m16n8k32 of f16, m16n8k64 of 8 bits), whose loaders read metadata of tf32
// (m16n8k16) as those of halves and metadata of 4 bits (m16n8k128) as those of bytes; m16n8k16 of f16 is that of a public
// test on NVIDIA GPUs with random metadata (kmsmith137/gputils). For m16n8k8 of tf32, m16n8k32 of bytes and m16n8k64 of
// 4 bits there is no such source: they are not translated.
//
// Integers: A is filled up with zeros and multiplied as mma.sync does. Floats: the elements of B that belong to those of A
// are picked out, by each lane for itself, so that an infinity or a NaN where A holds nothing leaves no trace.
#ifndef CUDAMIGRATE_SPARSE_H
#define CUDAMIGRATE_SPARSE_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#include "cudamigrate_mma.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {
namespace detail {

// Elements of one register and of the two full registers that they stand for; `places` is its metadata in the low bits.
template <int Count>
struct sparse {
    static const int shift = 8;  // bits of metadata for one register
    static const unsigned int bits = 8u, mask = 0xffu;

    // Bytes, or pairs of 4 bits: two in each full register.
    __device__ static unsigned int at(int i, unsigned int places) { return places >> (2 * i) & 3u; }
    __device__ static int full(int i, unsigned int) { return i / 2; }
    static const int held = 4;
};
template <>
struct sparse<2> {
    static const int shift = 4, held = 2;
    static const unsigned int bits = 16u, mask = 0xffffu;
    __device__ static unsigned int at(int i, unsigned int places) { return places >> (2 * i) & 1u; }
    __device__ static int full(int i, unsigned int places) { return static_cast<int>(places >> (2 * i + 1) & 1u); }
};
template <>
struct sparse<1> {
    static const int shift = 4, held = 1;
    static const unsigned int bits = 0u, mask = 0xffffffffu;
    __device__ static unsigned int at(int, unsigned int) { return 0u; }
    __device__ static int full(int, unsigned int places) { return static_cast<int>(places >> 1 & 1u); }
};

// The metadata of each of a lane's registers. `Words` is 2, or 4 with twice as many columns; odd ones are upper rows.
template <int Count, int Words>
__device__ inline void metadata(unsigned int word, unsigned int selector, unsigned int (&made)[Words]) {
    const unsigned int group = lane_id() & ~3u, t = lane_id() & 3u;
    for (unsigned int i = 0; i < static_cast<unsigned int>(Words); ++i) {
        const unsigned int row = i & 1u, wide = Words == 2 ? selector : 2u * selector + (i >> 1);
        const unsigned int found = read_lane(word, group + ((Count <= 2 ? wide : i) & 3u));
        made[i] = Count <= 2 ? found >> (16u * row + 4u * t) & 0xfu : found >> (8u * t) & 0xffu;
    }
}

// A register's elements and zeros in two full ones.
template <int Count>
__device__ inline void fill_up(unsigned int held, unsigned int places, unsigned int (&full)[2]) {
    typedef sparse<Count> form;
    full[0] = full[1] = 0u;
    for (int i = 0; i < form::held; ++i) {
        const unsigned int one = (held >> (form::bits * static_cast<unsigned int>(i)) & form::mask) << (form::bits * form::at(i, places));
        const bool second = form::full(i, places) != 0;
        full[0] |= second ? 0u : one;
        full[1] |= second ? one : 0u;
    }
}

// The elements of two full registers that belong to those that are held.
template <int Count>
__device__ inline unsigned int pick(unsigned int first, unsigned int second, unsigned int places) {
    typedef sparse<Count> form;
    unsigned int made = 0u;
    for (int i = 0; i < form::held; ++i) {
        const unsigned int from = form::full(i, places) != 0 ? second : first;
        made |= (from >> (form::bits * form::at(i, places)) & form::mask) << (form::bits * static_cast<unsigned int>(i));
    }
    return made;
}

// By way of a full A: lane t of a group wants the registers t and t + 4 of each eight, which lane r / 2 has made.
template <bool Integer>
struct by_sparse {
    template <int M, int N, int K, typename A, typename B, typename Sum, bool Saturate, int Words, typename C, typename FragmentB>
    __device__ static C run(const Registers<unsigned int, Words> &a, const FragmentB &b, const C &c, const unsigned int (&places)[Words]) {
        Registers<unsigned int, 2 * Words> whole;
        const unsigned int group = lane_id() & ~3u, t = lane_id() & 3u;
        for (int i = 0; i < Words; ++i) {
            unsigned int full[2];
            fill_up<A::count>(a.value[i], places[i], full);
            for (int j = 0; j < 2; ++j) {
                const unsigned int from = group + 2u * static_cast<unsigned int>(j) + (t >> 1);
                const unsigned int low = read_lane(full[0], from), high = read_lane(full[1], from);
                whole.value[i % 2 + 2 * (i / 2 * 2 + j)] = (t & 1u) != 0u ? high : low;
            }
        }
        return mma_sync<M, N, K, A, B, Sum, Saturate>(whole, b, c);
    }
};
template <>
struct by_sparse<false> {
    template <int M, int N, int K, typename A, typename B, typename Sum, bool Saturate, int Words, typename C, typename FragmentB>
    __device__ static C run(const Registers<unsigned int, Words> &a, const FragmentB &b, const C &c, const unsigned int (&places)[Words]) {
        typename result<Sum>::number sums[4];
        finish<Sum, Saturate>::third(c.value, sums);
        const unsigned int column = (lane_id() & 3u) * 8u;
        for (int part = 0; part < Words / 2; ++part) {
            for (int from = 0; from < 4; ++from) {
                const unsigned int word = b.value[2 * part + from / 2];
                unsigned int given[4];
                for (unsigned int i = 0; i < 4u; ++i)
                    given[i] = read_lane(word, column + 4u * (i / 2u) + 2u * static_cast<unsigned int>(from % 2) + i % 2u);
                for (int row = 0; row < 2; ++row) {
                    const unsigned int held = of_four(a.value[row + 2 * part], from), at = of_four(places[row + 2 * part], from);
                    for (int i = 0; i < 2; ++i)
                        sums[2 * row + i] = dot<A, B>::add(held, pick<A::count>(given[2 * i], given[2 * i + 1], at), sums[2 * row + i]);
                }
            }
        }
        C d;
        finish<Sum, Saturate>::join(c.value, sums, true, d.value);
        return d;
    }
};

}  // namespace detail

// D = A * B + C of 16 x K by K x 8 elements, of which A holds every second: mma.sp.sync.aligned, with and without
// ordered metadata.
template <int M, int N, int K, typename A, typename B, typename Sum, bool Saturate = false>
__device__ inline Registers<typename detail::result<Sum>::word, 4 / detail::result<Sum>::count> mma_sp(
    const Registers<unsigned int, K / 4 / A::count> &a, const Registers<unsigned int, K / 4 / B::count> &b,
    const Registers<typename detail::result<Sum>::word, 4 / detail::result<Sum>::count> &c, unsigned int places, unsigned int selector) {
    static_assert(M == 16 && N == 8, "mma.sp makes 16 rows of 8 columns");
    const int words = K / 4 / A::count;
    static_assert(words == 4 || A::count == 2, "no source says where the metadata of this shape lie");
    unsigned int each[words];
    detail::metadata<A::count, words>(places, selector, each);
    return detail::by_sparse<detail::result<Sum>::integer>::template run<M, N, K, A, B, Sum, Saturate, words>(a, b, c, each);
}

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_SPARSE_H
