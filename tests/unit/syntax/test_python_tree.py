"""Python of other people is parsed without a word of the interpreter's about it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cudamigrate
from cudamigrate.syntax import python_tree

ODD = 'import re\nP = "\\d"\nassert (1, "always")\nif P is "a": pass\n'
"""What Python warns of: an escape that is none, an assertion that never fails, a comparison with a literal."""


@pytest.mark.filterwarnings("error")
def test_what_python_finds_odd_is_no_error_and_no_warning() -> None:
    assert [type(one) for one in python_tree.parse(ODD).body] == [ast.Import, ast.Assign, ast.Assert, ast.If]
    assert ast.literal_eval(python_tree.parse_expression('"\\d"')) == "\\d"


def test_what_is_no_python_is_still_an_error() -> None:
    with pytest.raises(SyntaxError):
        python_tree.parse("print 1")


def test_no_other_module_parses_python() -> None:
    package = Path(cudamigrate.__file__).resolve().parent
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [path.name for path, text in texts.items() if "ast.parse(" in text] == ["python_tree.py"]


def test_a_scan_says_nothing_of_odd_python(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n"
        f"{ODD}setup(ext_modules=[CUDAExtension('x', ['a.cu'], extra_compile_args=['-O3'])])\n"
    )
    (tmp_path / "load.py").write_text(f"from torch.utils.cpp_extension import load\n{ODD}load('x', ['a.cu'])\n")
    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    program = [sys.executable, "-W", "always", "-m", "cudamigrate", "scan", str(tmp_path)]
    own = {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(program, capture_output=True, text=True, env={**os.environ, **own}, check=False)
    assert "Warning" not in done.stderr


def test_a_byte_order_mark_before_the_text_is_none_of_it() -> None:
    assert len(python_tree.parse("\ufeffimport re\n").body) == 1
    with pytest.raises(SyntaxError):
        python_tree.parse("import re\n\ufeffimport os\n")
