"""A run on few files of a repository knows the port that the whole repository shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BUILD, KERNEL, written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = f'#include "gpu.h"\n{KERNEL}void f(void *p) {{ cudaFree(p); }}\n'
SHIM = (
    "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n"
)
FILES = {
    "CMakeLists.txt": BUILD % "  add_definitions(-DUSE_HIP)\n",
    "include/gpu.h": SHIM,
    "src/a.cu": CODE,
}


@pytest.mark.parametrize("include", [(), ("src/*",), ("src/a.cu",), ("CMakeLists.txt",)])
def test_the_style_and_the_findings_are_those_of_the_whole(tmp_path: Path, include: tuple[str, ...]) -> None:
    made = pipeline.apply(written(tmp_path, FILES), Config(jobs=1, include=include, cache=False))
    assert made.report.style is not None
    assert (made.report.style.name, [one.name for one in made.report.findings]) == ("portable", [])


def test_few_files_of_a_repository_without_a_port_are_converted(tmp_path: Path) -> None:
    files = {
        **FILES,
        "CMakeLists.txt": "project(a LANGUAGES CXX CUDA)\n",
        "include/gpu.h": "#include <cuda_runtime.h>\n",
    }
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1, include=("src/*",), cache=False))
    assert made.report.style is not None
    assert (made.report.style.name, [one.path for one in made.conversions]) == ("hip", ["src/a.cu"])
