"""Programs beside an extension of PyTorch's: they and their builds become HIP's, and the extension stays portable."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SETUP = (
    "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    "setup(ext_modules=[CUDAExtension('e', ['ext/a.cu'])])\n"
)
EXTENSION = '#include "a.h"\n__global__ void k(float *p, cudaStream_t s) { p[0] = __shfl_sync(~0u, p[1], 0); }\n'
HEADER = "#include <cuda_runtime.h>\nvoid launch(cudaStream_t s);\n"
MAIN = '#include "tool.h"\nint main(int argc, char **argv) { void *p; cudaMalloc(&p, 4); return cudaFree(p); }\n'
TOOL = "#include <cuda_runtime.h>\ninline void wait() { cudaDeviceSynchronize(); }\n"
MAKE = "tool: tool.cu\n\tnvcc -o tool tool.cu -lcudart\n"
TREE = {
    "setup.py": SETUP,
    "ext/a.cu": EXTENSION,
    "ext/a.h": HEADER,
    "tools/tool.cu": MAIN,
    "tools/tool.h": TOOL,
    "tools/Makefile": MAKE,
}


def after(folder: Path, more: dict[str, str], style: str = "auto") -> dict[str, str]:
    """The files that `apply` changes, as it makes them."""
    made = pipeline.apply(written(folder, {**TREE, **more}), Config(jobs=1, style=style, cache=False), debug=True)
    return {one.path: one.after.decode() for one in made.conversions}


def test_a_program_and_its_build_are_for_hip(tmp_path: Path) -> None:
    made = after(tmp_path, {})
    assert "hipMalloc(&p, 4); return hipFree(p)" in made["tools/tool.cu"]
    assert made["tools/tool.h"].startswith("#include <hip/hip_runtime.h>\n")
    assert made["tools/Makefile"] == "tool: tool.cu\n\thipcc -o tool tool.cu -lamdhip64\n"
    assert "cudaStream_t" in made["ext/a.cu"]
    assert "ext/a.h" not in made


def test_the_style_says_so(tmp_path: Path) -> None:
    report = pipeline.apply(written(tmp_path, TREE), Config(jobs=1, cache=False)).report
    assert report.style is not None
    assert report.style.name == "portable"
    assert report.style.reason.endswith("(setup.py:3); 3 files of programs beside it become HIP's")


def test_a_header_that_both_read_holds_hips_names_itself(tmp_path: Path) -> None:
    made = after(tmp_path, {"tools/tool.h": '#include "../ext/a.h"\n'})
    assert "#include <hip/hip_runtime.h>\nvoid launch(hipStream_t s);\n#else\n" in made["ext/a.h"]
    assert "hipMalloc" in made["tools/tool.cu"]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"tools/tool.cu": MAIN.replace("main(", "start(")}, id="no program"),
        pytest.param({"tools/tool.h": f"#include <ATen/cuda/CUDAContext.h>\n{TOOL}"}, id="PyTorch's names"),
        pytest.param({"Makefile": "all:\n\tnvcc tools/tool.cu ext/a.cu\n"}, id="one build makes both"),
        pytest.param({"setup.py": SETUP.replace("'ext/a.cu'", "'ext/a.cu', 'tools/tool.cu'")}, id="of the extension"),
    ],
)
def test_what_is_no_program_of_its_own_stays(more: dict[str, str], tmp_path: Path) -> None:
    made = after(tmp_path, more)
    assert "hip" not in made.get("tools/tool.cu", "")
    assert "hipcc" not in made.get("tools/Makefile", "")


def test_a_style_that_was_asked_for_holds_for_programs_too(tmp_path: Path) -> None:
    assert "hipMalloc" not in after(tmp_path, {}, "portable").get("tools/tool.cu", "")


@pytest.mark.parametrize(
    ("listed", "converted"),
    [
        ("file(GLOB SOURCES ${CMAKE_SOURCE_DIR}/src/*.cu)\nadd_executable(tool ${SOURCES})\n", True),
        ("file(GLOB SOURCES ${CMAKE_SOURCE_DIR}/other/*.cu)\nadd_executable(tool tool.cpp ${SOURCES})\n", False),
    ],
)
def test_sources_that_a_programs_build_collects_go_with_it(listed: str, converted: bool, tmp_path: Path) -> None:
    files = {
        "app/CMakeLists.txt": f"project(app LANGUAGES CXX CUDA)\n{listed}",
        "app/src/main.cu": MAIN.replace('#include "tool.h"\n', ""),
        "app/src/part.cu": "void part(void *p) { cudaFree(p); }\n",
    }
    made = after(tmp_path, files)
    assert ("LANGUAGES CXX HIP" in made.get("app/CMakeLists.txt", "")) is converted
    assert ("hipFree" in made.get("app/src/part.cu", "")) is converted


@pytest.mark.parametrize(("more", "converted"), [({}, True), ({"tools/ext.cu": ""}, False)])
def test_a_script_that_compiles_whatever_it_is_given(more: dict[str, str], converted: bool, tmp_path: Path) -> None:
    script = "#!/bin/sh\nnvcc -o tool $1 -lcudart\n"
    setup = {"setup.py": SETUP.replace("'ext/a.cu'", "'tools/ext.cu'")} if more else {}
    made = after(tmp_path, {"tools/build.sh": script, "tools/Makefile": "", **setup, **more})
    assert ("hipcc" in made.get("tools/build.sh", "")) is converted
    assert "hipMalloc" in made["tools/tool.cu"]
