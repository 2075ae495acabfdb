"""Functions of CUDA's libraries that files get through a module of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "python/library-module"
MODULE = """from ctypes import *
library = CDLL("libcuda.so")
cuInit = library.cuInit
ready = library.cuCtxCreate
answer = 42
"""


def found(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    findings = pipeline.scan(folder, Config(jobs=1)).findings
    return [(one.path, one.position.line, one.message) for one in findings if one.rule == RULE]


@pytest.mark.parametrize(
    "text",
    [
        "from driver import *\ncuInit(0)\nready()\n",
        "from driver import cuInit as start, ready\nstart(0)\nready()\n",
        "import driver\ndriver.cuInit(0)\ndriver.ready()\n",
        "import driver as d\nd.cuInit(0)\nd.ready()\n",
        "from . import driver\ndriver.cuInit(0)\ndriver.ready()\n",
        "from .driver import *\ncuInit(0)\nprint 'old', ready()\n",
    ],
)
def test_who_calls_them_is_told_once(tmp_path: Path, text: str) -> None:
    said = found(tmp_path, {"a/driver.py": MODULE, "a/run.py": text})
    assert [one[:2] for one in said] == [("a/run.py", 2)]
    assert " and 1 other function come from `driver.py`, which takes them from `libcuda.so`" in said[0][2]


@pytest.mark.parametrize(
    "text",
    [
        "from driver import *\nprint(answer)\n",
        "from other.driver import *\ncuInit(0)\n",
        "from driver import answer\ncuInit(0)\n",
        "from driver import *\ncuInit = print\ncuInit(0)\n",
        "# driver\ncuInit(0)\n",
    ],
)
def test_who_calls_nothing_of_it_is_not(tmp_path: Path, text: str) -> None:
    assert not found(tmp_path, {"a/driver.py": MODULE, "a/run.py": text})


def test_a_module_that_takes_amds_library_too_is_none(tmp_path: Path) -> None:
    module = MODULE.replace('CDLL("libcuda.so")', 'CDLL("libamdhip64.so" if amd else "libcuda.so")')
    assert not found(tmp_path, {"driver.py": module, "run.py": "from driver import *\ncuInit(0)\n"})


def test_a_package_has_its_names_in_its_first_file(tmp_path: Path) -> None:
    files = {"driver/__init__.py": MODULE, "tools/run.py": "from driver import *\ncuInit(0)\n"}
    assert [one[:2] for one in found(tmp_path, files)] == [("tools/run.py", 2)]
