// cudamigrate_wmma.h: nvcuda::wmma on warps of 32 lanes, by the functions of cudamigrate_mma.h.
//
// Included in the place of CUDA's <mma.h>; copy it, cudamigrate_mma.h and what that names wherever the code goes. The names
// are in nvcuda::wmma, so that code need not change, and cudamigrate::wmma is the same namespace. It works with ROCm 5.2 and later.
//
// A fragment belongs to 32 lanes, whatever the wavefront. Its elements lie as in the fragments of mma.sync: blocks of
// 16 (or 8) rows and 8 columns, one after the other. NVIDIA does not say where elements lie; an H200 with CUDA 13.0 has them in
// the same places for all shapes and types below, and there code that takes elements by number keeps its meaning. Fragments of half that hold each element more than once on NVIDIA do so here, and products read the first.
// Shapes and types: 16x16x16, 32x8x16 and 8x32x16 of half, bfloat16, signed and unsigned char; 16x16x8 of tf32; 8x8x4 of
// double. Elements of 4 bits and of 1 bit are in the functions for PTX alone: wmma_load, wmma_store and wmma_multiply take
// and give the registers of wmma.load, wmma.store and wmma.mma, with the same places of elements.
#ifndef CUDAMIGRATE_WMMA_H
#define CUDAMIGRATE_WMMA_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "cudamigrate_mma.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

// A namespace as CUDA's is and no other name of one: code adds functions and fragments of its own to it.
namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

}  // namespace wmma
}  // namespace nvcuda

