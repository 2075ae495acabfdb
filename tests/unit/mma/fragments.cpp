// ldmatrix, stmatrix, movmatrix and mma.m8n8k4 by their definitions, on the emulated wavefront.
#include "wavefront.h"

#include <cstdio>
#include <cstdlib>
#include <random>

#include "elements.h"
#include "numbers.h"

namespace {

std::mt19937_64 draw(11);
unsigned short memory[2][64][8];   // rows of 8 elements: what lanes give the addresses of
unsigned short target[2][64][8];
int order[2][32];
unsigned int words[2][32][4], got[2][32][8];

unsigned int address(const unsigned short *row) { return cudamigrate::shared_address(row); }
unsigned short half(unsigned int word, int i) { return static_cast<unsigned short>(word >> (16 * i)); }

void fill() {
    for (auto &warp : memory) for (auto &row : warp) for (auto &one : row) one = static_cast<unsigned short>(draw());
    for (auto &warp : target) for (auto &row : warp) for (auto &one : row) one = 0;
    for (auto &warp : words) for (auto &lane : warp) for (auto &one : lane) one = static_cast<unsigned int>(draw());
    for (auto &warp : order) for (int lane = 0; lane < 32; ++lane) warp[lane] = lane * 2 + static_cast<int>(draw() % 2);
}

void fail(const char *name, int lanes, int lane) {
    std::printf("WRONG %s: wavefront of %d, lane %d\n", name, lanes, lane);
    std::exit(1);
}

template <int Count, bool Transposed>
void load(int lanes) {
    wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
        const int warp = wavefront::lane() / 32, lane = wavefront::lane() % 32;
        const auto made = cudamigrate::ldmatrix<Count, Transposed>(address(memory[warp][order[warp][lane]]));
        for (int i = 0; i < Count; ++i) got[warp][lane][i] = made.value[i];
    });
    for (int at = 0; at < lanes * Count * 2; ++at) {
        const int e = at % 2, i = at / 2 % Count, lane = at / 2 / Count % 32, warp = at / 2 / Count / 32;
        const int r = Transposed ? lane % 4 * 2 + e : lane / 4, c = Transposed ? lane / 4 : lane % 4 * 2 + e;
        if (half(got[warp][lane][i], e) != memory[warp][order[warp][8 * i + r]][c]) fail("ldmatrix", lanes, lane);
    }
}

template <int Count, bool Transposed>
void store(int lanes) {
    wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
        const int warp = wavefront::lane() / 32, lane = wavefront::lane() % 32;
        cudamigrate::Registers<unsigned int, Count> given;
        for (int i = 0; i < Count; ++i) given.value[i] = words[warp][lane][i];
        cudamigrate::stmatrix<Count, Transposed>(address(target[warp][order[warp][lane]]), given);
    });
    for (int at = 0; at < lanes * Count * 2; ++at) {
        const int e = at % 2, i = at / 2 % Count, lane = at / 2 / Count % 32, warp = at / 2 / Count / 32;
        const int r = Transposed ? lane % 4 * 2 + e : lane / 4, c = Transposed ? lane / 4 : lane % 4 * 2 + e;
        if (half(words[warp][lane][i], e) != target[warp][order[warp][8 * i + r]][c]) fail("stmatrix", lanes, lane);
    }
}

void turn(int lanes) {
    wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
        const int warp = wavefront::lane() / 32, lane = wavefront::lane() % 32;
        got[warp][lane][0] = cudamigrate::movmatrix(words[warp][lane][0]);
    });
    for (int at = 0; at < lanes * 2; ++at) {
        const int e = at % 2, lane = at / 2 % 32, warp = at / 64, row = lane / 4, column = lane % 4 * 2 + e;
        const unsigned short want = half(words[warp][column * 4 + row / 2][0], row % 2);
        if (half(got[warp][lane][0], e) != want) fail("movmatrix", lanes, lane);
    }
}

