"""Kernels that Python compiles from CUDA files of the tree are no question of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

READS = """from pathlib import Path
def source_of(name):
    path = Path(__file__).parent / "kernels" / (name + ".cu")
    text = path.read_text()
    return text.replace("__global__", 'extern "C" __global__'), 1
"""
USES = """import cupy as cp
from .files import source_of
def top():
    code, _ = source_of("top")
    return cp.RawKernel(code, "top")
"""
KERNEL = "__global__ void top(float *a) { a[threadIdx.x] = 0; }\n"
TREE = {"p/files.py": READS, "p/top.py": USES, "p/kernels/top.cu": KERNEL}


def asked(root: Path, files: dict[str, str]) -> int:
    report = pipeline.scan(written(root, files), Config(jobs=1, cache=False))
    return [one.rule for one in report.findings].count("python/kernel-source-computed")


@pytest.mark.parametrize(
    "files",
    [
        TREE,
        TREE | {"p/top.py": USES.replace("RawKernel(code,", "RawKernel(code=code, name=")},
        TREE | {"p/files.py": READS.replace("path.read_text()", "open(path).read()")},
        {"p/all.py": READS + USES.replace("from .files import source_of", ""), "p/kernels/top.cu": KERNEL},
    ],
)
def test_a_kernel_from_a_file_of_the_tree_is_read_there(tmp_path: Path, files: dict[str, str]) -> None:
    assert asked(tmp_path, files) == 0


@pytest.mark.parametrize(
    "files",
    [
        {"p/files.py": READS, "p/top.py": USES, "other/top.cu": KERNEL},
        TREE | {"p/top.py": USES.replace("from .files", "from .others")},
        TREE | {"p/top.py": USES.replace("    return cp", "    code = made()\n    return cp")},
        TREE | {"p/files.py": READS.replace(".cu", ".txt")},
    ],
)
def test_a_source_from_elsewhere_is_still_computed(tmp_path: Path, files: dict[str, str]) -> None:
    assert asked(tmp_path, files) == 1
