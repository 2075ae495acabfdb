"""Which sources that end in `.cu` a command of the file gives the language already."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "project(p LANGUAGES CXX CUDA)\nfile(GLOB S src/*.cu src/*.cpp)\n"
MAKES = "add_library(k STATIC ${S})\n"
COPY = "set(T ${S})\n"
TOLD = "set_source_files_properties(${%s} PROPERTIES LANGUAGE CUDA)\n"
NARROWED = 'list(FILTER %s INCLUDE REGEX ".*/[^/]+\\\\.cpp$")\n'


def told(text: str) -> int:
    result = find_in_text(HEAD + text, "CMakeLists.txt")
    return [one.rule for one in result.findings].count("build/cmake-cu-sources")


@pytest.mark.parametrize(
    "text",
    [
        MAKES + COPY + NARROWED % "T" + TOLD % "T",
        MAKES + NARROWED % "S" + TOLD % "S",
        MAKES + COPY + 'list(FILTER T EXCLUDE REGEX "\\\\.cu$")\n' + TOLD % "T",
        MAKES + COPY + 'list(FILTER T INCLUDE REGEX "_gpu\\\\.cu$")\n' + TOLD % "T",
        MAKES + COPY + "list(REMOVE_ITEM T src/a.cu)\n" + TOLD % "T",
        MAKES + COPY + "set(T main.cpp)\n" + TOLD % "T",
        MAKES + COPY + "file(GLOB T src/*.cpp)\n" + TOLD % "T",
    ],
)
def test_what_lost_the_sources_for_the_gpu_does_not_tell_their_language(text: str) -> None:
    assert told(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        MAKES + COPY + TOLD % "T",
        MAKES + TOLD % "S",
        NARROWED % "S" + MAKES + COPY + TOLD % "T",
        MAKES + COPY + 'list(FILTER T INCLUDE REGEX "\\\\.cu$")\n' + TOLD % "T",
        MAKES + COPY + 'list(FILTER T EXCLUDE REGEX "\\\\.cpp$")\n' + TOLD % "T",
        MAKES + COPY + "list(REMOVE_ITEM T src/main.cpp)\n" + TOLD % "T",
        MAKES + COPY + "list(APPEND T more.cpp)\n" + TOLD % "T",
        MAKES + COPY + "set(T ${T} more.cpp)\n" + TOLD % "T",
    ],
)
def test_what_still_holds_them_does(text: str) -> None:
    assert told(text) == 0
