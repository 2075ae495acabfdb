"""What `--wave native` makes of whole programs: it type-checks for AMD, and has none of the known traps."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline import prove
from tests.lane_traps import counted

PROGRAMS = sorted((Path(__file__).parents[2] / "fixtures" / "projects").glob("*/native"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.parent.name)
def test_program_for_the_full_wavefront_type_checks_for_amd(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree = shutil.copytree(program, tmp_path / "tree")
    judged = prove.verify(tree, Config(rocm="7.1", arch=("gfx942", "gfx1100"), jobs=1), "clang")
    if judged.absent:
        pytest.skip(judged.absent)
    assert [entry.message for verdict in judged.verdicts for entry in verdict.diagnostics] == []
    assert f"{program.parent.name}.cu" in {verdict.path for verdict in judged.verdicts}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.parent.name)
def test_program_for_the_full_wavefront_has_no_trap(program: Path) -> None:
    files = [path for path in program.iterdir() if path.suffix in (".cu", ".cuh")]
    assert files and {path.name: found for path in files if (found := counted(path.read_text()))} == {}
