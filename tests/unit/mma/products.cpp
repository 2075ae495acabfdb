// mma_sync against plain products of matrices, on the emulated wavefront: programs NAME COUNT, or all forms.
#include "wavefront.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#ifdef CUDAMIGRATE_MATRIX_MODEL
#include "matrix_model.h"
#else
#include "layouts.inc"
#include "numbers.h"
#endif
#include "elements.h"

#ifndef FORMS
#define FORMS "forms.inc"
#endif

namespace {

std::mt19937_64 draw(7);

// Whether operands may be subnormal: not where the header is told that they need not be kept.
#ifdef CUDAMIGRATE_FLUSH_HALVES
constexpr bool subnormal = false;
#else
constexpr bool subnormal = true;
#endif

template <typename Type>
struct Element;

struct Integer {
    typedef long long number;
    static std::uint64_t any(int, int bits) { return draw() & ((std::uint64_t{1} << bits) - 1u); }
};
#define INTEGER(name, size, is_signed)                                                             \
    template <>                                                                                    \
    struct Element<cudamigrate::name> : Integer {                                                  \
        static constexpr int bits = size;                                                          \
        static std::uint64_t made(int kind) {                                                      \
            const std::uint64_t edges[] = {0, 1u << (size - 1), (1u << size) - 1u, (1u << (size - 1)) - 1u}; \
            return kind == 0 ? edges[draw() % 4] : kind == 1 ? edges[1 + draw() % 3] : any(kind, size); \
        }                                                                                          \
        static long long value(std::uint64_t raw) {                                                \
            const long long top = 1ll << (size - 1), given = static_cast<long long>(raw);          \
            return is_signed ? (given ^ top) - top : given;                                        \
        }                                                                                          \
        static long long product(long long a, long long b) { return a * b; }                      \
    };
INTEGER(s8, 8, true)
INTEGER(u8, 8, false)
INTEGER(s4, 4, true)
INTEGER(u4, 4, false)
#undef INTEGER

#define BITS(name, joined)                                                        \
    template <>                                                                   \
    struct Element<cudamigrate::name> : Integer {                                 \
        static constexpr int bits = 1;                                            \
        static std::uint64_t made(int kind) { return any(kind, 1); }              \
        static long long value(std::uint64_t raw) { return static_cast<long long>(raw); } \
        static long long product(long long a, long long b) { return a joined b; } \
    };
BITS(b1_and, &)
BITS(b1_xor, ^)
#undef BITS

// A float of any kind: exponents from `low`, so many of them; special values in some trials only.
template <int Size, int Exponent, int Mantissa>
struct Float {
    typedef double number;
    static constexpr int bits = Size;
    static std::uint64_t of(std::uint64_t power, std::uint64_t digits) {
        const int more = Size - 1 - Exponent - Mantissa;
        const std::uint64_t raw = (draw() & 1u) << (Exponent + Mantissa) | power << Mantissa | digits;
        return raw << more | (draw() & ((std::uint64_t{1} << more) - 1u));
    }
    static std::uint64_t made(int kind) {
        const std::uint64_t middle = (1u << (Exponent - 1)) - 1u, digits = draw() & ((std::uint64_t{1} << Mantissa) - 1u);
        const std::uint64_t reach = Exponent > 6 ? 24 : (1u << Exponent) / 3u;
        if (kind == 2 && draw() % 16 == 0) return of((1u << Exponent) - 1u, draw() % 4 == 0 ? std::uint64_t{1} << (Mantissa - 1) : 0u);
        const bool low = kind == 0 && draw() % 3 == 0;
        if (kind == 0) return of(low ? 0u : middle + draw() % 3, low && !subnormal ? 0u : digits);
        if (kind == 1) return of(middle + draw() % 2, draw() % 2 ? 0u : (std::uint64_t{1} << Mantissa) - 1u);
        return of(middle - reach + draw() % (2 * reach), digits);
    }
    static double product(double a, double b) { return a * b; }
};
#define FLOAT(name, size, exponent, mantissa)                            \
    template <>                                                          \
    struct Element<cudamigrate::name> : Float<size, exponent, mantissa> { \
        static double value(std::uint64_t raw) { return numbers::name(raw); } \
    };
FLOAT(f16, 16, 5, 10)
FLOAT(bf16, 16, 8, 7)
FLOAT(tf32, 32, 8, 10)
FLOAT(e4m3, 8, 4, 3)
FLOAT(e5m2, 8, 5, 2)
#undef FLOAT
template <>
struct Element<cudamigrate::f64> : Float<64, 11, 52> {
    static double value(std::uint64_t raw) {
        double x;
        std::memcpy(&x, &raw, sizeof x);
        return x;
    }
};

template <typename Word>
Word packed(const std::uint64_t *raw, int count, int bits) {
    std::uint64_t all = 0;
    for (int at = 0; at < count; ++at) all |= raw[at] << (at * bits);
    Word made;
    std::memcpy(&made, &all, sizeof made);
    return made;
}

// What the third matrix and the result hold.
template <typename Sum>
struct Third;
template <>
struct Third<float> {
    static float any(int kind) { return kind == 3 ? 0.0f : std::ldexp(static_cast<float>(draw() % 2000) - 1000.0f, -3); }
    static double value(float x) { return x; }
    static bool right(float got, double want, double off) {
        return got >= static_cast<float>(want - off) && got <= static_cast<float>(want + off);
    }
};
template <>
struct Third<double> {
    static double any(int) { return std::ldexp(static_cast<double>(draw() >> 11), -50) - 4.0; }
    static double value(double x) { return x; }
    static bool right(double got, double want, double off) { return got >= want - off && got <= want + off; }
};
template <>
struct Third<cudamigrate::f16> {
    static double value(double x) { return x; }
    static bool right(double got, double want, double off) {
        return got >= numbers::to_f16(want - off) && got <= numbers::to_f16(want + off);
    }
};

template <int M, int K, typename A, typename B, typename Sum, bool Saturate>
struct Form {
    static constexpr int N = 8, words_a = M * K / 32 / A::count, words_b = K / 4 / B::count;
    typedef cudamigrate::detail::result<Sum> result;
    static constexpr int words_c = M / 4 / result::count;
    typedef typename A::word Word;
    typedef typename result::word ResultWord;
    std::uint64_t a[M][K], b[K][N];
    double c[M][N];
    cudamigrate::Registers<Word, words_a> in_a[32];
    cudamigrate::Registers<Word, words_b> in_b[32];
    cudamigrate::Registers<ResultWord, words_c> in_c[32], out[32];

