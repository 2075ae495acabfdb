"""Text that Python compiles is followed to the CUDA files of the tree that it is from."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding, SourceFile
from cudamigrate.pipeline import python_texts

RULE = "python/kernel-source-computed"
KERNEL = """#include <math.h>
//{VALUES}
__global__ void top(float *a) { a[blockIdx.x * WIDTH] = 0; }
"""
TOOLS = """from importlib.resources import files
def path_of(name):
    return str(files("p").joinpath("kernels", f"{name}.cu"))
def text_of(path, values=None):
    text = open(path, "r").read()
    if values is None:
        return text
    lines = ["#define {} {}".format(key, value) for key, value in values.items()]
    text = text.replace("//{VALUES}", "\\n".join(lines))
    return text
"""
USES = """from pycuda.compiler import SourceModule
from .tools import path_of, text_of
def build(width):
    text = text_of(path_of("top"), values=dict(WIDTH=width))
    return SourceModule(text, options=["-O3"])
"""
HERE = """import cupy
from p.tools import path_of
class Kernels:
    def __init__(self, width):
        with open(path_of("top")) as file:
            text = file.read()
        text = text.replace("//{VALUES}", "#define WIDTH %d" % width)
        self.module = cupy.RawModule(code=text)
"""
TREE = {"p/__init__.py": "", "p/tools.py": TOOLS, "p/top.py": USES, "p/kernels/top.cu": KERNEL}


def found(root: Path, files: dict[str, str]) -> list[Finding]:
    return list(pipeline.scan(written(root, files), Config(jobs=1, cache=False)).findings)


@pytest.mark.parametrize(
    "uses",
    [
        USES,
        HERE,
        USES.replace("text_of(path_of(", "tools.text_of(tools.path_of(").replace(
            ".tools import path_of, text_of", ". import tools"
        ),
        USES.replace('path_of("top")', '"p/kernels/top.cu"'),
    ],
)
def test_text_of_a_file_with_values_of_macros_is_read_there(tmp_path: Path, uses: str) -> None:
    findings = found(tmp_path, TREE | {"p/top.py": uses})
    assert RULE not in [one.rule for one in findings]
    assert "build/implicit-runtime-header" not in [one.rule for one in findings]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"p/top.py": HERE.replace('"#define WIDTH %d" % width', "width.body()")},
            "compiles the text of `p/kernels/top.cu`, which was read, with text put in for `//{VALUES}` that was not.",
        ),
        (
            {"p/top.py": HERE.replace('"#define WIDTH %d" % width', '"__device__ int f() { return 1; }"')},
            "with text put in for `//{VALUES}` that was not.",
        ),
        (
            {
                "p/top.py": HERE.replace(
                    'text.replace("//{VALUES}", "#define WIDTH %d" % width)', "text.format(w=width)"
                )
            },
            "which was read, with text put in that was not.",
        ),
    ],
)
def test_code_that_is_put_into_it_is_what_is_reported(tmp_path: Path, change: dict[str, str], message: str) -> None:
    said = [one.message for one in found(tmp_path, TREE | change) if one.rule == RULE]
    assert len(said) == 1
    assert message in said[0]


@pytest.mark.parametrize(
    "change",
    [
        {"p/top.py": USES.replace('path_of("top")', 'path_of("other")')},
        {"p/top.py": USES.replace("    return", "    text = made(text)\n    return")},
        {"p/top.py": USES.replace("    return", "    text += made()\n    return")},
        {"p/top.py": USES.replace(".tools", ".others")},
        {"p/tools.py": TOOLS.replace("        return text\n", "        return made()\n")},
    ],
)
def test_text_from_elsewhere_was_not_read(tmp_path: Path, change: dict[str, str]) -> None:
    findings = found(tmp_path, TREE | change)
    assert [one.message for one in findings if one.rule == RULE and "was not read" in one.message]
    assert "build/implicit-runtime-header" in [one.rule for one in findings]


@pytest.mark.parametrize(
    ("change", "filled"),
    [
        ({}, True),
        ({"p/top.py": HERE}, True),
        ({"p/kernels/top.cu": KERNEL.replace("//{VALUES}", "//")}, False),
        ({"p/top.py": USES.replace("SourceModule(", "print(")}, False),
    ],
)
def test_a_text_with_a_marker_that_a_function_replaces_is_no_code(change: dict[str, str], filled: bool) -> None:
    texts = TREE | change

    def read(path: str) -> SourceFile | None:
        return SourceFile(path, texts[path].encode(), "") if path in texts else None

    path = "p/kernels/top.cu"
    assert (path in python_texts.filled_by_python([path], frozenset(texts), read)) is filled


def test_names_that_hold_each_other_end(tmp_path: Path) -> None:
    """A name with many values that are made of others with many values is followed for so many steps."""
    names = "abcdefgh"
    body = "".join(f"    {one} = {other} + {other}\n" * 9 for one, other in zip(names, names[1:] + "a", strict=True))
    uses = f"from pycuda.compiler import SourceModule\ndef build():\n{body}    return SourceModule(a)\n"
    assert RULE in [one.rule for one in found(tmp_path, TREE | {"p/top.py": uses})]
