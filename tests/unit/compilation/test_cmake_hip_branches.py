"""A build for HIP takes the branch that sets up HIP, whatever the default of the project is."""

from __future__ import annotations

import pytest

from cudamigrate.compilation import cmake_values
from cudamigrate.syntax import cmake

ELSE = """
set(BACKEND "cuda" CACHE STRING "")
if(BACKEND STREQUAL "cuda")
  find_package(CUDAToolkit)
else()
  {other}
endif()
if(BACKEND STREQUAL "cuda")
  target_compile_definitions(a PRIVATE NVML=1)
else()
  target_compile_definitions(a PRIVATE NVML=0)
endif()
"""
HIP = "target_link_libraries(a PRIVATE hip::device)"
CHAIN = """
if(WITH STREQUAL "CUDA")
  add_definitions(-DFOR_CUDA)
elseif(WITH STREQUAL "HIP")
  enable_language(HIP)
  add_definitions(-DFOR_HIP)
else()
  add_definitions(-DFOR_HOST)
endif()
"""


def given(text: str) -> list[str]:
    """The macros of the commands that are carried out."""
    taken = cmake_values.taken_by_default(cmake.read(text.encode()))
    return [words[-1] for name, words in taken if name in cmake_values.DEFINE]


def test_the_other_branch_is_taken_wherever_the_same_is_asked() -> None:
    assert given(ELSE.replace("{other}", HIP).replace("BACKEND", "CUDA_BACKEND")) == ["NVML=0"]


def test_one_branch_of_several_is_taken() -> None:
    assert given(CHAIN) == ["-DFOR_HIP"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ELSE.replace("{other}", "find_package(OpenMP)").replace("BACKEND", "CUDA_BACKEND"), ["NVML=1"]),  # no HIP
        (
            ELSE.replace("{other}", HIP).replace("find_package(CUDAToolkit)", HIP).replace("BACKEND", "CUDA_BACKEND"),
            ["NVML=1"],
        ),
        (ELSE.replace("{other}", HIP).replace('"cuda"', '"fast"'), ["NVML=1"]),  # not of a vendor: the default holds
        (CHAIN.replace("enable_language(HIP)", "enable_language(CXX)"), ["-DFOR_CUDA", "-DFOR_HIP"]),
    ],
)
def test_what_does_not_tell_the_vendors_apart_is_as_it_was(text: str, expected: list[str]) -> None:
    assert given(text) == expected
