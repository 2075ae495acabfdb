"""Half precision in host code, which HIP computes with from ROCm 7.0 on."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

_HEAD = "#include <cuda_fp16.h>\n"


def found(body: str, rocm: str = "6.4") -> list[str]:
    """The texts of the places found."""
    text = f"{_HEAD}{body}\n"
    result = find_in_text(text, "a.cu", Config(rocm=rocm))
    data = text.encode()
    places = [one.span for one in result.findings if one.rule == "build/half-on-host"]
    return [data[span.start : span.end].decode() for span in places]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("half f(half a, half b) { return a + b; }", ["+"]),
        ("bool f(half a, half b) { return (a * b) < b; }", ["*", "<"]),
        ("void f(__half2 *a, __half2 b) { a[3] += b; *a -= b; ++a[0]; }", ["+=", "-=", "++"]),
        ("half f() { half a, b[2], *c = b; a = -*c; return a; }", ["-"]),
        ("half f(float x) { return __float2half(x) * __float2half(2.0f); }", ["*"]),
        ("half f(half a) { return __hmul(hsqrt(a), __int2half_rn(3)); }", ["__hmul", "hsqrt", "__int2half_rn"]),
        ("__half2 f(__half2 a) { return __hadd2(a, a); }", []),
        ("float f(half a, float b) { return __half2float(a) + b; }", []),
        ("int f(half *a, half *b) { a += 2; return b - a; }", []),
        ("__device__ half f(half a, half b) { return __hadd(a, b) + b; }", []),
        ("half __hneg(half a);\nvoid f(My m) { m.hsqrt(2); }", []),
        ("template <class T> T f(T a, T b) { return a + b; }", []),
    ],
)
def test_where_the_host_computes_with_halves(body: str, expected: list[str]) -> None:
    assert found(body) == expected


def test_newer_releases_compute_on_the_host() -> None:
    assert found("half f(half a, half b) { return a + b; }", "7.0") == []
