"""A header of libcu++ without an equivalent goes where nothing that reads it names anything of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = "#pragma once\n#include <cuda_runtime.h>\n"
TILE = HEAD + "#include <cuda/pipeline>  // for copies\n__device__ int tile() { return 1; }\n"
GONE = "#pragma once\n#include <hip/hip_runtime.h>\n__device__ int tile() { return 1; }\n"
UNIT = '#include "tile.cuh"\n#include "more.cuh"\n__global__ void k(int *p) { *p = tile(); }\n'
PLAIN = "#pragma once\n#include <cuda_runtime.h>\n__device__ at::cuda::State *of(int);\n"


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    written(root, files)
    return {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1, style="hip")).conversions}


@pytest.mark.parametrize("other", [PLAIN, "#pragma once\n"])
def test_it_goes(tmp_path: Path, other: str) -> None:
    assert converted(tmp_path, {"tile.cuh": TILE, "more.cuh": other, "k.cu": UNIT})["tile.cuh"] == GONE


@pytest.mark.parametrize(
    "files",
    [
        {"tile.cuh": TILE + "__device__ void f(cuda::pipeline<cuda::thread_scope_thread> &p);\n"},
        {"tile.cuh": TILE, "more.cuh": "#pragma once\n", "k.cu": UNIT + "using namespace cuda;\n"},
        {"tile.cuh": TILE, "more.cuh": "#pragma once\nusing scope = ::cuda::thread_scope;\n", "k.cu": UNIT},
    ],
)
def test_it_stays_where_something_names_the_namespace(tmp_path: Path, files: dict[str, str]) -> None:
    assert "#include <cuda/pipeline>" in converted(tmp_path, files)["tile.cuh"]


def test_the_header_of_device_side_calls_is_the_runtime_s(tmp_path: Path) -> None:
    text = "#include <cuda_device_runtime_api.h>\nvoid f(cudaStream_t s) { cudaStreamSynchronize(s); }\n"
    made = converted(tmp_path, {"f.cpp": text})["f.cpp"]
    assert "cuda_device_runtime_api" not in made
    assert "#include <hip/hip_runtime" in made
