// mma.sp and the registers of wmma.load, wmma.mma and wmma.store against plain products, on the emulated wavefront.
//
// Where elements of a sparse matrix lie is written here once more, by the text of the PTX ISA; where their metadata lie
// comes from layouts.toml. Nothing is taken from the header under test.
#include "wavefront.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>

#ifdef CUDAMIGRATE_MATRIX_MODEL
#include "matrix_model.h"
#else
#include "layouts.inc"
#include "numbers.h"
#endif
#include "cudamigrate_sparse.h"
#include "cudamigrate_wmma.h"
#include "elements.h"

namespace {

using namespace cudamigrate;
std::mt19937_64 draw(23);
int count = 0;
using cudamigrate::bits;

// Numbers of a type as bits, from a small integer; and their values.
template <typename T>
struct Number;
#define NUMBER(type, size, make, read)                                       \
    template <>                                                              \
    struct Number<type> {                                                    \
        static constexpr int width = size;                                   \
        static std::uint64_t of(int x) { return static_cast<std::uint64_t>(make) & (size == 64 ? ~0ull : (1ull << (size % 64)) - 1); } \
        static double value(std::uint64_t raw) { return read; }              \
    };
NUMBER(f16, 16, cudamigrate::bits<unsigned int>(__floats2half2_rn(static_cast<float>(x) / 4.0f, 0.0f)), numbers::f16(static_cast<unsigned int>(raw)))
NUMBER(bf16, 16, to_bf16(static_cast<float>(x) / 4.0f), numbers::bf16(static_cast<unsigned int>(raw)))
NUMBER(tf32, 32, bits<unsigned int>(static_cast<float>(x) / 8.0f), bits<float>(static_cast<unsigned int>(raw)))
NUMBER(e4m3, 8, (x < 0 ? 0x80 : 0) + 0x30 + (x & 15), numbers::e4m3(static_cast<unsigned int>(raw)))
NUMBER(e5m2, 8, (x < 0 ? 0x80 : 0) + 0x38 + (x & 7), numbers::e5m2(static_cast<unsigned int>(raw)))
NUMBER(s8, 8, x, static_cast<signed char>(raw))
NUMBER(u8, 8, x, static_cast<double>(raw))
NUMBER(s4, 4, x, static_cast<double>((static_cast<int>(raw) ^ 8) - 8))
NUMBER(u4, 4, x, static_cast<double>(raw))
NUMBER(b1_and, 1, x, static_cast<double>(raw))
NUMBER(b1_xor, 1, x, static_cast<double>(raw))
NUMBER(f64, 64, bits<unsigned long long>(static_cast<double>(x) / 16.0), bits<double>(static_cast<unsigned long long>(raw)))
NUMBER(float, 32, bits<unsigned int>(static_cast<float>(x) / 4.0f), bits<float>(static_cast<unsigned int>(raw)))
NUMBER(int, 32, x, static_cast<int>(raw))
NUMBER(double, 64, bits<unsigned long long>(static_cast<double>(x) / 4.0), bits<double>(static_cast<unsigned long long>(raw)))
#undef NUMBER

int small() { return static_cast<int>(draw() % 200) - 100; }
void fail(const char *name, int lanes, int lane, int i, double got, double want) {
    std::printf("WRONG %s: wavefront of %d, lane %d, result %d: %g, not %g\n", name, lanes, lane, i, got, want);
    std::exit(1);
}
template <typename Word>
std::uint64_t part(const Word &word, int at, int width) {
    std::uint64_t raw = 0;
    __builtin_memcpy(&raw, &word, sizeof word);
    return raw >> (at * width) & (width == 64 ? ~0ull : (1ull << (width % 64)) - 1);
}
template <typename Word>
void put(Word &word, int at, int width, std::uint64_t value) {
    std::uint64_t raw = 0;
    __builtin_memcpy(&raw, &word, sizeof word);
    const std::uint64_t mask = (width == 64 ? ~0ull : (1ull << (width % 64)) - 1) << (at * width);
    raw = (raw & ~mask) | (value << (at * width) & mask);
    __builtin_memcpy(&word, &raw, sizeof word);
}

// A warp's matrices and registers of mma.sp. `Wide`: the shape with twice as many columns, and four registers of A.
template <int K, typename A, typename B, typename Sum, bool Saturate>
struct Sparse {
    static constexpr int words = K / 4 / A::count, unit = A::count == 8 ? 2 : 1, chunk = A::count == 1 ? 2 : 4;
    double a[16][K], b[K][8], c[16][8];
    Registers<unsigned int, words> in_a[32];
    Registers<unsigned int, K / 4 / B::count> in_b[32];
    Registers<typename detail::result<Sum>::word, 4 / detail::result<Sum>::count> in_c[32], out[32];
    unsigned int places[32], selector;

