"""Sources of PyTorch's `CppExtension`, which its build for ROCm does not convert."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = "from torch.utils.cpp_extension import CppExtension, CUDAExtension\n"
STREAM = "#include <ATen/cuda/CUDAContext.h>\nvoid *stream() { return at::cuda::getCurrentCUDAStream(); }\n"
RUNTIME = "#include <cuda_runtime.h>\nvoid wait() { cudaDeviceSynchronize(); }\n"


@pytest.mark.parametrize(
    ("setup", "source", "found"),
    [
        pytest.param("e = CppExtension('e', ['a.cpp'])\n", STREAM, True, id="not converted"),
        pytest.param("e = CppExtension('e', sources=['a.cpp'])\n", STREAM, True, id="by keyword"),
        pytest.param("e = CUDAExtension('e', ['a.cpp'])\n", STREAM, False, id="converted"),
        pytest.param(
            "e = CUDAExtension('e', ['a.cpp']) if gpu else CppExtension('e', ['a.cpp'])\n",
            STREAM,
            False,
            id="one of two",
        ),
        pytest.param("e = CppExtension('e', ['b.cpp'])\n", STREAM, False, id="another source"),
        pytest.param("e = CppExtension('e', ['a.cpp'])\n", RUNTIME, False, id="no name of PyTorch's"),
    ],
)
def test_names_of_pytorch_in_a_source_for_the_host_are_reported(
    tmp_path: Path, setup: str, source: str, found: bool
) -> None:
    tree = written(tmp_path, {"setup.py": HEAD + setup, "a.cpp": source, "b.cpp": "int b;\n"})
    report = pipeline.scan(tree, Config(jobs=1))
    told = [one.path for one in report.findings if one.rule == "build/torch-host-extension"]
    assert told == ["a.cpp"] * found


CMAKE = "find_package(Torch REQUIRED)\nadd_library(e SHARED a.cpp)\n"


@pytest.mark.parametrize(
    ("files", "source", "found"),
    [
        pytest.param({"CMakeLists.txt": CMAKE}, STREAM, True, id="by CMake"),
        pytest.param({"CMakeLists.txt": CMAKE}, RUNTIME, False, id="no name of PyTorch's"),
        pytest.param({"CMakeLists.txt": CMAKE}, STREAM.split("\n")[0] + "\n", False, id="an include, which is renamed"),
        pytest.param({}, STREAM, False, id="no build"),
        pytest.param(
            {"CMakeLists.txt": CMAKE, "setup.py": HEAD + "CUDAExtension('e', ['a.cpp'])\n"}, STREAM, False, id="both"
        ),
    ],
)
def test_names_of_pytorch_in_a_project_of_cmake_are_reported(
    tmp_path: Path, files: dict[str, str], source: str, found: bool
) -> None:
    report = pipeline.scan(written(tmp_path, {**files, "a.cpp": source}), Config(jobs=1))
    told = [(one.path, one.position.line) for one in report.findings if one.rule == "build/torch-plain-build"]
    assert told == [("a.cpp", 2)] * found
