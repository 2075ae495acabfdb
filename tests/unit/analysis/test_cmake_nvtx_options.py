"""NVTX among options that only compile, which becomes a library that has to be linked."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cmake
from cudamigrate.model import SourceFile


def options(text: str) -> list[str]:
    uses = cmake.parse(SourceFile("CMakeLists.txt", text.encode(), "cmake")).uses
    return [use.name for use in uses if use.name.startswith("-lnv")]


@pytest.mark.parametrize(
    "text",
    [
        "target_compile_options(a PRIVATE --use_fast_math -lnvToolsExt)",
        "add_compile_options(-lnvToolsExt)",
        "set(F -lnvToolsExt)\ntarget_compile_options(a PRIVATE ${F})",
    ],
)
def test_option_that_only_compiles_links_nothing(text: str) -> None:
    assert options(text) == ["-lnvToolsExt:compiling"]


@pytest.mark.parametrize(
    "text",
    [
        "target_link_options(a PRIVATE -lnvToolsExt)",
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -lnvToolsExt")',
        "set(F -lnvToolsExt)\ntarget_compile_options(a PRIVATE ${F})\ntarget_link_libraries(a ${F})",
        "target_compile_options(a PRIVATE -lnvToolsExt)\ntarget_link_libraries(a CUDA::nvToolsExt)",
    ],
)
def test_option_that_links_or_a_library_linked_beside_is_plain(text: str) -> None:
    assert options(text) == ["-lnvToolsExt"]