// Four products of 8 x 4 by 4 x 8 in a warp. The PTX ISA's layout: of A and B a lane of eight holds a row or a column.
template <bool RowA, bool ColumnB, bool Halves>
void quads(int lanes) {
    static double a[2][4][8][4], b[2][4][4][8];
    static unsigned int in[2][32][2][2];
    for (int warp = 0; warp < lanes / 32; ++warp) {
        for (int lane = 0; lane < 32; ++lane) {
            const int quad = lane % 16 / 4, line = lane % 4 + (lane < 16 ? 0 : 4), k = lane % 4, up = lane < 16 ? 0 : 4;
            for (int i = 0; i < 4; ++i) {
                const unsigned int x = 0x3800u + static_cast<unsigned int>(draw() % 0x800), y = 0x3800u + static_cast<unsigned int>(draw() % 0x800);
                unsigned int &wx = in[warp][lane][0][i / 2], &wy = in[warp][lane][1][i / 2];
                wx = i % 2 ? (wx & 0xffffu) | x << 16 : x, wy = i % 2 ? (wy & 0xffffu) | y << 16 : y;
                (RowA ? a[warp][quad][line][i] : a[warp][quad][up + i][k]) = numbers::f16(x);
                (ColumnB ? b[warp][quad][i][line] : b[warp][quad][k][up + i]) = numbers::f16(y);
            }
        }
    }
    wavefront::run(lanes, static_cast<unsigned int>(draw()), [] {
        const int warp = wavefront::lane() / 32, lane = wavefront::lane() % 32;
        const auto &given = in[warp][lane];
        typedef typename cudamigrate::detail::choose<Halves, cudamigrate::f16, float>::type Sum;
        cudamigrate::Registers<typename cudamigrate::detail::result<Sum>::word, Halves ? 4 : 8> zero = {};
        const auto made = cudamigrate::mma_m8n8k4<RowA, ColumnB, Sum>({given[0][0], given[0][1]}, {given[1][0], given[1][1]}, zero);
        for (int i = 0; i < (Halves ? 4 : 8); ++i) got[warp][lane][i] = cudamigrate::bits<unsigned int>(made.value[i]);
    });
    for (int at = 0; at < lanes * 8; ++at) {
        const int i = at % 8, lane = at / 8 % 32, warp = at / 256, quad = lane % 16 / 4, up = lane < 16 ? 0 : 4;
        const int row = up + (Halves ? lane % 4 : lane % 2 + (i & 2)), column = Halves ? i : (i & 4) + (lane & 2) + (i & 1);
        double want = 0.0;
        for (int k = 0; k < 4; ++k) want += a[warp][quad][row][k] * b[warp][quad][k][column];
        const double made = Halves ? numbers::f16(half(got[warp][lane][i / 2], i % 2))
                                   : static_cast<double>(cudamigrate::bits<float>(got[warp][lane][i]));
        if (std::fabs(made - want) > want * (Halves ? 0x1p-11 : 0x1p-22)) fail("m8n8k4", lanes, lane);
    }
}

}  // namespace

int main(int, char **argv) {
    const int count = std::atoi(argv[1]);
    for (int trial = 0; trial < count; ++trial) {
        const int lanes = trial % 2 ? 32 : 64;
        fill(), load<1, false>(lanes), load<2, false>(lanes), load<4, false>(lanes);
        fill(), load<1, true>(lanes), load<2, true>(lanes), load<4, true>(lanes);
        fill(), store<4, false>(lanes);
        fill(), store<4, true>(lanes);
        fill(), store<2, false>(lanes), turn(lanes);
        if (trial % 10 > 1) continue;
        quads<true, true, false>(lanes), quads<true, false, false>(lanes), quads<false, true, false>(lanes);
        quads<false, false, true>(lanes), quads<true, true, true>(lanes);
    }
    for (const char *name : {"ldmatrix", "ldmatrix.trans", "stmatrix", "stmatrix.trans", "movmatrix", "m8n8k4"})
        std::printf("%s %d\n", name, count);
}