namespace cudamigrate {
namespace wmma = ::nvcuda::wmma;

namespace detail {

// What mma.sync calls the type of an operand, and what a fragment keeps. A type of 16 bits that is not half is bfloat16.
template <typename T>
struct operand_type {
    static_assert(sizeof(T) == 2, "a fragment of this type is not supported");
    typedef element_bf16 element;
    typedef T stored;
    static const int in_word = 2;
};
#define CUDAMIGRATE_OPERAND(type, name, kept)      \
    template <>                                    \
    struct operand_type<type> {                    \
        typedef name element;                      \
        typedef kept stored;                       \
        static const int in_word = element::count; \
    };
CUDAMIGRATE_OPERAND(__half, element_f16, __half)
CUDAMIGRATE_OPERAND(signed char, element_s8, signed char)
CUDAMIGRATE_OPERAND(unsigned char, element_u8, unsigned char)
CUDAMIGRATE_OPERAND(wmma::precision::tf32, element_tf32, float)
CUDAMIGRATE_OPERAND(double, element_f64, double)
#undef CUDAMIGRATE_OPERAND
// Registers of PTX are kept as they are.
#define CUDAMIGRATE_OPERAND(name)               \
    template <>                                 \
    struct operand_type<name> {                 \
        typedef name element;                   \
        typedef typename element::word stored;  \
        static const int in_word = 1;           \
    };
CUDAMIGRATE_OPERAND(element_f16)
CUDAMIGRATE_OPERAND(element_bf16)
CUDAMIGRATE_OPERAND(element_tf32)
CUDAMIGRATE_OPERAND(element_f64)
CUDAMIGRATE_OPERAND(element_s8)
CUDAMIGRATE_OPERAND(element_u8)
CUDAMIGRATE_OPERAND(element_s4)
CUDAMIGRATE_OPERAND(element_u4)
CUDAMIGRATE_OPERAND(element_b1_and)
CUDAMIGRATE_OPERAND(element_b1_xor)
#undef CUDAMIGRATE_OPERAND

// How many elements a lane holds of a matrix, and how many the fragment has: half has 16 at least.
template <typename T>
struct repeated {
    static __host__ __device__ constexpr int count(int own) { return own; }
};
template <>
struct repeated<__half> {
    static __host__ __device__ constexpr int count(int own) { return own < 16 ? 16 : own; }
};

template <typename T, typename Value>
__device__ inline void set_element(T &element, const Value &value) {
    element = static_cast<T>(value);
}

// Row and column of an element of a lane's fragment.
struct Cell {
    int row, column;
};
template <typename Use, int M, int N, int K, typename T>
struct place;
template <int M, int N, int K, typename T>
struct place<wmma::matrix_a, M, N, K, T> {
    typedef typename operand_type<T>::element element;
    static const int rows = M >= 16 ? 16 : 8, own = M * K / 32, of_block = rows * K / 32;
    __device__ static Cell of(int i) {
        const int lane = static_cast<int>(lane_id()), in = i % of_block, word = in / element::count;
        const int row = lane / 4 + 8 * (word % (rows / 8)) + rows * (i / of_block);
        return {row, (lane % 4 + 4 * (word / (rows / 8))) * element::count + in % element::count};
    }
};
template <int M, int N, int K, typename T>
struct place<wmma::matrix_b, M, N, K, T> {
    typedef typename operand_type<T>::element element;
    static const int own = K * N / 32, of_block = K / 4;
    __device__ static Cell of(int i) {
        const int lane = static_cast<int>(lane_id()), in = i % of_block;
        const int row = (lane % 4 + 4 * (in / element::count)) * element::count + in % element::count;
        return {row, lane / 4 + 8 * (i / of_block)};
    }
};
template <int M, int N, int K, typename T>
struct place<wmma::accumulator, M, N, K, T> {
    static const int rows = M >= 16 ? 16 : 8, own = M * N / 32, of_block = rows / 4;
    __device__ static Cell of(int i) {
        const int lane = static_cast<int>(lane_id()), in = i % of_block, block = i / of_block;
        const int row = lane / 4 + 8 * (in / 2) + rows * (block / (N / 8));
        return {row, lane % 4 * 2 + in % 2 + 8 * (block % (N / 8))};
    }
};
// 8 x 32 sums are those of the transposed product, 32 x 8: B lies as a first matrix does, and A, with the same places either
// way, as a second one.
template <typename Place>
struct turned {
    static const int own = Place::own;
    __device__ static Cell of(int i) {
        const Cell cell = Place::of(i);
        return {cell.column, cell.row};
    }
};
template <int K, typename T>
struct place<wmma::matrix_b, 8, 32, K, T> : turned<place<wmma::matrix_a, 32, 8, K, T>> {};
template <int K, typename T>
struct place<wmma::accumulator, 8, 32, K, T> : turned<place<wmma::accumulator, 32, 8, K, T>> {};

}  // namespace detail

}  // namespace cudamigrate

namespace nvcuda {
namespace wmma {

// What code makes a fragment of its own of.
template <typename T, int Size, int Packed = Size>
struct alignas(8) __frag_base {
    static constexpr int num_elements = Size;
    static constexpr int num_storage_elements = Packed;
    T x[Packed];
};

// The elements of a matrix that one lane holds. `num_elements` counts them; `x` may be read and changed.
template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment {
    typedef typename ::cudamigrate::detail::operand_type<T>::stored element_type;
    typedef element_type storage_element_type;
    static constexpr int own = ::cudamigrate::detail::place<Use, M, N, K, T>::own;
    static constexpr int num_elements = ::cudamigrate::detail::repeated<T>::count(own);
    static constexpr int num_storage_elements = num_elements;
    element_type x[num_elements];
};
template <int M, int N, int K, typename T>
struct fragment<accumulator, M, N, K, T, void> {
    typedef T element_type;
    typedef T storage_element_type;
    static constexpr int own = M * N / 32;
    static constexpr int num_elements = own;
    static constexpr int num_storage_elements = own;
    T x[num_elements];
};

// A float with the bits of tf32, as products read it.
__device__ inline float __float_to_tf32(float x) { return ::cudamigrate::bits<float>(::cudamigrate::to_tf32_away(x)); }

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &a, const Value &value) {
    for (auto &one : a.x) ::cudamigrate::detail::set_element(one, value);
}

}  // namespace wmma
}  // namespace nvcuda

