"""Blocks that leave half a wave empty are told, whatever their size is written as."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CODE = """\
#include <vector>
const unsigned K = 32;
__global__ void k(int *o);
void go(int *o, int n) {{
    const int W = 15;
    std::vector<int> all(W * K);
    {}
}}
"""


@pytest.mark.parametrize(
    ("launch", "threads"),
    [
        ("k<<<5, 3 * K>>>(o);", "96"),
        ("const int per = 1 << 5; k<<<5, 3 * per>>>(o);", "96"),
        ("int size = 96; k<<<5, size>>>(o);", "96"),
        ("k<<<5, 4 * K>>>(o);", ""),
        ("int size = 96; if (n) size = 128; k<<<5, size>>>(o);", ""),
        ("int size = 96; pick(&size); k<<<5, size>>>(o);", ""),
        ("k<<<5, 3 * n>>>(o);", ""),
        ("k<<<1, 3 * K>>>(o);", ""),
    ],
)
def test_half_of_a_wave(launch: str, threads: str) -> None:
    found = find_in_text(CODE.format(launch), "a.cu", None).findings
    said = [one.message for one in found if one.rule == "launch/half-wave"]
    assert len(said) == bool(threads) and all(f"of {threads} threads" in one for one in said)