    void fill(const layouts::Metadata &layout, bool edges) {
        selector = static_cast<unsigned int>(draw() % static_cast<unsigned int>(layout.selectors));
        for (auto &word : places) word = static_cast<unsigned int>(draw());
        for (auto &row : a) for (auto &one : row) one = 0.0;
        for (int row = 0; row < 16; ++row) for (int at = 0; at < K / unit / chunk; ++at) chunk_of(layout, row, at);
        for (int lane = 0; lane < 32; ++lane) {
            for (int i = 0; i < K / 4; ++i) {
                // b: 32 / bits elements of a register lie side by side, the next register 4 of these farther down.
                const int row = (lane % 4 + i / B::count * 4) * B::count + i % B::count;
                std::uint64_t raw = Number<B>::of(small());
                b[row][lane / 4] = Number<B>::value(raw);
                put(in_b[lane].value[i / B::count], i % B::count, Number<B>::width, raw);
            }
            for (int i = 0; i < 4; ++i) {
                const std::uint64_t raw = Number<Sum>::of(small());
                c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2] = Number<Sum>::value(raw);
                put(in_c[lane].value[i / detail::result<Sum>::count], i % detail::result<Sum>::count, Number<Sum>::width, raw);
            }
        }
        if (edges && std::is_same<B, f16>::value) spoil();
    }

    // Infinities in B where a row of A holds nothing: what is not multiplied leaves no trace in that row.
    void spoil() {
        const int k = static_cast<int>(draw() % K);
        b[k][0] = HUGE_VAL;
        put(in_b[k / 2 % 4].value[k / 8], k % 2, 16, 0x7c00u);
    }

    // The elements of a row that one chunk holds: first where they are, then their numbers.
    void chunk_of(const layouts::Metadata &layout, int row, int at) {
        const int g = row % 8, upper = row / 8, columns = chunk * unit;
        int first = static_cast<int>(draw() % 3), second = first + 1 + static_cast<int>(draw() % static_cast<unsigned int>(3 - first));
        unsigned int nibble = static_cast<unsigned int>(first | second << 2);
        if (chunk == 2) first = static_cast<int>(draw() % 2), nibble = first ? 0xeu : 0x4u;
        const int held = chunk / 2, number = at * held;  // of the row, in units
        // a: a lane of the group holds two chunks of bytes in a register, or one of larger numbers, the lower row first
        const int in_word = A::count / unit, lane = g * 4 + number / in_word % 4, word = number / in_word / 4 * 2 + upper;
        for (int i = 0; i < held; ++i) {
            for (int e = 0; e < unit; ++e) {
                const std::uint64_t raw = Number<A>::of(small() | 1);
                const int column = at * columns + (i ? second : first) * unit + e;
                a[row][column] = Number<A>::value(raw);
                put(in_a[lane].value[word], (number % in_word + i) * unit + e, Number<A>::width, raw);
            }
        }
        const layouts::Place where = layout.of[selector][word][lane % 4];
        put(places[g * 4 + where.lane], where.place / 4 + number % in_word / 2, 4, nibble);
    }

