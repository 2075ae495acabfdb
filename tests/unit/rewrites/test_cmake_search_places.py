"""A package that several commands of a CMake file need is looked for once."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

MADE = "add_library(core core.cpp)\n"
LINKED = MADE + "target_link_libraries(core PUBLIC cudart CUDA::cublas)\n"
INCLUDED = "target_include_directories(core PUBLIC ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})\n"
LOOP = "foreach(one a b)\n  add_executable(${one} ${one}.cpp)\n  target_link_libraries(${one} cudart)\nendforeach()\n"


@pytest.mark.parametrize(
    ("text", "searches"),
    [
        ("project(app CXX CUDA)\n" + LINKED + INCLUDED + LOOP, {"hip": 1, "hipblas": 1}),
        ("project(app CXX)\nenable_language(CUDA)\n" + LINKED + LOOP, {"hip": 1, "hipblas": 1}),
        ("project(app CXX)\nif(GPU)\nenable_language(CUDA)\nendif()\n" + LINKED + LOOP, {"hip": 2, "hipblas": 1}),
    ],
)
def test_a_package_is_looked_for_where_the_language_is_enabled(text: str, searches: dict[str, int]) -> None:
    """Where the language is enabled under a condition, each command that needs the package has a search before it."""
    after = find_in_text(text, "CMakeLists.txt").after
    assert {name: after.count(f"find_package({name} REQUIRED)") for name in searches} == searches
    first = after.index("find_package(hip REQUIRED)")
    assert "HIP)" in after[:first] and first < after.index("target_link_libraries")
