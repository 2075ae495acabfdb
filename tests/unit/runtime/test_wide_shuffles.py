"""Shuffles of the runtime header with a width of 64, as code that is given the width by the host asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime.emulated import built, ran

PROGRAM = """
#include <cstdio>
#include <hip/hip_runtime.h>
#include "cudamigrate_hip.h"
struct Pair { float first; short second; };
template <int kWidth> __global__ void all_four(int number, long long *out) {
    const int self = threadIdx.x;
    out[self] = cudamigrate::shfl_sync(0xffffffff, 3LL * self, number, kWidth);
    out[128 + self] = cudamigrate::shfl_up_sync(0xffffffff, self, number, kWidth);
    out[256 + self] = static_cast<long long>(cudamigrate::shfl_down_sync(0xffffffff, 0.5 * self, number, kWidth) * 2);
    out[384 + self] = cudamigrate::shfl_xor_sync(0xffffffff, Pair{1, short(self)}, number, kWidth).second;
}
template <int kWidth> int wrong() {
    int found = 0;
    for (int number = 0; number < 80; ++number) {
        static long long out[512];
        all_four<kWidth><<<1, 128>>>(number, out);
        for (int self = 0; self < 128; ++self) {
            const int part = self & ~(kWidth - 1), lanes = kWidth > 32 ? 64 : 32, far = number % lanes;
            const int below = self - far < part ? self : self - far;
            const int above = self + far >= part + kWidth ? self : self + far;
            const int across = (self ^ far) >= part + kWidth ? self : self ^ far;
            found += out[self] != 3LL * (part + number % kWidth) || out[128 + self] != below;
            found += out[256 + self] != above || out[384 + self] != across;
        }
    }
    return found;
}
int main() {
    const bool wide = cudamigrate_emulation::wave_width() == 64;
    std::printf("%d %d %d", wrong<16>(), wrong<32>(), wide ? wrong<64>() : 0);
}
"""


@pytest.mark.parametrize("wave", [32, 64])
def test_a_width_of_64_is_the_full_wavefrontfront(wave: int, compiler: str, tmp_path: Path) -> None:
    assert ran(built(compiler, PROGRAM, tmp_path / "wide"), wave).stdout == "0 0 0"
