"""The largest grid, asked of the device: a bound, unless its value is only shown or bound to a name."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n"


@pytest.mark.parametrize(
    ("statement", "bounds"),
    [
        ("return std::min(n, p.maxGridSize[0]);", True),
        ("login(p.maxGridSize[0]);", True),
        ("print(std::min(n, p.maxGridSize[0]));", True),
        ('printf("%d", n); run(p.maxGridSize[0]);', True),
        ('run(parse("%d"), p.maxGridSize[0]);', True),
        ('use("%d", std::min(n, p.maxGridSize[0]));', True),
        ('launch("first", p.maxGridSize[0]);', True),
        ("grid = 1 << int(p.maxGridSize[0] > n);", True),
        ("most = attribute(cudaDevAttrMaxGridDimX);", True),
        ('printf("%d %d", n, p.maxGridSize[0]);', False),
        ('fmt::print("{} {}", n, p.maxGridSize[0]);', False),
        ('out << "grid " << p.maxGridSize[0];', False),
        ('out << "grid " << all[i].maxGridSize[0];', False),
        ('kind.value("MAX_GRID_DIM_X", cudaDevAttrMaxGridDimX);', False),
        ("return std::min(n, p.maxGridSize[1]);", False),
    ],
)
def test_a_bound_is_what_is_not_only_shown(statement: str, bounds: bool) -> None:
    text = f"{HEAD}int f(int n, cudaDeviceProp p) {{ {statement} }}"
    assert ("launch/grid-limit" in [one.rule for one in find_in_text(text, "a.cu").findings]) is bounds
