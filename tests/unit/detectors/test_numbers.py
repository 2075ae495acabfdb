"""What differs in arithmetic: a hit, and beside it what only looks like one."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = "#include <cuda_fp8.h>\n__global__ void k(float x) {{ {} }}"


def found(text: str, rule: str, path: str = "a.cu", arch: tuple[str, ...] = ("gfx90a", "gfx942")) -> list[str]:
    data = text.encode()
    hits = [one for one in find_in_text(text, path, Config(arch=arch)).findings if one.rule == rule]
    return [data[one.span.start : one.span.end].decode() for one in hits]


@pytest.mark.parametrize(
    ("statement", "hits"),
    [
        ("auto a = __nv_fp8_e4m3(x);", ["__nv_fp8_e4m3"]),
        ("auto a = static_cast<__nv_fp8x2_e5m2>(y);", ["__nv_fp8x2_e5m2"]),
        ("using type = __nv_fp8_e5m2; __nv_fp8_e4m3 tmp;", ["__nv_fp8_e5m2"]),
        ("if (std::is_same<T, __nv_fp8_e4m3>::value) return;", []),
        ("auto p = reinterpret_cast<__nv_fp8_e4m3 *>(q);", []),
        ("auto v = load<__nv_fp8_e4m3>(q);", []),
        ("f([](__nv_fp8_e4m3 const *p) {});", []),
        ("auto a = __nv_fp8_e4m3(x); // not on gfx942, which has FNUZ\nint FNUZ;", []),
    ],
)
def test_8_bit_types_are_reported_where_values_are_made_on_the_device(statement: str, hits: list[str]) -> None:
    assert found(KERNEL.format(statement), "math/fp8-type") == hits


def test_a_type_of_the_project_may_have_the_name_of_an_8_bit_type() -> None:
    made = "struct __nv_fp8_e4m3 { unsigned char raw; __nv_fp8_e4m3() = default; };\n"
    assert found(made + KERNEL.format("auto a = __nv_fp8_e4m3(x);"), "math/fp8-type") == []


def test_8_bit_types_are_reported_for_gfx942_alone() -> None:
    text = KERNEL.format("auto a = __nv_fp8_e4m3(x); float most = 448.0f;")
    rules = ("math/fp8-type", "math/fp8-largest")
    assert [len(found(text, rule, arch=("gfx950", "gfx942"))) for rule in rules] == [1, 1]
    assert [len(found(text, rule, arch=("gfx950", "gfx1200"))) for rule in rules] == [0, 0]


LIBRARY = "#include <cublasLt.h>\n#include <cuda_fp8.h>\nvoid f(cublasLtMatrixLayout_t *a, {}) {{ g(a, {}); }}\n"


@pytest.mark.parametrize(
    ("arch", "rules"),
    [
        (("gfx942",), ["library/fp8-buffer", "library/fp8-format"]),
        (("gfx90a",), ["library/fp8-format"]),
        (("gfx950", "gfx942"), ["library/fp8-buffer", "library/fp8-format"]),
        (("gfx950", "gfx1201"), []),
    ],
)
def test_8_bit_formats_of_libraries_are_answered_by_the_gpus(arch: tuple[str, ...], rules: list[str]) -> None:
    text = LIBRARY.format("const __nv_fp8_e4m3 *from", "CUDA_R_8F_E4M3")
    assert [rule for rule in ("library/fp8-buffer", "library/fp8-format") if found(text, rule, arch=arch)] == rules


@pytest.mark.parametrize(
    ("given", "value", "hits"),
    [
        ("std::vector<__nv_fp8_e5m2> &from", "CUDA_R_8F_E5M2", (1, 1)),
        ("Bench<__nv_fp8_e4m3, float> from", "CUDA_R_16F", (1, 0)),
        ("is_same<T, __nv_fp8_e4m3>", "kind == CUDA_R_8F_E4M3", (0, 0)),
        ("const __nv_fp8_e4m3 *from", "is_fnuz ? HIP_R_8F_E4M3_FNUZ : CUDA_R_8F_E4M3", (0, 0)),
    ],
)
def test_8_bit_numbers_that_a_library_reads(given: str, value: str, hits: tuple[int, int]) -> None:
    text = LIBRARY.format(given, value)
    assert (len(found(text, "library/fp8-buffer")), len(found(text, "library/fp8-format"))) == hits


@pytest.mark.parametrize(("arch", "outcome"), [("gfx942", "slower"), ("gfx950", "wrong-result"), ("gfx1201", "slower")])
def test_4_bit_floats_are_answered_by_the_gpu(arch: str, outcome: str) -> None:
    text = "#include <cuda_fp4.h>\n__device__ __nv_fp4_e2m1 f(float x) { return __nv_fp4_e2m1(x); }"
    hits = [one for one in find_in_text(text, "a.cu", Config(arch=(arch,))).findings if "four-bit" in one.rule]
    assert [one.outcome for one in hits] == [outcome]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("__device__ void f(double x) { long  double y = x; long double z = y; }", ["long  double"]),
        ("__device__ double f(__float128 *x) { return (__float128)2 * *x; }", ["__float128"]),
        ("__device__ bool f() { return sizeof(T) == sizeof(long double) || is<T, long double>(); }", ["long double"]),
        ("__device__ bool f() { return is<T, long double>(); }", []),
        ("void f(long double x) { __float128 y = x; }", []),
        ("struct S { long double x; };", []),
        ("__device__ void f() { long longer; double y; } // long double x", []),
    ],
)
def test_floats_wider_than_double_are_found_on_the_device(text: str, hits: list[str]) -> None:
    assert found(text, "math/wide-float") == hits


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("void f() { curandSetPseudoRandomGeneratorSeed(g, 1); curandSetPseudoRandomGeneratorSeed(h, 1); }", 1),
        ("__global__ void k(curandState *s) { curand_init(1, 2, 3, s); }", 1),
        ("void f() { curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); }", 0),
        ("void f() { log(\"curand_init\"); }", 0),
    ],
)  # fmt: skip
def test_seeds_are_reported_once(text: str, hits: int) -> None:
    assert len(found(text, "math/random-sequence")) == hits
