"""Blocks whose options all go are still ones that make, CMake and shells take."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

FILES = {
    "Makefile": (
        "ifneq ($(HOST),)\nNVCCFLAGS += -ccbin $(HOST)\nendif\n"
        "ifeq ($(OLD),1)\n  NVCCFLAGS += --extended-lambda # lambdas\nelse\n  NVCCFLAGS += -Xptxas -w\nendif\n"
        'a: a.cu\n\tif [ -n "$(HOST)" ]; then nvcc -ccbin $(HOST) a.cu; fi\n\tnvcc $(NVCCFLAGS) a.cu\n'
    ),
    "block.cmake": (
        'if(NOT CMAKE_CUDA_FLAGS MATCHES "ccbin")\n  list(APPEND CUDA_FLAGS -ccbin g++) # the host\nendif()\n'
        'if(OLD)\n  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --extended-lambda")\nelse()\n'
        "  list(APPEND CUDA_FLAGS\n    -Xptxas -w # no warnings\n  )\nendif()\n"
        "list(APPEND GPUS -gencode arch=compute_70,code=sm_70)\n"
        "if(NEW)\n  list(APPEND GPUS -gencode arch=compute_90,code=sm_90)\nendif()\n"
    ),
    "block.sh": (
        'if [ -n "$HOST" ]; then\n  FLAGS="$FLAGS -ccbin $HOST"\nelse\n  FLAGS+=" -Xptxas -w"\nfi\n'
        "if true; then FLAGS=(-ccbin g++); fi\n"
        'case $X in\n  a) OPT="--extended-lambda" ;;\nesac\n'
        'if [ -n "$HOST" ]; then nvcc -ccbin $HOST a.cu; fi\nnvcc $FLAGS $OPT "${FLAGS[@]}" a.cu\n'
    ),
}
RUN = {"Makefile": ["make", "-n", "-f"], "block.cmake": ["cmake", "-P"], "block.sh": ["bash", "-n"]}


@pytest.mark.parametrize("name", FILES)
def test_a_block_that_loses_all_its_options_is_valid(name: str, tmp_path: Path) -> None:
    made = find_in_text(FILES[name], name, unsafe=True).after
    assert "ccbin g++" not in made and "--extended-lambda" not in made and "ptxas" not in made.lower()
    (tmp_path / name).write_text(made)
    (tmp_path / "a.cu").write_text("")
    done = subprocess.run([*RUN[name], name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{made}\n{done.stderr}"
