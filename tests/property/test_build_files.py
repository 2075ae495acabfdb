"""Build files: any bytes are read, nothing but what is found changes, and applying twice is applying once."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate.frontends import (
    autotools,
    bazel,
    bazelrc,
    cargo,
    cmake,
    fortran,
    go,
    make,
    matlab,
    meson,
    rust,
    visual_studio,
)
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from tests.draws import examples

FRONTS = [
    (cmake, "CMakeLists.txt"),
    (make, "Makefile"),
    (matlab, "a.m"),
    (matlab, "mex_CUDA.xml"),
    (meson, "meson.build"),
    (cargo, "build.rs"),
    (cargo, "Cargo.toml"),
    (rust, "a.rs"),
    (fortran, "a.f90"),
    (go, "a.go"),
    (bazel, "BUILD"),
    (bazelrc, ".bazelrc"),
    (autotools, "configure.ac"),
    (visual_studio, "a.vcxproj"),
]
PIECES = [
    "project(a CUDA)\n",
    "project(a LANGUAGES CXX CUDA)\n",
    "cmake_minimum_required(VERSION 3.5)\n",
    "find_package(CUDAToolkit REQUIRED)\n",
    "find_package(CUDA)\n",
    "cuda_add_executable(a a.cu b.cpp)\n",
    "add_library(b ${S})\n",
    "set(S a.cu b.cpp)\n",
    "file(GLOB S *.cu)\n",
    "target_link_libraries(a CUDA::cublas cudart)\n",
    'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -G --extended-lambda -Xcompiler -fPIC")\n',
    "list(APPEND CUDA_NVCC_FLAGS -gencode arch=compute_80,code=sm_80 -O3)\n",
    "# nvcc\n",
    "if(CUDA_FOUND)\n",
    "endif()\n",
    "else()\n",
    "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-G>)\n",
    "set(CMAKE_CUDA_ARCHITECTURES 80)\n",
    "set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)\n",
    "if(USE_HIP)\n",
    "\r\n",
    "NVCC = nvcc\n",
    '    cc::Build::new().cuda(true).flag("-arch=sm_80");\n',
    'let b = Command::new("nvcc").args(["-Xcompiler", "-fPIC"]);\n',
    "use cudarc::{driver};\n",
    'subroutine a() bind(C, &\n & name="cudaFree")\n',
    'extern "C" { fn cuInit(a: u32); }\n',
    '[dependencies]\ncudarc = "0.12"\n',
    "mexcuda -O a.cu ...\n",
    '<CudaCompile Include="a.cu" />\n',
    '<config Name="nvcc">\n',
    "g = gpuArray(x); % mex a.cu\n",
    "NVCCFLAGS = -O3 \\\n  -lineinfo --restrict \\\n  -arch=sm_80\n",
    "\t$(NVCC) -dc a.cu -lcudart\n",
    "CUDA_PATH ?= /usr/local/cuda\n",
    "L = -L$(CUDA_PATH)/lib64 -I$(CUDA_PATH)/include\n",
    "(",
    ")",
    '"',
    "'",
    "\\",
    "$<",
    ">",
]

TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
BYTES = st.one_of(st.binary(max_size=200), TEXTS.map(str.encode))


@pytest.mark.parametrize(("front", "path"), FRONTS, ids=lambda part: getattr(part, "PART", part))
@given(data=BYTES)
@settings(max_examples=examples(60), deadline=None)
def test_any_bytes_are_read_and_uses_lie_within_them(front: ModuleType, path: str, data: bytes) -> None:
    parsed = front.parse(SourceFile(path, data, next(iter(front.FILES.values()))))
    assert all(0 <= use.extent.start <= use.span.start <= use.span.end <= len(data) for use in parsed.uses)
    assert front.broken(data) >= 0


@pytest.mark.parametrize("path", ["CMakeLists.txt", "Makefile"])
@given(text=TEXTS)
@settings(max_examples=examples(150), deadline=None)
def test_applying_twice_is_applying_once(path: str, text: str) -> None:
    once = find_in_text(text, path, unsafe=True).after
    assert find_in_text(once, path, unsafe=True).after == once