    void check(const char *name, int lanes) const {
        for (int at = 0; at < 128; ++at) {
            const int lane = at / 4, i = at % 4, row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            double want = c[row][column], size = std::fabs(want);
            for (int k = 0; k < K; ++k) {
                if (a[row][k] != 0.0) want += a[row][k] * b[k][column], size += std::fabs(a[row][k] * b[k][column]);
            }
            const double got = Number<Sum>::value(part(out[lane].value[i / detail::result<Sum>::count], i % detail::result<Sum>::count, Number<Sum>::width));
            const double off = std::is_same<Sum, int>::value ? 0.0 : size * (std::is_same<Sum, f16>::value ? 0x1p-10 : 0x1p-18);
            if (std::isinf(want) ? got != got || std::isinf(got) : std::fabs(got - want) <= off) continue;
            fail(name, lanes, lane, i, got, want);
        }
    }
};

template <int K, typename A, typename B, typename Sum, bool Saturate>
void sparse(const char *name, const layouts::Metadata &layout) {
    typedef Sparse<K, A, B, Sum, Saturate> Case;
    static Case cases[2];
    for (int trial = 0; trial < count; ++trial) {
        const int lanes = trial % 3 ? 64 : 32, alone = trial % 5 == 1 ? 1 : -1;  // a warp whose neighbour is not there
        for (Case &one : cases) one.fill(layout, trial % 4 == 3);
        wavefront::run(lanes, static_cast<unsigned int>(draw()), [alone] {
            const int warp = wavefront::lane() / 32, lane = wavefront::lane() % 32;
            if (warp == 0 && alone == 1 && wavefront::width() == 64) return;
            Case &own = cases[warp];
            own.out[lane] = mma_sp<16, 8, K, A, B, Sum, Saturate>(own.in_a[lane], own.in_b[lane], own.in_c[lane], own.places[lane], own.selector);
        });
        for (int warp = lanes == 64 && alone == 1 ? 1 : 0; warp < lanes / 32; ++warp) cases[warp].check(name, lanes);
    }
    std::printf("%s %d\n", name, count);
}

// A matrix in memory: its elements as bits, side by side.
struct Memory {
    std::uint64_t words[1200];
    std::uint64_t at(int i, int width) const { return part(words[i * width / 64], i * width % 64 / width, width); }
    void set(int i, int width, std::uint64_t raw) { put(words[i * width / 64], i * width % 64 / width, width, raw); }
};

template <int M, int N, int K, typename A, typename B, typename D, typename C, bool RowA, bool RowB, bool RowC, bool Saturate>
void dense(const char *name) {
    static Memory a[2], b[2], c[2], d[2];
    constexpr int pad = Number<A>::width < 8 ? 128 : 4, leading_a = (RowA ? K : M) + pad, leading_b = (RowB ? N : K) + pad;
    constexpr int leading_c = (RowC ? N : M) + 4, most = Number<A>::width < 8 ? 2200 : 800;
    for (int trial = 0; trial < 2 * count; ++trial) {
        const int lanes = trial % 2 ? 64 : 32;
        for (int warp = 0; warp < lanes / 32; ++warp) {
            for (int i = 0; i < most; ++i) {
                a[warp].set(i, Number<A>::width, Number<A>::of(small()));
                b[warp].set(i, Number<B>::width, Number<B>::of(small()));
                if (i < most / 2) c[warp].set(i, Number<C>::width, Number<C>::of(small()));
            }
        }
        wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
            const int warp = wavefront::lane() / 32;
            const auto left = wmma_load<wmma::matrix_a, M, N, K, A, RowA>(a[warp].words, leading_a);
            const auto right = wmma_load<wmma::matrix_b, M, N, K, B, RowB>(b[warp].words, leading_b);
            const auto third = wmma_load<wmma::accumulator, M, N, K, C, RowC>(c[warp].words, leading_c);
            const auto sum = wmma_multiply<M, N, K, A, B, D, C, Saturate>(left, right, third);
            wmma_store<M, N, K, D, RowC>(d[warp].words, sum, leading_c);
        });
        for (int at = 0; at < lanes / 32 * M * N; ++at) {
            const int warp = at / (M * N), row = at / N % M, column = at % N, place = RowC ? row * leading_c + column : column * leading_c + row;
            double want = Number<C>::value(c[warp].at(place, Number<C>::width)), size = std::fabs(want);
            for (int k = 0; k < K; ++k) {
                const std::uint64_t x = a[warp].at(RowA ? row * leading_a + k : k * leading_a + row, Number<A>::width);
                const std::uint64_t y = b[warp].at(RowB ? k * leading_b + column : column * leading_b + k, Number<B>::width);
                const double one = std::is_same<A, b1_xor>::value ? static_cast<double>(x ^ y) : Number<A>::value(x) * Number<B>::value(y);
                want += one, size += std::fabs(one);
            }
            const double got = Number<D>::value(d[warp].at(place, Number<D>::width));
            const double off = std::is_same<D, int>::value ? 0.0 : size * (std::is_same<D, f16>::value ? 0x1p-10 : 0x1p-18);
            if (std::fabs(got - want) > off) fail(name, lanes, at, 0, got, want);
        }
    }
    std::printf("%s %d\n", name, count);
}

