"""Minima of two types of integers: which pairs HIP works on in double, and that what is fixed works in CUDA's type."""

from __future__ import annotations

from itertools import combinations

import pytest

from cudamigrate import edits
from cudamigrate.detectors import mixed_min
from cudamigrate.frontends import cuda
from cudamigrate.model import Fix, Hit, SourceFile
from cudamigrate.rewrites import convert_argument

SMALL = ["bool", "char", "signed char", "unsigned char", "short", "unsigned short"]
WIDE = ["int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"]
"""What CUDA makes of the pairs is what nvcc 13.0 makes of them; it refuses those that are not here as ambiguous."""
TYPE_IN_CUDA = {
    **dict.fromkeys(combinations([*SMALL, "int"], 2), "int"),
    **{(small, "unsigned int"): "unsigned int" for small in [*SMALL, "int"]},
    ("long", "unsigned long"): "unsigned long",
    ("long long", "unsigned long long"): "unsigned long long",
}


def hits(body: str, qualifier: str = "__global__ void", parameters: str = "int *x") -> tuple[SourceFile, list[Hit]]:
    source = SourceFile("a.cu", f"{qualifier} k({parameters}) {{ {body} }}\n__device__ int d;\n".encode(), "cuda")
    return source, list(mixed_min.find(cuda.parse(source, frozenset(), ())))


@pytest.mark.parametrize("pair", list(combinations([*SMALL, *WIDE], 2)), ids=" and ".join)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_pairs_are_converted_to_the_type_of_cuda(pair: tuple[str, str], *, turned: bool) -> None:
    left, right = reversed(pair) if turned else pair
    source, found = hits("x[0] = x[max(a, b)];", parameters=f"int *x, {left} a, {right} b")
    expected = TYPE_IN_CUDA.get(pair)
    assert [hit.words["type"] for hit in found] == ([expected] if expected else [])
    for hit in found:
        changes = convert_argument.edits(cuda.parse(source, frozenset(), ()), hit.use, ())
        cast = f"static_cast<{expected}>"
        first = "a" if left == expected else f"{cast}(a)"
        second = "b" if right == expected else f"{cast}(b)"
        after = edits.apply(source.data, [Fix(tuple(changes), "safe")]).data
        assert f"x[max({first}, {second})]".encode() in after


@pytest.mark.parametrize("kind", [*SMALL, *WIDE])
def test_pairs_of_one_type_are_left(kind: str) -> None:
    assert hits("x[0] = x[max(a, b)];", parameters=f"int *x, {kind} a, {kind} b")[1] == []


@pytest.mark.parametrize(
    "body",
    [
        "int y = min(a, n); x[0] = y;",
        "x[0] = x[std::min<int>(a, n)];",
        "x[0] = x[min<int>(a, n)];",
        "x[0] = x[min(static_cast<int>(a), n)];",
        "x[0] = x[min(a + 0, n)];",
        "x[0] = x[min(a, unseen)];",
        "x[0] = x[min(kind, n)];",
    ],
)
def test_neighbours_are_left(body: str) -> None:
    assert hits(body, parameters="int *x, uint8_t a, int n, Kind kind")[1] == []


def test_code_of_the_host_has_one_minimum_of_int() -> None:
    body, parameters = "return x[min(a, n)];", "int *x, uint8_t a, int n"
    assert hits(body, "int", parameters)[1] == []
    assert hits(body, "__host__ __device__ int", parameters)[1] != []
