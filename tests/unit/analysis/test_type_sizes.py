"""Constant expressions, sizes of types, and what a block may have of shared memory."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.type_sizes import Amounts, type_size
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

SOURCE = """
#define STAGES 3
#define BYTES (STAGES * 1024 * sizeof(float))
#define FLOATING 1.5
constexpr int kTile = 64;
constexpr size_t kAll = kTile * (kTile + 8) * sizeof(half2);
constexpr int twice = 1;
namespace other { constexpr int twice = 2; }
template <int N> void launch(int given) {
    const int rows = 4 * kTile;
    int kept = 7;
    int moved = 8;
    moved += 1;
    double weight = 0;
    HERE;
}
"""


def amount(expression: str) -> int | None:
    parsed = cuda.parse(SourceFile("a.cu", SOURCE.encode(), "cuda"), frozenset())
    return Amounts(parsed).of(expression.encode(), SOURCE.index("HERE"))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("48 * 1024", 49152),
        ("(1 << 16) + 0x10", 65552),
        ("64'000u", 64000),
        ("64 * 1e3", 64000),
        ("1.5e3f * 2", 3000),
        ("1.5 * 2", None),
        ("10 / 4e0", None),
        ("010 + 1", 9),
        ("09 + 1", None),
        ("2 + 3 * 4 - 6 / 4 % 3", 13),
        ("-2 + 5", 3),
        ("BYTES", 12288),
        ("kAll", 64 * 72 * 4),
        ("sizeof(double) * kTile", 512),
        ("sizeof(weight)", 8),
        ("static_cast<int>(kTile * 2)", 128),
        ("size_t(kTile)", 64),
        ("(size_t)kTile * 2", 128),
        ("std::max(kTile, 100)", 100),
        ("min(rows, 3)", 3),
        ("rows", 256),
        ("kept", 7),
        ("outer::kTile", 64),
    ],
)
def test_constant_expression_has_its_number(expression: str, value: int) -> None:
    assert amount(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        *("given", "moved", "N * 4", "twice", "FLOATING", "sizeof(Tile)", "kTile * unknown", "f(kTile)"),
        *("", "kTile *", "1.5", "4 << 99"),
    ],
)
def test_what_the_file_does_not_show_has_none(expression: str) -> None:
    assert amount(expression) is None


@pytest.mark.parametrize(
    ("spelling", "size"),
    [
        ("float", 4),
        ("unsigned char", 1),
        ("unsigned", 4),
        ("const unsigned long long int", 8),
        ("short int", 2),
        ("std::uint64_t", 8),
        ("float4", 16),
        ("double4", 32),
        ("cuFloatComplex", 8),
        ("cuDoubleComplex", 16),
        ("Tile *", 8),
        ("Tile", None),
        ("cutlass::half_t", None),
    ],
)
def test_type_has_its_size(spelling: str, size: int | None) -> None:
    assert type_size(spelling.encode()) == size
