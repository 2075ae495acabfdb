"""A program of cooperative groups, converted for a release that lacks most of them, on emulated wavefronts.

Its blocks have two dimensions, and its groups all kinds. What it comes to with groups of HIP's own kind shows that a
wrong group is seen.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime.emulated import RUNTIME, built, ran

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

SOURCE = Path(__file__).parent / "groups.cu"


def _program(compiler: str, folder: Path, header: str) -> Path:
    """The converted program with a header of that text."""
    after = find_in_text(SOURCE.read_text(), config=Config(rocm="7.1"), unsafe=True).after
    assert "cg::reduce" not in after
    (folder / "cudamigrate_groups.h").write_text(header)
    return built(compiler, after, folder / "program", f"-I{folder}")


def test_converted_program_passes_on_both_wavefronts(compiler: str, tmp_path: Path) -> None:
    program = _program(compiler, tmp_path, (RUNTIME / "cudamigrate_groups.h").read_text())
    assert {wave: ran(program, wave).stdout.strip() for wave in (32, 64)} == {32: "PASS", 64: "PASS"}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("lane_id() ^ apart", "(threadIdx.x ^ apart) % 32u"),
        ("group.sync();\n}\ntemplate <unsigned int Stages", "(void)group;\n}\ntemplate <unsigned int Stages"),
        ("return coalesced_group(activemask());", "return coalesced_group(~0u);"),
    ],
    ids=["tile by thread index", "no barrier", "all lanes active"],
)
def test_program_fails_with_a_wrong_group(right: str, wrong: str, compiler: str, tmp_path: Path) -> None:
    header = (RUNTIME / "cudamigrate_groups.h").read_text()
    assert header.count(right) == 1
    assert ran(_program(compiler, tmp_path, header.replace(right, wrong)), 64).stdout.strip() != "PASS"
