"""MATLAB's scripts and options files: what compiles CUDA code, and what uses a GPU."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import matlab
from cudamigrate.model import SourceFile


def uses(text: str, path: str = "a.m") -> list[str]:
    """The names of what a file uses."""
    source = SourceFile(path, text.encode(), "matlab")
    found = matlab.parse(source).uses
    assert all(source.text(use.span) for use in found)
    return [use.name for use in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mexcuda a.cu", ["mexcuda"]),
        ("mexcuda", ["mexcuda"]),
        ("  mex -O a.cpp src/b.cu -lcudart", ["mex of .cu"]),
        ("status = mex('-O', 'b.cu');", ["mex of .cu"]),
        ("mex -O ...\n  a.cpp ...\n  b.cu\n", ["mex of .cu"]),
        ("mex a.cu\nmex b.cu\nmexcuda c.cu\n", ["mex of .cu", "mexcuda"]),
        ("mex -O ...\n  a.cpp\nx = 'b.cu';\n", []),
        ("mex a.cpp % b.cu", []),
        ("% mexcuda a.cu", []),
        ("disp('mexcuda a.cu')", []),
        ("mymex a.cu", []),
        ("mex_all a.cu", []),
        ("fprintf('100%% of a.cu'); mex", []),
        ("g = gpuArray(a); h = gpuArray(b);", ["gpuArray"]),
        ("k = parallel.gpu.CUDAKernel('k.ptx', 'k.cu');", ["parallel.gpu.CUDAKernel"]),
        ("x.gpuArray(a)", []),
    ],
)
def test_scripts(text: str, expected: list[str]) -> None:
    assert uses(text) == expected


def test_options_files() -> None:
    assert uses('<config\n  Name="nvcc"\n  Language="CUDA">', "mex_a.xml") == ["mex options for nvcc"]
    assert uses('<config Name="a" Location="$NVCC">', "mex_a.xml") == ["mex options for nvcc"]
    assert uses('<config Name="gcc" Location="$GCC">', "mex_a.xml") == []
