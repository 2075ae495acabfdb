"""Names of CUDA's that another library declares are left as they are, and said once for each file."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "library/other-cuda-names"
CALLS = "void f(void *p) {\n    cudaStream_t s;\n    LOADER_CALL(cudaFree(p));\n}\n"
USER = f"#include <string>\n#include <loader/loader.hpp>\n{CALLS}"
BUILD = """cmake_minimum_required(VERSION 3.20)
project(solver LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(loader GIT_REPOSITORY https://example.org/tools/gpu-loader.git GIT_TAG v1)
add_library(solver src/user.cpp)
"""


def scanned(root: Path, files: dict[str, str]) -> tuple[list[str], list[str]]:
    """The messages of the rule, and what is renamed in the sources."""
    found = pipeline.scan(written(root, files), Config(jobs=1, cache=False)).findings
    told = [one.message for one in found if one.rule == RULE]
    return told, [one.name for one in found if one.group == "api" and one.fix is not None]


def test_all_that_a_file_knows_of_cuda_is_of_a_library_that_the_build_fetches(tmp_path: Path) -> None:
    (message,), renamed = scanned(tmp_path, {"CMakeLists.txt": BUILD, "src/user.cpp": USER})
    assert message.startswith(
        "All names of CUDA's here are from `loader/loader.hpp`: the file reads no header of CUDA's"
    )
    assert "CMakeLists.txt:4 fetches it." in message
    assert renamed == []


def test_so_is_a_header_that_such_files_alone_read(tmp_path: Path) -> None:
    files = {"src/user.cpp": f'#include "own.h"\n{USER}', "src/own.h": "inline void g(cudaStream_t s) {}\n"}
    assert scanned(tmp_path, {"CMakeLists.txt": BUILD, **files})[1] == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"src/user.cpp": f"#include <cuda_runtime_api.h>\n{USER}"}, id="CUDA's header is read too"),
        pytest.param(
            {"src/user.cpp": f'#include "own.h"\n{USER}', "src/own.h": "#include <cuda.h>\n"}, id="by another"
        ),
        pytest.param({"CMakeLists.txt": BUILD.replace("CXX)", "CXX CUDA)")}, id="the build has CUDA"),
        pytest.param({"CMakeLists.txt": f"{BUILD}find_package(CUDAToolkit)\n"}, id="the build finds CUDA"),
        pytest.param({"cmake/gpu.cmake": "find_package(CUDA)\n"}, id="a module of the build finds it"),
        pytest.param({"CMakeLists.txt": BUILD.replace("loader", "other")}, id="the build fetches something else"),
        pytest.param({"CMakeLists.txt": BUILD.replace("tools/gpu-loader", "kokkos/kokkos")}, id="for both vendors"),
        pytest.param({"src/user.cpp": "", "src/user.cu": USER}, id="nvcc reads its own header"),
        pytest.param({"third_party/loader/loader.hpp": "#include <cuda_runtime.h>\n"}, id="the tree has it"),
    ],
)
def test_where_something_else_may_bring_them_they_are_cudas(files: dict[str, str], tmp_path: Path) -> None:
    told, renamed = scanned(tmp_path, {"CMakeLists.txt": BUILD, "src/user.cpp": USER, **files})
    assert told == []
    assert {"cudaFree", "cudaStream_t"} <= set(renamed)


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("void f(void **p) { lib::Api::instance().cudaMalloc(p, 4); }\n", "lib::Api::instance"),
        ("void f(void **p, const Api *x) { x->cudaMalloc(p, 4); }\n", "x"),
        ("void f(void **p) { Api x; x.cudaMalloc(p, 4); }\n", "x"),
        ("void f(lib::cudaStream_t s) {}\n", "lib"),
    ],
)
def test_members_and_types_of_a_library_that_no_file_declares(code: str, named: str, tmp_path: Path) -> None:
    text = f"#include <lib/api.hpp>\n{code}void g(void *p) {{ LIB_CALL(cudaFree(p)); }}\n"
    (message,), renamed = scanned(tmp_path, {"a.cpp": text})
    assert message.startswith(f"`{named}` has names of CUDA's as its own")
    assert renamed == []  # no header of CUDA's is read, so that `cudaFree` is the library's too


def test_beside_cudas_header_the_other_names_are_cudas(tmp_path: Path) -> None:
    text = (
        "#include <cuda_runtime.h>\n#include <lib/api.hpp>\nvoid f(Api &x, void *p) { x.cudaFree(p); cudaFree(p); }\n"
    )
    told, renamed = scanned(tmp_path, {"a.cpp": text})
    assert len(told) == 1
    assert renamed.count("cudaFree") == 1


@pytest.mark.parametrize(
    "code",
    [
        "struct Api { int (*cudaMalloc)(void **, size_t); };\nvoid f(void **p, Api *x) { x->cudaMalloc(p, 4); }\n",
        "struct Api { ENTRIES };\nvoid f(void **p, Api *x) { x->cudaMalloc(p, 4); }\n",
        "namespace lib { TYPES }\nvoid f(lib::cudaStream_t s) {}\n",
        "void f(void **p) { get(1)->cudaMalloc(p, 4); }\n",  # nothing says of what class it is
        "// lib::Api::instance().cudaMalloc(p, 4);\n",
        "void f(Api *x) { x->cudaUnheardOf(1); }\n",
        "void f(Api *x) { x->cudaMallocated = 1; }\n",
        "bool f(cudaMemoryType a) { return a == cudaMemoryType::cudaMemoryTypeHost; }\n",
        "template <class Api> void f(void **p) { Api::cudaMalloc(p, 4); }\n",
        "template <typename Api, int N> void f(void **p, Api &x) { x.cudaMalloc(p, 4); }\n",
    ],
)
def test_a_class_or_namespace_of_the_project_is_none(code: str, tmp_path: Path) -> None:
    assert scanned(tmp_path, {"a.cpp": f"#include <cuda_runtime.h>\n#include <lib/api.hpp>\n{code}"})[0] == []
