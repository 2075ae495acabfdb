"""Minima of numbers in host code, which HIP converts to `int`."""

from __future__ import annotations

import pytest

from cudamigrate.detectors import host_min, mixed_min
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

PARAMETERS = "float f, const float *p, double d, size_t s, unsigned u, long w, int n, short h, unsigned char b, T t"


def found(expression: str, before: str = "", qualifier: str = "") -> list[tuple[str, str]]:
    text = f"{before}\n{qualifier} double k({PARAMETERS}) {{ return {expression}; }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset(), ())
    return [(hit.rule, hit.words["type"]) for hit in host_min.find(parsed)]


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("min(f, 0.5f)", "float"),
        ("min(-f, (p[n] + 1) * u)", "float"),
        ("max(*p, float(n))", "float"),
        ("max(static_cast<float>(n), (float)h)", "float"),
        ("max(n ? f : 1.f, f)", "float"),
        ("max(d, 1e-3)", "double"),
        ("max(f, 1.)", "double"),
        ("max(f * d, f)", "double"),
    ],
)
def test_floating_point_numbers_lose_their_fraction(expression: str, kind: str) -> None:
    assert found(expression) == [("math/host-float-min-max", kind)]


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("min(s, s + 1)", "unsigned long"),
        ("min(s, sizeof(float))", "unsigned long"),
        ("min(u, 7u)", "unsigned int"),
        ("max(w, 3l)", "long"),
        ("max((long long)n, (long long)w)", "long long"),
    ],
)
def test_integers_that_an_int_does_not_hold_are_cut(expression: str, kind: str) -> None:
    assert found(expression) == [("math/host-min-max", kind)]


@pytest.mark.parametrize("qualifier", ["", "__host__ __device__"])
@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("min(n, u)", "unsigned int"),
        ("max(u, 7)", "unsigned int"),
        ("max(b, u)", "unsigned int"),
        ("min(s, w)", "unsigned long"),
    ],
)
def test_two_that_differ_in_sign_are_no_int(expression: str, kind: str, qualifier: str) -> None:
    assert found(expression, qualifier=qualifier) == [("math/host-mixed-min-max", kind)]


@pytest.mark.parametrize(
    "expression",
    [
        "min(n, 3)",
        "min(h, h)",
        "max(b, b)",
        "max(b, n)",
        "max(f, n)",  # ambiguous in CUDA
        "max(s, u)",
        "max(t, f)",
        "max(p, p)",
        "max(unseen(f), f)",
        "std::max(f, 1.f)",
        "std::max<float>(f, d)",
        "box.min(f, 1.f)",
        "my_min(f, 1.f)",
        "min(f)",
        "fminf(f, 1.f)",
    ],
)
def test_others_are_left(expression: str) -> None:
    assert found(expression) == []


@pytest.mark.parametrize(
    "before",
    [
        "using namespace std;",
        "using std::min;",
        "#define min(a, b) ((a) < (b) ? (a) : (b))",
        "template <class T> T min(T a, T b) { return a < b ? a : b; }",
        "float min(float a, float b);",
    ],
)
def test_a_name_that_the_file_makes_another_one_is_left(before: str) -> None:
    assert found("min(f, 0.5f)", before) == []


def test_code_of_the_device_has_all_types() -> None:
    assert found("min(f, 0.5f)", qualifier="__device__") == []


def test_code_for_both_sides_has_the_one_for_the_host() -> None:
    assert found("min(f, 0.5f)", qualifier="__host__ __device__") == [("math/host-float-min-max", "float")]
    assert found("min(f, 0.5f)", "#define HD __host__ __device__", "HD") == [("math/host-float-min-max", "float")]


def test_code_for_both_sides_in_the_pass_for_the_device_has_all_types() -> None:
    body = "#ifdef __CUDA_ARCH__\nreturn min(f, 1.f) + min(u, 3);\n#endif\n"
    code = f"__host__ __device__ float k(float f, unsigned u) {{\n{body}}}\n"
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset(), ())
    assert list(host_min.find(parsed)) == []
    assert [hit.words["type"] for hit in mixed_min.find(parsed)] == ["unsigned int"]


def test_two_types_are_none_that_the_standard_library_takes() -> None:
    assert found("min(f, d)", "using namespace std;") == [("math/host-float-min-max", "double")]


def test_code_that_hip_does_not_compile_for_the_host_is_left() -> None:
    text = "#ifdef __CUDA_ARCH__\nfloat k(float f) { return min(f, 1.f); }\n#endif\n__device__ int d;\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset(), ())
    assert list(host_min.find(parsed)) == []