    void fill(const layouts::Shape &layout, int kind) {
        for (auto &row : a) for (auto &one : row) one = Element<A>::made(kind);
        for (auto &row : b) for (auto &one : row) one = Element<B>::made(kind);
        for (int lane = 0; lane < 32; ++lane) {
            std::uint64_t raw[128];
            for (int i = 0; i < words_a * A::count; ++i) raw[i] = a[layout.a[lane][i].row][layout.a[lane][i].column];
            for (int w = 0; w < words_a; ++w) in_a[lane].value[w] = packed<Word>(raw + w * A::count, A::count, Element<A>::bits);
            for (int i = 0; i < words_b * B::count; ++i) raw[i] = b[layout.b[lane][i].row][layout.b[lane][i].column];
            for (int w = 0; w < words_b; ++w) in_b[lane].value[w] = packed<Word>(raw + w * B::count, B::count, Element<B>::bits);
            for (int i = 0; i < M / 4; ++i) third(lane, i, layout.c[lane][i], kind);
        }
    }

    void third(int lane, int i, layouts::Cell at, int kind) {
        ResultWord &word = in_c[lane].value[i / result::count];
        if constexpr (std::is_same<Sum, int>::value) {
            const int edges[] = {0, 1, -1, 0x7fffffff, static_cast<int>(0x80000000u), 0x7fffff00};
            word = draw() % 3 ? static_cast<int>(draw()) : edges[draw() % 6];
            c[at.row][at.column] = word;
        } else if constexpr (std::is_same<Sum, cudamigrate::f16>::value) {
            const unsigned int raw = static_cast<unsigned int>(Element<cudamigrate::f16>::made(kind));
            word = i % 2 ? (word & 0xffffu) | raw << 16 : raw;
            c[at.row][at.column] = numbers::f16(raw);
        } else {
            word = Third<Sum>::any(kind);
            c[at.row][at.column] = static_cast<double>(word);
        }
    }

