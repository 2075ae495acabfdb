"""A program of cooperative groups, converted for a release that lacks most of them, on emulated wavefronts.

Its blocks have two dimensions, and its groups all kinds. What it comes to with groups of HIP's own kind shows that a
wrong group is seen.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from migrate.config import Config
from migrate.pipeline.rule_tests import find_in_text

RUNTIME = Path(__file__).parents[3] / "migrate" / "runtime"
EMULATION = Path(__file__).parent / "emulation"
SOURCE = Path(__file__).parent / "groups.cu"
_LAUNCH = re.compile(r"(\w+)<<<(.*?)>>>\((.*?)\);")


def _compile(compiler: str, words: Sequence[str]) -> None:
    # without optimisation: the emulation knows a call by where it stands
    flags = ["-std=c++17", "-O0", "-U_FORTIFY_SOURCE", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Werror"]
    flags += ["-D__HIPCC__", f"-I{EMULATION / 'programs'}"]
    built = subprocess.run([compiler, *flags, *words, f"-I{RUNTIME}"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


def _program(compiler: str, folder: Path, header: str) -> Path:
    """The converted program, linked with the emulated GPU."""
    after = find_in_text(SOURCE.read_text(), config=Config(rocm="7.1"), unsafe=True).after
    assert "cg::reduce" not in after
    (folder / "cudamigrate_groups.h").write_text(header)
    (folder / "program.cpp").write_text(_LAUNCH.sub(r"grid::launch([=] { \1(\3); }, \2);", after))
    made = folder / "program"
    sources = [folder / "program.cpp", EMULATION / "programs" / "grid.cpp", EMULATION / "fibers.cpp"]
    _compile(compiler, [f"-I{folder}", *map(str, sources), "-o", str(made)])
    return made


def _printed(program: Path, wave: int) -> str:
    environment = {**os.environ, "WAVE": str(wave)}
    return subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=60).stdout.strip()


def test_converted_program_passes_on_both_wavefronts(compiler: str, tmp_path: Path) -> None:
    program = _program(compiler, tmp_path, (RUNTIME / "cudamigrate_groups.h").read_text())
    assert {wave: _printed(program, wave) for wave in (32, 64)} == {32: "PASS", 64: "PASS"}


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
    assert _printed(_program(compiler, tmp_path, header.replace(right, wrong)), 64) != "PASS"
