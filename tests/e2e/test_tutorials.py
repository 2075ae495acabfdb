"""Tutorials and the quick start are typed as they are written, and what is printed is what their pages show."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import command_line
import pytest

from tests import stand_in_rocm

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
PAGES = {
    "tutorials/makefile.md": "tutorials/dot-product",
    "tutorials/cmake.md": "projects/cmake-application/before",
    "tutorials/pytorch.md": "projects/torch-extension/before",
    "tutorials/triton.md": "projects/triton-kernels/before",
    "quickstart.md": "tutorials/dot-product",
    "../README.md": "tutorials/dot-product",
}
"""Page -> the project that it takes."""
BLOCK = re.compile(r"(?:^<!-- needs: ([^\n]+) -->\n)?^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOOLS = {
    "hipcc": lambda: shutil.which("hipcc") == "/usr/bin/hipcc",
    "g++": lambda: shutil.which("g++") is not None,
    "cmake, stand-in for ROCm": lambda: shutil.which("cmake") is not None,
}
SHIM = '#!/bin/sh\nexec "{python}" -c "from cudamigrate.__main__ import main; main()" "$@"\n'


@dataclass(frozen=True)
class Step:
    """A command and the lines that are shown below it."""

    command: str
    shown: tuple[str, ...]
    needs: str


def steps(text: str) -> Iterator[Step]:
    for needs, block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield Step(command, tuple(line for line in shown if line.strip() != "..."), needs)


def missing(step: Step, printed: str) -> list[str]:
    """Shown lines that are not printed, in their order; blanks count once, and `...` in a line is anything."""
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    lost, at = [], 0
    for line in step.shown:
        pattern = re.compile(".*?".join(map(re.escape, " ".join(line.split()).split("..."))))
        after = next((n for n in range(at, len(lines)) if pattern.match(lines[n]) or pattern.search(lines[n])), None)
        lost += [line] if after is None else []
        at = at if after is None else after + 1
    return lost


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the command on its path."""
    home = tmp_path_factory.mktemp("home")
    (home / "bin").mkdir()
    (home / "bin" / "cudamigrate").write_text(SHIM.format(python=sys.executable))
    (home / "bin" / "cudamigrate").chmod(0o755)
    return home


@pytest.fixture
def environment(home: Path, tmp_path: Path) -> dict[str, str]:
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))  # compiled headers, which other tests use too
    author = {
        f"GIT_{who}_{what}": "newcomer@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    import_path = os.pathsep.join([str(ROOT / "tests" / "import"), str(ROOT)])
    path = f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    return {
        "HOME": str(home),
        "PATH": path,
        "PYTHONPATH": import_path,
        "COLUMNS": "120",
        "XDG_CACHE_HOME": cache,
        **author,
    }


def with_stand_in(folder: Path) -> dict[str, str]:
    """What makes CMake use the compiler that makes empty files."""
    rocm = stand_in_rocm.make(folder / "rocm")
    toolchain = folder / "toolchain.cmake"
    settings = stand_in_rocm.settings(rocm).items()
    toolchain.write_text("".join(f'set({name} "{value}" CACHE STRING "")\n' for name, value in settings))
    return {"CMAKE_TOOLCHAIN_FILE": str(toolchain), "STAND_IN_LOG": str(folder / "calls")}


def typed(command: str, place: Path, environment: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], Path]:
    """What a shell prints for a command, and the folder that it ends in."""
    if command.startswith("cudamigrate ") and not set(command) & set("|;&<>*$"):
        return command_line.run(*shlex.split(command)[1:], cwd=place, env=environment), place
    where = place.parent / "place"
    words = ["bash", "-c", f'{command}\ncode=$?; pwd > "{where}"; exit $code']
    done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True)
    return done, Path(where.read_text().strip())


@pytest.mark.parametrize("page", PAGES)
def test_the_page_prints_what_it_shows(page, tmp_path, environment):
    project = tmp_path / Path(PAGES[page].removesuffix("/before")).name
    shutil.copytree(FIXTURES / PAGES[page], project)
    if "stand-in" in (ROOT / "docs" / page).read_text(encoding="utf-8"):
        environment |= with_stand_in(tmp_path)
    place, left = project, set()
    found = list(steps((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert len(found) >= 5, "a page without commands shows nothing"
    for step in found:
        if step.needs and not TOOLS[step.needs]():
            left.add(step.needs)
            continue
        done, place = typed(step.command, place, environment)
        printed = done.stdout + done.stderr
        assert done.returncode in (0, 1) and "Traceback" not in printed, (step.command, printed)
        assert missing(step, printed) == [], (step.command, printed)
    if left:
        pytest.skip(f"the rest was run; not without {', '.join(sorted(left))}")


def test_a_line_that_is_not_printed_is_seen():
    (step,) = steps("```console\n$ scan\nPort it. ... days\n...\nlast\n```\n")
    assert missing(step, "Port it. 3 days\nother\n   last\n") == []
    assert missing(step, "last\nPort it. 3 days\n") == ["last"]
    assert missing(step, "Port it.\nlast\n") == ["Port it. ... days"]


def test_each_tutorial_is_run():
    assert {f"tutorials/{path.name}" for path in (ROOT / "docs" / "tutorials").glob("*.md")} - set(PAGES) == {
        "tutorials/index.md"
    }