namespace cudamigrate {
namespace detail {

template <typename Layout>
struct in_rows;
template <>
struct in_rows<wmma::row_major> {
    static const bool value = true;
};
template <>
struct in_rows<wmma::col_major> {
    static const bool value = false;
};
template <typename Use, int M, int N, int K, typename T, typename Fragment, typename Memory>
__device__ inline void load_fragment(Fragment &a, const Memory *from, unsigned int leading, bool rows) {
    typedef place<Use, M, N, K, T> at;
    for (int i = 0; i < Fragment::num_elements; ++i) {
        const Cell cell = at::of(i % at::own);
        const unsigned int row = static_cast<unsigned int>(cell.row), column = static_cast<unsigned int>(cell.column);
        a.x[i] = from[rows ? row * leading + column : column * leading + row];
    }
}

// One register from elements that lie side by side, and back.
template <typename Word, typename T>
__device__ inline Word word_of(const T *elements) {
    Word word;
    __builtin_memcpy(&word, static_cast<const void *>(elements), sizeof(word));
    return word;
}
__device__ inline float as_number(float x) { return x; }
__device__ inline float as_number(__half x) { return __half2float(x); }
__device__ inline int as_number(int x) { return x; }
__device__ inline double as_number(double x) { return x; }
__device__ inline void set_number(float &to, float x) { to = x; }
__device__ inline void set_number(__half &to, float x) { to = __float2half_rn(x); }
__device__ inline void set_number(int &to, int x) { to = x; }
__device__ inline void set_number(double &to, double x) { to = x; }

// The type that sums have: halves are added as float and rounded once.
template <typename T>
struct sum_type {
    typedef T type;
};
template <>
struct sum_type<__half> {
    typedef float type;
};

template <bool Saturate, int M, int N, int K, typename A, typename B, typename D, typename C>
__device__ inline void multiply_blocks(D *d, const typename operand_type<A>::stored *a, const typename operand_type<B>::stored *b,
                                       const C *c) {
    typedef typename operand_type<A>::element left;
    typedef typename operand_type<B>::element right;
    typedef typename sum_type<C>::type sum;
    const int rows = M >= 16 ? 16 : 8, words_a = rows * K / 32 / left::count, words_b = K / 4 / right::count;
    for (int row = 0; row < M / rows; ++row) {
        Registers<typename left::word, words_a> x;
        for (int w = 0; w < words_a; ++w)
            x.value[w] = word_of<typename left::word>(a + (row * words_a + w) * operand_type<A>::in_word);
        for (int column = 0; column < N / 8; ++column) {
            const int first = (row * (N / 8) + column) * (rows / 4);
            Registers<typename right::word, words_b> y;
            Registers<sum, rows / 4> z;
            for (int w = 0; w < words_b; ++w)
                y.value[w] = word_of<typename right::word>(b + (column * words_b + w) * operand_type<B>::in_word);
            for (int i = 0; i < rows / 4; ++i) z.value[i] = as_number(c[first + i]);
            z = mma_sync<rows, 8, K, left, right, sum, Saturate>(x, y, z);
            for (int i = 0; i < rows / 4; ++i) set_number(d[first + i], z.value[i]);
        }
    }
}

// The same for each shape: that of 8 x 32 is worked out transposed.
template <int M, int N>
struct product_of {
    template <bool Saturate, int K, typename A, typename B, typename D, typename C, typename In, typename Other>
    __device__ static void multiply(D *d, const In *a, const Other *b, const C *c) {
        multiply_blocks<Saturate, M, N, K, A, B>(d, a, b, c);
    }
};
template <>
struct product_of<8, 32> {
    template <bool Saturate, int K, typename A, typename B, typename D, typename C, typename In, typename Other>
    __device__ static void multiply(D *d, const In *a, const Other *b, const C *c) {
        multiply_blocks<Saturate, 32, 8, K, B, A>(d, b, a, c);
    }
};

}  // namespace detail

}  // namespace cudamigrate

