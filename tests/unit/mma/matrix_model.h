// AMD's matrix instructions on the emulated wavefront, by the layouts of layouts.toml and nothing of the header under test.
//
// Each takes the registers of all 64 lanes; those of lanes that do not run hold junk. On gfx90a f16 and bf16 take
// subnormal numbers for zero. Sums are worked out in double and rounded once: the hardware's order is not told.
#ifndef MATRIX_MODEL_H
#define MATRIX_MODEL_H

#include "wavefront.h"

#include <cstdio>
#include <cstdlib>

#include "layouts.inc"
#include "numbers.h"

#ifndef MATRIX_MODEL_WAVE
#define MATRIX_MODEL_WAVE 0u
#endif

#ifndef CUDAMIGRATE_WMMA
#define CUDAMIGRATE_WMMA 0
#endif

namespace matrix_model {

constexpr int most = 16;

struct Slot {
    double first[most], second[most];
};
inline Slot slots[16][2][64];  // of each wavefront of a block
inline unsigned long long calls[16][64];
inline long long used = 0;

// d[i][j] += the sum over k of first[i][k] * second[k][j].
template <typename Out, int Results>
void multiply(const layouts::Instruction &layout, const double *first, const double *second, Out (&d)[Results]) {
    const int lane = wavefront::lane();
    const unsigned int wave = MATRIX_MODEL_WAVE;
    Slot *const all = slots[wave][calls[wave][lane]++ % 2];
    for (int at = 0; at < layout.places; ++at) all[lane].first[at] = first[at], all[lane].second[at] = second[at];
    if (wavefront::width() != (Results == 8 ? 32 : 64)) std::puts("a matrix instruction of another wavefront"), std::exit(2);
    const unsigned long long there = __ballot(1);
    ++used;
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            if (layout.d[i][j].lane != lane) continue;
            double sum = 0.0;
            for (int k = 0; k < layout.k; ++k) {
                const layouts::Place a = layout.a[i][k], b = layout.b[k][j];
                double x = there >> a.lane & 1u ? all[a.lane].first[a.place] : 12345.0;
                double y = there >> b.lane & 1u ? all[b.lane].second[b.place] : 54321.0;
                // Of an operand that is given twice it is not told which copy is read.
                if (Results == 8 && CUDAMIGRATE_WMMA < 0x1200 && lane % 2) x = all[a.lane + 16].first[a.place], y = all[b.lane + 16].second[b.place];
                sum += x * y;
            }
            Out &to = d[layout.d[i][j].place];
            to = numbers::rounded<Out>(static_cast<double>(to), sum, to);
        }
    }
}

inline void f32_16x16x4f32(float a, float b, float (&d)[4]) {
    const double x = a, y = b;
    multiply(layouts::f32_16x16x4f32, &x, &y, d);
}
inline void f32_16x16x8xf32(const float *a, const float *b, float (&d)[4]) {
    const double x[] = {a[0], a[1]}, y[] = {b[0], b[1]};
    multiply(layouts::f32_16x16x8xf32, x, y, d);
}
inline double unpacked(unsigned int word, int at, bool brain) {
    const unsigned int raw = word >> (16 * at) & 0xffffu;
    const double x = brain ? numbers::bf16(raw) : numbers::f16(raw);
    const bool subnormal = (raw & (brain ? 0x7f80u : 0x7c00u)) == 0u;
    return (CUDAMIGRATE_MFMA == 0x90a || CUDAMIGRATE_MFMA == 0) && subnormal ? 0.0 : x;
}
inline void halves(const layouts::Instruction &layout, const unsigned int *a, const unsigned int *b, float (&d)[4], bool brain) {
    double x[4], y[4];
    for (int at = 0; at < 4; ++at) {
        x[at] = unpacked(a[at / 2], at % 2, brain);
        y[at] = unpacked(b[at / 2], at % 2, brain);
    }
    multiply(layout, x, y, d);
}
inline void f32_16x16x16f16(const unsigned int *a, const unsigned int *b, float (&d)[4]) {
    halves(layouts::f32_16x16x16f16, a, b, d, false);
}
inline void f32_16x16x16bf16(const unsigned int *a, const unsigned int *b, float (&d)[4]) {
    halves(layouts::f32_16x16x16bf16, a, b, d, true);
}
inline void bytes(const layouts::Instruction &layout, const unsigned int *a, const unsigned int *b, unsigned int (&d)[4]) {
    double x[16], y[16];
    for (int at = 0; at < layout.places; ++at) {
        x[at] = static_cast<signed char>(a[at / 4] >> (at % 4 * 8));
        y[at] = static_cast<signed char>(b[at / 4] >> (at % 4 * 8));
    }
    multiply(layout, x, y, d);
}
inline void i32_16x16x16i8(unsigned int a, unsigned int b, unsigned int (&d)[4]) {
    bytes(layouts::i32_16x16x16i8, &a, &b, d);
}
inline void i32_16x16x32i8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[4]) {
    bytes(layouts::i32_16x16x32i8, a, b, d);
}
inline void i32_16x16x64i8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[4]) {
    bytes(layouts::i32_16x16x64i8, a, b, d);
}
#if CUDAMIGRATE_WMMA == 0x1200
#define WAVE_LAYOUT(name) layouts::wmma12_##name
#else
#define WAVE_LAYOUT(name) layouts::wmma_##name
#endif
// Those of a wavefront of 32, by the number and size of elements in a word.
template <typename Out, typename Element>
void wide(const layouts::Instruction &layout, const unsigned int *a, const unsigned int *b, Out (&d)[8], Element element) {
    double x[16], y[16];
    for (int at = 0; at < layout.places; ++at) x[at] = element(a, at, 0), y[at] = element(b, at, 1);
    multiply(layout, x, y, d);
}
inline void f32_f16(const unsigned int *a, const unsigned int *b, float (&d)[8]) {
    wide(WAVE_LAYOUT(f16), a, b, d, [](const unsigned int *w, int at, int) { return unpacked(w[at / 2], at % 2, false); });
}
inline void f32_bf16(const unsigned int *a, const unsigned int *b, float (&d)[8]) {
    wide(WAVE_LAYOUT(bf16), a, b, d, [](const unsigned int *w, int at, int) { return unpacked(w[at / 2], at % 2, true); });
}
template <int Bits, bool SignedA, bool SignedB>
double whole_number(const unsigned int *words, int at, int side) {
    const int raw = static_cast<int>(words[at * Bits / 32] >> (at * Bits % 32) & ((1u << Bits) - 1u));
    return (side ? SignedB : SignedA) && raw >> (Bits - 1) ? raw - (1 << Bits) : raw;
}
template <bool SignedA, bool SignedB>
void i32_iu8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[8]) {
    wide(WAVE_LAYOUT(iu8), a, b, d, whole_number<8, SignedA, SignedB>);
}
template <bool SignedA, bool SignedB>
void i32_iu4(const unsigned int *a, const unsigned int *b, unsigned int (&d)[8]) {
    wide(WAVE_LAYOUT(iu4), a, b, d, whole_number<4, SignedA, SignedB>);
}
inline void f64_16x16x4f64(double a, double b, double (&d)[4]) { multiply(layouts::f64_16x16x4f64, &a, &b, d); }

}  // namespace matrix_model

#endif  // MATRIX_MODEL_H
