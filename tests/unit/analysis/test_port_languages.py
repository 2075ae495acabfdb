"""A source whose language a CMake variable holds is HIP's where a build for HIP sets it so and enters its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, facts

LANGUAGE = "enable_language(%s)\nset(GPU_LANGUAGE %s)\n"
PARTS = {
    "CMakeLists.txt": "project(p LANGUAGES CXX)\ninclude(cmake/gpu.cmake)\n"
    'option(WITH_PART "" ON)\nif(WITH_PART)\n  add_subdirectory(part)\nendif()\n',
    "cmake/gpu.cmake": f'if(VENDOR STREQUAL "HIP")\n{LANGUAGE % ("HIP", "HIP")}else()\n'
    f"{LANGUAGE % ('CUDA', 'CUDA')}endif()\n",
    "part/CMakeLists.txt": "set(part_sources a.cu)\n"
    "set_source_files_properties(${part_sources} PROPERTIES LANGUAGE ${GPU_LANGUAGE})\n"
    "add_library(l ${part_sources})\n",
    "part/a.cu": "#include <hip/hip_runtime.h>\n" + KERNEL,
    "part/b.cu": "#include <cuda_runtime.h>\n" + KERNEL.replace(" k(", " l("),
}


def test_a_language_in_a_variable_that_another_file_sets_to_hip_is_followed(tmp_path: Path) -> None:
    sources = PARTS | {"part/a.cu": PARTS["part/b.cu"]}
    assert "part/a.cu" in facts(tmp_path / "a", sources).compiled
    assert "part/b.cu" not in facts(tmp_path / "a", sources).compiled  # which nothing names
    named = sources["part/CMakeLists.txt"].replace("${part_sources} PROP", "a.cu PROP")
    assert "part/a.cu" in facts(tmp_path / "b", sources | {"part/CMakeLists.txt": named}).compiled


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param("cmake/gpu.cmake", "set(GPU_LANGUAGE HIP)", "set(OTHER_LANGUAGE HIP)", id="another variable"),
        pytest.param("CMakeLists.txt", '"" ON)', '"" OFF)', id="an option that is off"),
        pytest.param(
            "CMakeLists.txt",
            'option(WITH_PART "" ON)',
            'if(VENDOR STREQUAL "HIP")\noption(WITH_PART "" OFF)\nelse()\noption(WITH_PART "" ON)\nendif()',
            id="an option that is off for HIP",
        ),
    ],
)
def test_a_language_that_nothing_shows_to_be_hip_says_nothing(tmp_path: Path, path: str, old: str, new: str) -> None:
    files = PARTS | {"part/a.cu": PARTS["part/b.cu"]}
    assert old in files[path]
    assert "part/a.cu" not in facts(tmp_path, files | {path: files[path].replace(old, new)}).compiled
