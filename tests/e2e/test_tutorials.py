"""Tutorials and the quick start are typed as they are written, and what is printed is what their pages show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import stand_in_rocm, written_steps
from tests.written_steps import missing, steps, typed

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
TOOLS = {
    "hipcc": lambda: shutil.which("hipcc") == "/usr/bin/hipcc",
    "g++": lambda: shutil.which("g++") is not None,
    "cmake, stand-in for ROCm": lambda: shutil.which("cmake") is not None,
}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a newcomer's shell."""
    return written_steps.environment(tmp_path_factory.mktemp("home") / "newcomer")


def with_stand_in(folder: Path) -> dict[str, str]:
    """What makes CMake use the compiler that makes empty files."""
    rocm = stand_in_rocm.make(folder / "rocm")
    toolchain = folder / "toolchain.cmake"
    settings = stand_in_rocm.settings(rocm).items()
    toolchain.write_text("".join(f'set({name} "{value}" CACHE STRING "")\n' for name, value in settings))
    return {"CMAKE_TOOLCHAIN_FILE": str(toolchain), "STAND_IN_LOG": str(folder / "calls")}


@pytest.mark.parametrize("page", PAGES)
def test_the_page_prints_what_it_shows(page, tmp_path, shell):
    project = tmp_path / Path(PAGES[page].removesuffix("/before")).name
    shutil.copytree(FIXTURES / PAGES[page], project)
    environment = dict(shell)
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