namespace nvcuda {
namespace wmma {

// Loads the part of a matrix in memory that belongs to the lane; `leading` counts elements from a row, or a column, to
// the next.
template <typename Use, int M, int N, int K, typename T, typename Layout, typename Memory>
__device__ inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &a, const Memory *from, unsigned int leading) {
    ::cudamigrate::detail::load_fragment<Use, M, N, K, T>(a, from, leading, ::cudamigrate::detail::in_rows<Layout>::value);
}
template <int M, int N, int K, typename T, typename Memory>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &a, const Memory *from, unsigned int leading,
                                        layout_t layout) {
    ::cudamigrate::detail::load_fragment<accumulator, M, N, K, T>(a, from, leading, layout == mem_row_major);
}

template <int M, int N, int K, typename T, typename Memory>
__device__ inline void store_matrix_sync(Memory *to, const fragment<accumulator, M, N, K, T> &a, unsigned int leading,
                                         layout_t layout) {
    for (int i = 0; i < fragment<accumulator, M, N, K, T>::num_elements; ++i) {
        const ::cudamigrate::detail::Cell cell = ::cudamigrate::detail::place<accumulator, M, N, K, T>::of(i);
        const unsigned int row = static_cast<unsigned int>(cell.row), column = static_cast<unsigned int>(cell.column);
        to[layout == mem_row_major ? row * leading + column : column * leading + row] = a.x[i];
    }
}

// d = a * b + c. With `saturate` sums of integers stop at the ends of the range.
template <int M, int N, int K, typename A, typename B, typename C, typename D, typename LayoutA, typename LayoutB>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LayoutA> &a,
                                const fragment<matrix_b, M, N, K, B, LayoutB> &b,
                                const fragment<accumulator, M, N, K, C> &c, bool saturate = false) {
    if (saturate)
        ::cudamigrate::detail::product_of<M, N>::template multiply<true, K, A, B>(d.x, a.x, b.x, c.x);
    else
        ::cudamigrate::detail::product_of<M, N>::template multiply<false, K, A, B>(d.x, a.x, b.x, c.x);
}

}  // namespace wmma
}  // namespace nvcuda