    bool right(int lane, int i, layouts::Cell at) const {
        const ResultWord word = out[lane].value[i / result::count];
        if constexpr (std::is_same<Sum, int>::value) {
            long long want = static_cast<long long>(c[at.row][at.column]);
            for (int k = 0; k < K; ++k)
                want += Element<A>::product(Element<A>::value(a[at.row][k]), Element<B>::value(b[k][at.column]));
            if (Saturate) want = std::min(std::max(want, -2147483648ll), 2147483647ll);
            return word == static_cast<int>(static_cast<unsigned int>(static_cast<unsigned long long>(want)));
        } else {
            double got;
            if constexpr (std::is_same<Sum, cudamigrate::f16>::value) got = numbers::f16(word >> (16 * (i % 2)));
            else got = word;
            return close(got, at);
        }
    }

    bool close(double got, layouts::Cell at) const {
        long double want = c[at.row][at.column], size = std::fabs(want);
        for (int k = 0; k < K; ++k) {
            const long double one = static_cast<long double>(Element<A>::value(a[at.row][k])) * Element<B>::value(b[k][at.column]);
            want += one, size += std::fabs(one);
        }
        if (want != want) return got != got;
        if (std::isinf(want)) return got == static_cast<double>(want);
        const bool wide = std::is_same<Sum, double>::value;
        const double off = static_cast<double>(size) * (K + 2) * (wide ? 0x1p-52 : 0x1p-24) + (wide ? 0.0 : K * 0x1p-149);
        return Third<Sum>::right(static_cast<decltype(typename result::number())>(got), static_cast<double>(want), off);
    }
};

enum class Mode { all, lower, upper, apart, before };

template <int M, int K, typename A, typename B, typename Sum, bool Saturate>
void run(Form<M, K, A, B, Sum, Saturate> *forms, int lanes, Mode mode) {
    wavefront::run(lanes, static_cast<unsigned int>(draw()), [=] {
        const int lane = wavefront::lane(), warp = lane / 32;
        if ((mode == Mode::lower && warp == 1) || (mode == Mode::upper && warp == 0)) return;
        auto &form = forms[warp];
        if (mode == Mode::apart) wavefront::branch(1 + warp);
        if (mode == Mode::before) {
            wavefront::branch(1 + lane % 3);
            __ballot(lane % 2);
            wavefront::reconverge();
        }
        form.out[lane % 32] = cudamigrate::mma_sync<M, 8, K, A, B, Sum, Saturate>(
            form.in_a[lane % 32], form.in_b[lane % 32], form.in_c[lane % 32]);
    });
}

template <int M, int K, typename A, typename B, typename Sum, bool Saturate>
bool test(const char *name, const layouts::Shape &layout, int count) {
    static Form<M, K, A, B, Sum, Saturate> forms[2];
    long long products[2] = {};
    for (int trial = 0; products[0] < count || products[1] < count; ++trial) {
        const int lanes = trial % 5 < 3 ? 32 : 64;
        const Mode mode = lanes == 32 ? (trial % 2 ? Mode::all : Mode::before)
                                      : static_cast<Mode>(trial % 8 < 4 ? 0 : 1 + trial % 4);
        for (int warp = 0; warp < lanes / 32; ++warp) forms[warp].fill(layout, trial % 7);
        run(forms, lanes, mode);
        for (int warp = 0; warp < lanes / 32; ++warp) {
            if ((mode == Mode::lower && warp == 1) || (mode == Mode::upper && warp == 0)) continue;
            ++products[lanes == 64];
            for (int lane = 0; lane < 32; ++lane) {
                for (int i = 0; i < M / 4; ++i) {
                    if (forms[warp].right(lane, i, layout.c[lane][i])) continue;
                    std::printf("WRONG %s: wavefront of %d, warp %d, lane %d, element %d, trial %d\n", name, lanes, warp, lane, i, trial);
                    return false;
                }
            }
        }
    }
    std::printf("%s %lld %lld\n", name, products[0], products[1]);
    return true;
}

}  // namespace

int main(int argc, char **argv) {
    const std::string wanted = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 40;
    bool right = true;
#define FORM(rows, depth, left, right_, sum, saturate)                                                        \
    if (wanted.empty() || wanted == "m" #rows "n8k" #depth "." #left)                                         \
        right &= test<rows, depth, cudamigrate::left, cudamigrate::right_, sum, saturate>(                    \
            "m" #rows "n8k" #depth "." #sum "." #left "." #right_, layouts::m##rows##n8k##depth##_##left, count);
#include FORMS
#ifdef CUDAMIGRATE_MATRIX_MODEL
    std::printf("matrix instructions by lane: %lld\n", matrix_model::used);
#endif
    return right ? 0 : 1;
}
