"""What an expression is worth, as far as its file shows."""

import pytest

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

HEAD = """
#define WARP_SIZE 32
#define LANES (WARP_SIZE - 1)
constexpr int kHalf = WARP_SIZE / 2;
enum Sizes { kTile = 8 };
#ifdef USE_ROCM
#define THREADS_PER_WARP 64
#else
#define THREADS_PER_WARP 32
#endif
"""
KERNEL = (
    "template <typename T, int kMyWarpSize = 16>\n"
    "__device__ void k(float f, float *p, T t, const unsigned n, Tensor<float> s) {{ {} use({}); }}"
)


def values_of(before: str, expression: str) -> tuple[Values, object]:
    text = HEAD + KERNEL.format(before, expression)
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    start = text.rindex("use(") + 4
    return Values(parsed), node_at(parsed, start, start + len(expression))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("32u", 32),
        ("0x1F", 31),
        ("010", 8),
        ("(LANES)", 31),
        ("kHalf", 16),
        ("kTile * 4", 32),
        ("~31", -32),
        ("1 << 5", 32),
        ("kWarpSize", 32),  # defined elsewhere, and every CUDA source means 32
        ("warpSize", None),
        ("THREADS_PER_WARP", None),  # another value for HIP
        ("kMyWarpSize", None),  # whatever the template is given
        ("n", None),
        ("n / 0", None),
    ],
)
def test_constants(expression: str, value: int | None) -> None:
    values, node = values_of("", expression)
    assert values.constant(node) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "expression", "plain"),
    [
        ("", "f", True),
        ("", "p[0]", True),
        ("", "*p", True),
        ("", "p", False),
        ("", "t", False),
        ("", "t == t", True),
        ("", "s.x", False),
        ("", "threadIdx.x / 32", True),
        ("", "(double)t", True),
        ("", "static_cast<std::uint32_t>(t)", True),
        ("", "static_cast<T>(f)", False),
        ("", "max(f, 0.0f)", True),
        ("", "max(f, t)", False),
        ("", "n ? f : 0.0f", True),
        ("auto x = f * 2;", "x", True),
        ("auto x = t;", "x", False),
        ("float x[2][3];", "x[0][1]", True),
        ("float x[2][3];", "x[0]", False),
        ("{ float x; } { T x; }", "x", False),
        ("__shared__ unsigned long long x[32];", "x[1]", True),
        ("float4 x;", "x", False),
        ("", "unknown", False),
        ("", "__shfl_sync(~0u, f, 0)", True),
        ("", "__shfl_down(t, 1)", False),
    ],
)
def test_plain_numbers(before: str, expression: str, plain: bool) -> None:
    values, node = values_of(before, expression)
    assert values.is_arithmetic(node) is plain  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "expression", "made"),
    [
        ("", "threadIdx.x", True),
        ("int tid = threadIdx.x + n;", "tid * 2", True),
        ("int a = threadIdx.x; int b = a;", "b", True),
        ("int a = p[threadIdx.x];", "a", False),
        ("int a = blockIdx.x;", "a", False),
        ("int a = a;", "a", False),
    ],
)
def test_thread_indices_are_followed_through_variables(before: str, expression: str, made: bool) -> None:
    values, node = values_of(before, expression)
    assert values.from_threads(node) is made  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("#if 0\n#define WARP_SIZE 64\n#endif\n#define WARP_SIZE 32\n", 32),
        ("#if false\nconstexpr int WARP_SIZE = 64;\n#endif\n#define WARP_SIZE 32\n", 32),
        ("#if 0\n#else\n#define WARP_SIZE 64\n#endif\n", 64),
        ("#if X\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n", None),
    ],
)
def test_what_nothing_compiles_gives_no_value(before: str, value: int | None) -> None:
    parsed = cuda.parse(SourceFile("a.cu", before.encode(), "cuda"), frozenset())
    assert Values.of(parsed).spelled(b"WARP_SIZE") == value
    assert bool(Values.of(parsed).ported) is (value is None)


@pytest.mark.parametrize(
    ("own", "value"), [("A::WARP_SIZE", 32), ("16", None), ("32", 32)], ids=["passed on", "another", "the same"]
)
def test_constants_of_two_classes_are_no_other_value_for_hip(own: str, value: int | None) -> None:
    text = f"struct A {{ enum {{ WARP_SIZE = 32 }}; }};\nstruct B {{ enum {{ WARP_SIZE = {own} }}; }};\n"
    guarded = f"#ifndef A_H\n#define A_H\n{text}#endif\n"
    for code in (text, guarded):
        values = Values.of(cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset()))
        assert values.spelled(b"WARP_SIZE") == value and not values.ported
