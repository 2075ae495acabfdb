// AMD's matrix instructions on the emulated wavefront, by the layouts of layouts.toml and nothing of the header under test.
//
// Each takes the registers of all 64 lanes; those of lanes that do not run hold junk. On gfx90a f16 and bf16 take
// subnormal numbers for zero. Sums are worked out in double and rounded once: the hardware's order is not told.
#ifndef MATRIX_MODEL_H
#define MATRIX_MODEL_H

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "layouts.inc"
#include "numbers.h"

#ifndef MATRIX_MODEL_WAVE
#define MATRIX_MODEL_WAVE 0u
#endif

namespace matrix_model {

constexpr int most = 8;

struct Slot {
    double first[most], second[most];
};
inline Slot slots[16][2][64];  // of each wavefront of a block
inline unsigned long long calls[16][64];
inline long long used = 0;

// d[i][j] += the sum over k of first[i][k] * second[k][j].
template <typename Out>
void multiply(const layouts::Instruction &layout, const double *first, const double *second, Out (&d)[4]) {
    const int lane = wavefront::lane();
    const unsigned int wave = MATRIX_MODEL_WAVE;
    Slot *const all = slots[wave][calls[wave][lane]++ % 2];
    for (int at = 0; at < layout.places; ++at) all[lane].first[at] = first[at], all[lane].second[at] = second[at];
    if (wavefront::width() != 64) std::puts("MFMA on a wavefront of 32"), std::exit(2);
    const unsigned long long there = __ballot(1);
    ++used;
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            if (layout.d[i][j].lane != lane) continue;
            double sum = 0.0;
            for (int k = 0; k < layout.k; ++k) {
                const layouts::Place a = layout.a[i][k], b = layout.b[k][j];
                const double x = there >> a.lane & 1u ? all[a.lane].first[a.place] : 12345.0;
                const double y = there >> b.lane & 1u ? all[b.lane].second[b.place] : 54321.0;
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
    return CUDAMIGRATE_MFMA == 0x90a && subnormal ? 0.0 : x;
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
    double x[8], y[8];
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
inline void f64_16x16x4f64(double a, double b, double (&d)[4]) { multiply(layouts::f64_16x16x4f64, &a, &b, d); }

}  // namespace matrix_model

#endif  // MATRIX_MODEL_H
