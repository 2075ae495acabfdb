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


ENABLED = "macro(with_gpu)\n  if(P_DEVICE STREQUAL CUDA)\n    enable_language(CUDA)\n  endif()\nendmacro()\n"
FUNCTION = """function(p_add_library NAME)
  if(P_DEVICE STREQUAL CUDA)
    add_library(${NAME} a.cu)
  else()
%s    add_library(${NAME} a.cu)
  endif()
endfunction()
"""
LOOP = """foreach(N ${S})
  get_filename_component(NEXT ${N} EXT)
  if(%s)
    set_source_files_properties(${N} PROPERTIES LANGUAGE CXX)
  endif()
endforeach()
"""


def places(text: str) -> int:
    result = find_in_text("project(p LANGUAGES CXX)\n" + text, "CMakeLists.txt")
    return [one.rule for one in result.findings].count("build/cmake-cu-sources")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (ENABLED + FUNCTION % "", 1),
        (ENABLED.replace("CUDA)\n    e", "CUDA AND WITH_GPU)\n    e") + FUNCTION % "", 1),
        (ENABLED.replace("if(P_DEVICE STREQUAL CUDA)", "if(NOT P_CPU)") + FUNCTION % "", 2),
        (ENABLED.replace("STREQUAL CUDA)", "STREQUAL CUDA OR P_ALL)") + FUNCTION % "", 2),
        (ENABLED + "set(P_DEVICE CPP)\n" + FUNCTION % "", 2),
        ("enable_language(CUDA)\n" + FUNCTION % "", 2),
    ],
)
def test_what_is_built_where_no_language_is_enabled_is_none(text: str, count: int) -> None:
    assert places(text) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (LOOP % 'NEXT STREQUAL ".cu"' + MAKES, 0),
        (LOOP % 'N MATCHES "\\\\.cu$"' + MAKES, 0),
        ((LOOP % 'NEXT STREQUAL ".cu"').replace("${S}", "IN LISTS S") + MAKES, 0),
        (LOOP % 'N MATCHES "slow"' + MAKES, 1),
        ((LOOP % 'NEXT STREQUAL ".cu"').replace("${S}", "${OTHER}") + MAKES, 1),
        ("if(P_CPU)\n" + LOOP % 'NEXT STREQUAL ".cu"' + "endif()\n" + MAKES, 1),
    ],
)
def test_a_loop_over_the_sources_tells_their_language(text: str, count: int) -> None:
    assert told(text) == count
