"""Calls whose change leaves out an argument: right where that is a null pointer."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "api/cuOccupancyMaxPotentialBlockSize"
CODE = "#include <cuda.h>\nvoid f(CUfunction k, int *grid, int *block, CUoccupancyB2DSize bytes) {\n    %s;\n}\n"


@pytest.mark.parametrize(
    ("argument", "safety"),
    [
        ("nullptr", "safe"),
        ("NULL", "safe"),
        ("0", "safe"),
        ("(CUoccupancyB2DSize)nullptr", "safe"),
        ("bytes", "unsafe"),
        ("nullptr_or(bytes)", "unsafe"),
    ],
)
def test_a_null_argument_makes_the_change_safe(tmp_path: Path, argument: str, safety: str) -> None:
    code = CODE % f"cuOccupancyMaxPotentialBlockSize(grid, block, k, {argument}, 0, 0)"
    found = pipeline.scan(written(tmp_path, {"a.cpp": code}), Config(jobs=1)).findings
    said = next(one for one in found if one.rule == RULE)
    assert said.fix is not None
    assert said.fix.safety == safety
    assert (said.effort == "none") is (safety == "safe")
    assert said.message.endswith("is null here." if safety == "safe" else "Right only where that argument is null.")
