"""THC in a package of Torch 7 is no name that PyTorch has dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = (
    "#include <THC/THC.h>\n__global__ void k(float *a) { *a = 2; }\n"
    "void run(THCState *state, THCudaTensor *t) { k<<<1, 32>>>(THCudaTensor_data(state, t)); }\n"
)
CMAKE = 'find_package(Torch REQUIRED)\ninclude_directories("${Torch_INSTALL_INCLUDE}/THC")\n'


def found(root: Path, files: dict[str, str]) -> list[str]:
    scan = pipeline.scan(written(root, {"layer.cu": CODE, **files}), Config(jobs=1))
    return [one.rule for one in scan.findings if one.group == "api" or one.rule == "library/torch7"]


@pytest.mark.parametrize(
    "files",
    [
        {"CMakeLists.txt": CMAKE},
        {"CMakeLists.txt": "add_torch_package(layer layer.cu)\n"},
        {"init.c": '#include "luaT.h"\n'},
        {"CMakeLists.txt": CMAKE, "tool.py": "import numpy  # import torch comes later\n"},
    ],
)
def test_it_is_one_thing_to_port(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == ["library/torch7"]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"CMakeLists.txt": "find_package(Torch REQUIRED)\ninclude_directories(${TORCH_INCLUDE_DIRS})\n"},
        {"CMakeLists.txt": CMAKE, "build.py": "import torch.utils.ffi\n"},
        {"CMakeLists.txt": CMAKE, "bind.cpp": "#include <torch/extension.h>\n"},
    ],
)
def test_what_shows_pytorch_or_nothing_keeps_the_advice(files: dict[str, str], tmp_path: Path) -> None:
    told = found(tmp_path, files)
    assert "library/torch7" not in told and "api/thc-headers" in told and "api/thc-family" in told


CHECKED = "#include <THC/THC.h>\nvoid check() { THCudaCheck(cudaGetLastError()); }\n"


def test_its_names_stay_beside_names_of_hip(tmp_path: Path) -> None:
    root = written(tmp_path, {"CMakeLists.txt": CMAKE, "layer.cu": CHECKED})
    (made,) = (one for one in pipeline.apply(root, Config(jobs=1)).conversions if one.path == "layer.cu")
    assert b"THCudaCheck(hipGetLastError())" in made.after and b"<THC/THC.h>" in made.after