// Every 8-bit float as f16, in both halves of a word.
template <typename Type>
void eight_bits(const char *name) {
    for (unsigned int x = 0; x < 256; ++x) {
        const unsigned int word = x | (x * 37u & 0xffu) << 8 | (x * 11u & 0xffu) << 16 | x << 24;
        unsigned int made[2];
        detail::to_f16<Type>(word, made);
        for (int i = 0; i < 4; ++i) {
            const double want = Number<Type>::value(word >> (8 * i) & 0xffu), got = numbers::f16(made[i / 2] >> (16 * (i % 2)) & 0xffffu);
            if (want != want ? got == got : got != want || std::signbit(got) != std::signbit(want)) fail(name, 0, static_cast<int>(x), i, got, want);
        }
    }
}

}  // namespace

#define SPARSE(k, left, right, sum, saturate) \
    sparse<k, cudamigrate::left, cudamigrate::right, sum, saturate>( \
        "sp.m16n8k" #k "." #sum "." #left "." #right, \
        layouts::metadata_m16n8k##k##_##left);
#define DENSE(m, n, k, left, right, result, third, a, b, c, saturate) \
    dense<m, n, k, cudamigrate::left, cudamigrate::right, result, third, a, b, c, saturate>( \
        "wmma.m" #m "n" #n "k" #k "." #result "." #left "." #right "." #third);

int main(int, char **argv) {
    count = std::atoi(argv[1]);
    wavefront::run(32, 1, [] { if (wavefront::lane() == 0) eight_bits<e4m3>("e4m3"), eight_bits<e5m2>("e5m2"); });
    SPARSE(16, f16, f16, float, false)
    SPARSE(32, f16, f16, f16, false)
    SPARSE(32, bf16, bf16, float, false)
    SPARSE(16, bf16, bf16, float, false)
    SPARSE(16, tf32, tf32, float, false)
    SPARSE(64, e4m3, e5m2, float, false)
    SPARSE(64, e5m2, e4m3, f16, false)
    SPARSE(64, s8, u8, int, false)
    SPARSE(64, u8, s8, int, true)
    SPARSE(128, s4, s4, int, false)
    SPARSE(128, u4, s4, int, false)
    DENSE(16, 16, 16, f16, f16, float, float, true, false, true, false)
    DENSE(32, 8, 16, f16, f16, cudamigrate::f16, float, false, true, false, false)
    DENSE(8, 32, 16, f16, f16, float, cudamigrate::f16, true, true, true, false)
    DENSE(16, 16, 16, bf16, bf16, float, float, false, true, true, false)
    DENSE(16, 16, 8, tf32, tf32, float, float, true, false, false, false)
    DENSE(8, 8, 4, f64, f64, double, double, true, false, true, false)
    DENSE(32, 8, 16, s8, s8, int, int, true, false, true, true)
    DENSE(8, 32, 16, u8, u8, int, int, false, true, false, false)
    DENSE(8, 8, 32, s4, s4, int, int, true, false, true, false)
    DENSE(8, 8, 32, u4, u4, int, int, true, false, false, false)
    DENSE(8, 8, 128, b1_and, b1_and, int, int, true, false, true, false)
    DENSE(8, 8, 128, b1_xor, b1_xor, int, int, true, false, true, false)
}