namespace cudamigrate {
namespace detail {

// What PTX's fragments hold: the type in memory, the register, how many elements a register has. Elements of less than a
// byte lie side by side along k, and are read a register at a time.
template <typename T>
struct ptx_element {
    typedef typename T::word memory;
    typedef typename T::word word;
    static const int count = 1, packed = T::count, least = 0;
};
template <typename Memory, int Count, int Least = 0>
struct ptx_parts {
    typedef Memory memory;
    typedef unsigned int word;
    static const int count = Count, packed = 1, least = Least;
};
template <> struct ptx_element<element_f16> : ptx_parts<unsigned short, 2, 8> {};
template <> struct ptx_element<element_bf16> : ptx_parts<unsigned short, 2> {};
template <> struct ptx_element<element_s8> : ptx_parts<unsigned char, 4> {};
template <> struct ptx_element<element_u8> : ptx_parts<unsigned char, 4> {};
template <typename Sum>
struct ptx_sum {
    typedef Sum memory;
    typedef Sum word;
    static const int count = 1, packed = 1;
};
template <>
struct ptx_sum<element_f16> : ptx_parts<unsigned short, 2> {};

// The registers of a fragment: 8 at least of halves to multiply.
template <typename Use, int M, int N, int K, typename T>
struct ptx_fragment : ptx_element<T> {
    static const int own = place<Use, M, N, K, T>::own / ptx_element<T>::count / ptx_element<T>::packed;
    static const int words = own < ptx_element<T>::least ? ptx_element<T>::least : own;
};
template <int M, int N, int K, typename T>
struct ptx_fragment<wmma::accumulator, M, N, K, T> : ptx_sum<T> {
    static const int own = M * N / 32 / ptx_sum<T>::count, words = own;
};

template <typename Use, int M, int N, int K, typename T, bool InRows>
__device__ inline unsigned long long offset_of(int i, unsigned int leading) {
    const Cell cell = place<Use, M, N, K, T>::of(i);
    const unsigned long long row = static_cast<unsigned int>(cell.row), column = static_cast<unsigned int>(cell.column);
    return InRows ? row * leading + column : column * leading + row;
}

// Sums that a result is rounded to, and back.
template <typename Sum>
struct sum_of_ptx {
    typedef Sum type;
};
template <>
struct sum_of_ptx<element_f16> {
    typedef __half type;
};

}  // namespace detail

// Loads the registers of a fragment: wmma.load. `leading` counts elements from a row, or a column, to the next.
template <typename Use, int M, int N, int K, typename T, bool InRows>
__device__ inline auto wmma_load(const void *from, unsigned int leading)
    -> Registers<typename detail::ptx_fragment<Use, M, N, K, T>::word, detail::ptx_fragment<Use, M, N, K, T>::words> {
    typedef detail::ptx_fragment<Use, M, N, K, T> form;
    Registers<typename form::word, form::words> made;
    for (int w = 0; w < form::words; ++w) {
        typename form::memory parts[form::count];
        for (int e = 0; e < form::count; ++e) {
            const int i = (w % form::own * form::count + e) * form::packed;
            parts[e] = static_cast<const typename form::memory *>(from)[detail::offset_of<Use, M, N, K, T, InRows>(i, leading) / form::packed];
        }
        made.value[w] = detail::word_of<typename form::word>(parts);
    }
    return made;
}

// Stores the registers of a result: wmma.store.
template <int M, int N, int K, typename Sum, bool InRows>
__device__ inline void wmma_store(void *to, const Registers<typename detail::ptx_sum<Sum>::word, M * N / 32 / detail::ptx_sum<Sum>::count> &a,
                                  unsigned int leading) {
    typedef detail::ptx_sum<Sum> form;
    for (int i = 0; i < M * N / 32; ++i) {
        typename form::memory part;
        __builtin_memcpy(&part, reinterpret_cast<const char *>(a.value) + static_cast<unsigned int>(i) * sizeof(part), sizeof(part));
        static_cast<typename form::memory *>(to)[detail::offset_of<wmma::accumulator, M, N, K, Sum, InRows>(i, leading)] = part;
    }
}

// d = a * b + c on the registers of fragments: wmma.mma.
template <int M, int N, int K, typename A, typename B, typename D, typename C, bool Saturate = false>
__device__ inline auto wmma_multiply(
    const Registers<typename A::word, detail::ptx_fragment<wmma::matrix_a, M, N, K, A>::words> &a,
    const Registers<typename B::word, detail::ptx_fragment<wmma::matrix_b, M, N, K, B>::words> &b,
    const Registers<typename detail::ptx_sum<C>::word, M * N / 32 / detail::ptx_sum<C>::count> &c)
    -> Registers<typename detail::ptx_sum<D>::word, M * N / 32 / detail::ptx_sum<D>::count> {
    Registers<typename detail::ptx_sum<D>::word, M * N / 32 / detail::ptx_sum<D>::count> made;
    typename detail::sum_of_ptx<C>::type third[M * N / 32];
    typename detail::sum_of_ptx<D>::type sums[M * N / 32];
    __builtin_memcpy(static_cast<void *>(third), c.value, sizeof(third));
    detail::product_of<M, N>::template multiply<Saturate, K, A, B>(sums, a.value, b.value, third);
    __builtin_memcpy(made.value, static_cast<const void *>(sums), sizeof(sums));
    return made;
}

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_WMMA_H
