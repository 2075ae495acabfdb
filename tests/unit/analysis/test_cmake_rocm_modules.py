"""A search for HIP's module in a folder that ROCm has no more, and a language that is enabled beside a choice."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import cmake_flow, cmake_rocm_modules
from cudamigrate.syntax import cmake

PATH = "set(HIP_PATH ${ROCM_PATH}/hip CACHE PATH x)\n"
NEEDS = "find_package(HIP REQUIRED)\n"


def found(text: str) -> list[str]:
    data = text.encode()
    return [data[span.start : span.end].decode() for _, span, _ in cmake_rocm_modules.uses(cmake.read(data))]


@pytest.mark.parametrize(
    "text",
    [
        f'{PATH}set(CMAKE_MODULE_PATH "${{HIP_PATH}}/cmake" ${{CMAKE_MODULE_PATH}})\n{NEEDS}',
        f"{PATH}list(APPEND CMAKE_MODULE_PATH ${{HIP_PATH}}/cmake)\n{NEEDS}",
        f"list(APPEND CMAKE_MODULE_PATH /opt/rocm/hip/cmake)\n{NEEDS}",
    ],
)
def test_module_in_the_old_folder_alone_is_found(text: str) -> None:
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"{PATH}list(APPEND CMAKE_MODULE_PATH ${{HIP_PATH}}/cmake)\nfind_package(HIP)\n",
        f"{PATH}list(APPEND CMAKE_MODULE_PATH ${{HIP_PATH}}/cmake /opt/rocm/lib/cmake/hip)\n{NEEDS}",
        f"{PATH}set(HIP_PATH /opt/rocm)\nlist(APPEND CMAKE_MODULE_PATH ${{HIP_PATH}}/cmake)\n{NEEDS}",
        f"{PATH}if(EXISTS ${{HIP_PATH}})\nlist(APPEND CMAKE_MODULE_PATH ${{HIP_PATH}}/cmake)\nendif()\n{NEEDS}",
        f"list(APPEND CMAKE_MODULE_PATH cmake)\n{NEEDS}",
    ],
)
def test_search_that_is_not_required_or_has_another_place_is_none(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("project(x CXX CUDA)\nif(WITH_GPU)\nelse()\nhip_add_library(x a.cu)\nendif()\n", 1),
        ("find_package(CUDA 6.5)\nif(WITH_GPU)\nelse()\nhip_add_library(x a.cu)\nendif()\n", 0),
        ("project(x CXX CUDA)\nif(WITH_GPU)\nelse()\nadd_library(x a.cpp)\nendif()\n", 0),
        ("project(x CXX)\nif(WITH_GPU)\nenable_language(CUDA)\nelse()\nhip_add_library(x a.cu)\nendif()\n", 0),
    ],
)
def test_cuda_enabled_where_targets_for_hip_are_chosen(text: str, many: int) -> None:
    assert len(list(cmake_flow.enabled_for_both(cmake.read(text.encode())))) == many
