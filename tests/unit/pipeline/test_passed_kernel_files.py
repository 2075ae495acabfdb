"""CUDA files that Python passes by name to a package of the repository that compiles kernels when it runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULES = ("python/passed-kernel-file", "python/kernel-options")
KERNEL = "#include <cuda_fp16.h>\n__global__ void sum(half *a) { a[0] = a[1]; }\n"
PLAIN = "def answer():\n    return 42\n"
PACKAGE = {
    "tool/__init__.py": "from tool.core import tune\n",
    "tool/core.py": "import cupy\n\ndef tune(name, source, options=()):\n"
    "    return cupy.RawModule(code=as_text(source), options=options)\n",
    "kernels/sum.cu": KERNEL,
}


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    report = pipeline.scan(written(root, files), Config(jobs=1))
    return [(one.path, one.position.line, one.rule) for one in report.findings if one.rule in RULES]


@pytest.mark.parametrize(
    "call",
    [
        'import tool\n\ntool.tune("sum", "sum.cu")\n',
        'from tool import tune as run\n\nrun("sum", ["sum.cu", "other.cu"])\n',
        'import tool.core\nPATH = "kernels/sum.cu"\ntool.core.tune("sum", source=PATH)\n',
        'import tool\nwith open("../kernels/sum.cu", "r") as f: text = f.read()\ntool.tune("sum", text)\n',
        'import tool, os.path\n\ntool.tune("sum", os.path.join(os.path.dirname(__file__), "kernels", "sum.cu"))\n',
    ],
)
def test_the_call_that_gets_a_file_which_changes_is_reported(tmp_path: Path, call: str) -> None:
    assert found(tmp_path, {**PACKAGE, "examples/run.py": call}) == [("examples/run.py", 3, RULES[0])]


@pytest.mark.parametrize(
    "call",
    [
        'import tool\n\ntool.tune("sum", "missing.cu")\n',
        'import tool\n\ntool.tune("sum", "other/sum.cu")\n',
        'import tool\n\nprint("sum.cu", tool.answer())\n',
        'import other as tool\n\ntool.tune("sum", "sum.cu")\n',
        'def tune(*given): pass\n\ntune("tool", "sum.cu")\n',
        'import tool\n\ntool.tune("sum", {"file": "sum.cu"})\n',
    ],
)
def test_other_calls_are_not(tmp_path: Path, call: str) -> None:
    assert found(tmp_path, {**PACKAGE, "examples/run.py": call}) == []


@pytest.mark.parametrize(
    "changed",
    [{"tool/core.py": PLAIN}, {"tool/__init__.py": "", "kernels/sum.cu": "int answer() { return 42; }\n"}],
    ids=["compiles-nothing", "stays-as-it-is"],
)
def test_nothing_is_said_where_nothing_changes(tmp_path: Path, changed: dict[str, str]) -> None:
    call = 'import tool\n\ntool.tune("sum", "sum.cu", options=["-arch=sm_80"])\n'
    assert found(tmp_path, {**PACKAGE, "examples/run.py": call, **changed}) == []


def test_options_beside_the_file_name_gpus(tmp_path: Path) -> None:
    call = 'import tool\ntool.tune("sum", "sum.cu", options=["-arch=sm_80", "-O3", "-arch"])\nshow("-arch=sm_80")\n'
    assert found(tmp_path, {**PACKAGE, "run.py": call}) == [("run.py", 2, RULES[0]), ("run.py", 2, RULES[1])]
