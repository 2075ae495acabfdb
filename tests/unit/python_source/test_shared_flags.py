"""Options for PyTorch's builds that a module of the tree takes from another."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.python_source import shared_flags

LOAD = "from torch.utils.cpp_extension import load\n"


def given(files: dict[str, str]) -> dict[str, frozenset[str]]:
    """What the modules of a tree give to builds in others."""
    return shared_flags.given({path: text.encode() for path, text in files.items()})


@pytest.mark.parametrize(
    ("path", "text", "there"),
    [
        ("setup.py", "from tools import flags\nload(extra_cuda_cflags=flags(1))\n", "tools.py"),
        ("setup.py", "import tools\nload(extra_cuda_cflags=['-O3'] + tools.flags())\n", "tools.py"),
        ("setup.py", "import build.tools as t\nload(extra_cuda_cflags=[*t.flags])\n", "build/tools.py"),
        ("a/b/run.py", "from .tools import flags as f\nX = f(2)\nload(extra_cuda_cflags=X)\n", "a/b/tools.py"),
        ("a/b/run.py", "from ..c import tools\nload(extra_cuda_cflags=tools.flags)\n", "a/c/tools.py"),
        ("a/b/run.py", "from . import flags\nload(extra_cuda_cflags=flags)\n", "a/b/__init__.py"),
        ("a/b/run.py", "from a.c.tools import flags\nE(extra_compile_args={'nvcc': flags()})\n", "a/c/tools.py"),
    ],
)
def test_a_name_of_another_module_is_followed(path: str, text: str, there: str) -> None:
    assert given({path: LOAD + text, there: "def flags(n=0):\n    return ['-res-usage']\n"}) == {there: {"flags"}}


def test_further_modules_are_followed() -> None:
    files = {
        "run.py": f"{LOAD}from one import flags\nload(extra_cuda_cflags=flags)\n",
        "one.py": "from two import flags\n",
        "two.py": "import three\nflags = three.base() + ['-O3']\nother = three.unused\n",
        "three.py": "def base():\n    return ['-lineinfo']\n",
    }
    assert given(files) == {"one.py": {"flags"}, "two.py": {"flags"}, "three.py": {"base"}}


@pytest.mark.parametrize(
    "text",
    [
        "from tools import flags\nload(extra_cflags=flags())\n",
        "from tools import flags\nprint(flags())\nload(extra_cuda_cflags=['-O3'])\n",
        "from elsewhere import flags\nload(extra_cuda_cflags=flags())\n",
        "from ..tools import flags\nload(extra_cuda_cflags=flags())\n",
    ],
)
def test_what_no_build_gets_for_nvcc_is_left(text: str) -> None:
    assert given({"setup.py": LOAD + text, "tools.py": "def flags():\n    return []\n"}) == {}
    assert given({"setup.py": "from tools import flags\nrun(flags())\n", "tools.py": "flags = list\n"}) == {}


def test_such_options_become_a_choice_between_vendors(tmp_path: Path) -> None:
    run = f"{LOAD}from .options import BASE, flags\nload('k', ['k.cu'], extra_cuda_cflags=BASE + flags(8))\n"
    options = '"""Options."""\nBASE = ["--use_fast_math"]\n\n\ndef flags(n):\n    return ["-res-usage", f"-DN={n}"]\n'
    other = 'BASE = ["--use_fast_math"]\n'
    files = {"m/__init__.py": "", "m/run.py": run, "m/options.py": options, "m/other.py": other}
    written(tmp_path, {**files, "m/k.cu": "__global__ void k() {}\n"})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config()).conversions}
    text = made["m/options.py"]
    assert text.startswith('"""Options."""\n\nimport torch\n')
    assert '["-Rpass-analysis=kernel-resource-usage"] if torch.version.hip else ["-res-usage"]' in text
    assert 'else ["--use_fast_math"])]' in text
    assert "m/other.py" not in made
    compile(text, "options.py", "exec")
