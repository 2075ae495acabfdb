"""Code for the host that corrects a shift by the full width is AMD's, too."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE, TEST = "build/shift-correction", "build/cuda-compiler-macro"
CODE = """#include <hip/hip_runtime.h>
__device__ unsigned carried(unsigned high, unsigned n, unsigned m) {{
    const unsigned bits = 32;
    {}
    {}
    {}
    #endif
    return over;
}}
"""
SHIFT, ASK, MASK = "unsigned over = high >> (bits - n);", "#ifndef __CUDA_ARCH__", "over &= -(unsigned)!!n;"


@pytest.mark.parametrize(
    ("shift", "test", "body"),
    [
        (SHIFT, ASK, MASK),
        (SHIFT, "#if !defined(__CUDA_ARCH__) // the host", MASK),
        (SHIFT, "#if !__CUDA_ARCH__", "if (n == 0) over = 0;"),
        ("unsigned over; over = high << n;", ASK, "over = n < bits ? over : 0;".replace("bits", "32")),
        ("unsigned more = high << (32 - n), over = high >> (32 - n);", ASK, MASK + " more *= n != 0;"),
    ],
)
def test_a_test_around_such_a_correction_is_left(shift: str, test: str, body: str) -> None:
    found = find_in_text(CODE.format(shift, test, body))
    assert [one.rule for one in found.findings if one.rule in (RULE, TEST)] == [RULE]
    assert "__HIP_DEVICE_COMPILE__" not in found.after


@pytest.mark.parametrize(
    ("shift", "test", "body"),
    [
        pytest.param("unsigned over = high + n;", ASK, MASK, id="no shift"),
        pytest.param("unsigned over = high >> 8;", ASK, "over &= 255;", id="a known amount"),
        pytest.param("unsigned over = high >> (n & 31);", ASK, MASK, id="a bounded amount"),
        pytest.param("if (n == 0) return 0; " + SHIFT, ASK, MASK, id="a condition before"),
        pytest.param(SHIFT, ASK, "over &= m;", id="another name"),
        pytest.param(SHIFT, ASK, "over = own(over, n);", id="a call"),
        pytest.param(SHIFT, ASK, "over &= 255;", id="whatever the amount"),
        pytest.param(SHIFT, ASK, MASK + " high &= n;", id="what was not shifted"),
        pytest.param(SHIFT, ASK, MASK + "\n#else\n over += 1;", id="a branch for the device"),
        pytest.param(SHIFT, "#ifdef __CUDA_ARCH__", MASK, id="for the device"),
    ],
)
def test_other_tests_are_opened(shift: str, test: str, body: str) -> None:
    found = find_in_text(CODE.format(shift, test, body))
    assert [one.rule for one in found.findings if one.rule in (RULE, TEST)] == [TEST]
    assert "__HIP_DEVICE_COMPILE__" in found.after
