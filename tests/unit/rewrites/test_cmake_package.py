"""`find_package(CUDA)` of a file that goes on without CUDA, and the language of its kernels."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

TRIED = "include(CheckLanguage)\ncheck_language(HIP)\nif(CMAKE_HIP_COMPILER)\n  enable_language(HIP)\nendif()\n"
OPTION = 'option(WITH_GPU "kernels" ON)\n'
BUILDS = "cuda_add_library(k k.cu)\n"
CHOSEN = f"if(WITH_GPU)\n{BUILDS}else()\nadd_library(k k.cpp)\nendif()\n"
REFUSED = f"if(NOT WITH_GPU)\nadd_library(k k.cpp)\nelse()\n{BUILDS}endif()\n"


@pytest.mark.parametrize(
    ("search", "rest", "tried"),
    [
        ("find_package(CUDA)\n", 'option(WITH_GPU "kernels" ${CUDA_FOUND})\n' + CHOSEN, True),
        ("find_package(CUDA)\n", OPTION + CHOSEN, True),
        ("find_package(CUDA QUIET)\n", OPTION + REFUSED, True),
        ("find_package(CUDA REQUIRED)\n", OPTION + CHOSEN, False),
        ("find_package(CUDA)\n", OPTION + BUILDS, False),
        ("find_package(CUDA)\n", OPTION + CHOSEN + BUILDS.replace("(k", "(more"), False),
        ("find_package(CUDA)\n", f"{OPTION}if(UNIX)\n{BUILDS}endif()\n", False),
        ("find_package(CUDA)\n", OPTION, None),
    ],
)
def test_language_of_what_an_option_chooses_is_enabled_where_it_is_found(
    search: str, rest: str, tried: bool | None
) -> None:
    """Without ROCm the file configures as before, where it does without CUDA."""
    after = find_in_text(f"project(app CXX)\n{search}{rest}", "CMakeLists.txt").after
    assert (TRIED in after) is (tried is True)
    assert ("enable_language(HIP)" in after) is (tried is not None)
