"""Sources of one extension whose objects have one name on ROCm."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SETUP = """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(ext_modules=[CUDAExtension('ops', [{}])], cmdclass={{'build_ext': BuildExtension}})
"""
HELPED = """import os
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
def ext(name, module, sources, more=[]):
    return CUDAExtension(name, [os.path.join(*module.split('.'), one) for one in sources + more])
setup(ext_modules=[ext('ops', 'pkg.ops', sources=['src/query.cpp'], more=['src/query_cuda.cu'])])
"""
LOADED = "from torch.utils.cpp_extension import load\nops = load('ops', [{}])\n"
HOST = "#include <torch/extension.h>\n#include <c10/cuda/CUDAGuard.h>\nvoid run(torch::Tensor t) {}\n"
DEVICE = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[0] = 1; }\n"


def found(root: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    report = pipeline.scan(written(root, files), Config(jobs=1))
    return [(one.path, one.message) for one in report.findings if one.rule == "build/torch-object"]


@pytest.mark.parametrize(
    ("script", "folder"),
    [(SETUP.format("'src/query.cpp', 'src/query_cuda.cu'"), "src"), (HELPED, "pkg/ops/src")],
)
def test_two_sources_become_one_object(tmp_path: Path, script: str, folder: str) -> None:
    files = {"setup.py": script, f"{folder}/query.cpp": HOST, f"{folder}/query_cuda.cu": DEVICE}
    ((path, message),) = found(tmp_path, files)
    assert path == f"{folder}/query.cpp"
    assert "`query.cpp` and `query_cuda.cu` to one `query_hip.o`" in message


@pytest.mark.parametrize(
    ("script", "names", "host"),
    [
        (SETUP, ("src/query.cpp", "src/query_kernel.cu"), HOST),
        (SETUP, ("src/query.cpp", "src/cuda/query.cu"), HOST),
        (SETUP, ("src/query.cpp", "src/query_cuda.cu"), "#include <torch/extension.h>\nvoid run(torch::Tensor t);\n"),
        (SETUP, ("src/query.cpp", "src/query.cu"), HOST),  # nor for CUDA
        (LOADED, ("src/query.cpp", "src/query_cuda.cu"), HOST),
    ],
    ids=["another name", "another folder", "nothing to convert", "one name before", "at first use"],
)
def test_others_have_objects_of_their_own(tmp_path: Path, script: str, names: tuple[str, str], host: str) -> None:
    listed = ", ".join(f"'{name}'" for name in names)
    files = {"setup.py": script.format(listed), names[0]: host, names[1]: DEVICE}
    assert found(tmp_path, files) == []


def test_sources_of_two_extensions_are_apart(tmp_path: Path) -> None:
    script = SETUP.format("'src/query.cpp'").replace("])], ", "]), CUDAExtension('b', ['src/query_cuda.cu'])], ")
    assert "CUDAExtension('b'" in script
    assert found(tmp_path, {"setup.py": script, "src/query.cpp": HOST, "src/query_cuda.cu": DEVICE}) == []
