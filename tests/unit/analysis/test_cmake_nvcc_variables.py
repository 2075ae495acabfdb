"""Options in variables that nvcc alone gets, and in results of functions."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cmake
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text

FLAGS = 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${MORE}")\n'
GIVEN = 'function(give out)\n  set(${out} "-G -t 4" PARENT_SCOPE)\nendfunction()\ngive(MORE)\n'


def options(text: str) -> list[str]:
    """The options that are found in a file."""
    found = cmake.parse(SourceFile("CMakeLists.txt", text.encode(), "cmake")).uses
    return [text.encode()[use.extent.start : use.extent.end].decode() for use in found if use.kind == "option"]


@pytest.mark.parametrize(
    "text",
    [
        'set(MORE "-G -t 4")\n' + FLAGS,
        'list(APPEND MORE -G -t 4)\nlist(JOIN MORE " " TEXT)\nset(CMAKE_CUDA_FLAGS ${TEXT})\n',
        'set(MORE "-G -t 4")\nstring(APPEND OTHER " ${MORE}")\nset(CMAKE_CUDA_FLAGS "${OTHER}")\n',
        'set(MORE "-G -t 4")\ntarget_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${MORE}>)\n',
        'set(MORE "-G -t 4")\nmessage("${MORE}")\n' + FLAGS,
        GIVEN + FLAGS,
        GIVEN.replace("function", "macro").replace(" PARENT_SCOPE", "") + FLAGS,
    ],
)
def test_what_nvcc_alone_gets(text: str) -> None:
    assert options(text) == ["-G", "-t 4"]


@pytest.mark.parametrize(
    "text",
    [
        'set(MORE "-G -t 4")\n',
        'set(MORE "-G -t 4")\n' + FLAGS + 'set(CMAKE_CXX_FLAGS "${MORE}")\n',
        'set(MORE "-G -t 4")\n' + FLAGS + "add_compile_options(${MORE})\n",
        'set(MORE "-G -t 4")\n' + FLAGS + "execute_process(COMMAND ${CMAKE_COMMAND} ${MORE})\n",
        'set(MORE "-G -t 4")\ntarget_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA,CXX>:${MORE}>)\n',
        GIVEN + "give(OTHER)\n" + FLAGS + 'set(CMAKE_CXX_FLAGS "${OTHER}")\n',
        'function(pass list)\n  add_compile_options(${${list}})\nendfunction()\nset(MORE "-G -t 4")\npass(MORE)\n'
        + FLAGS,
    ],
)
def test_what_another_compiler_may_get(text: str) -> None:
    assert options(text) == []


LOOP = (
    "function(codes ids out)\n  foreach(id ${ids})\n"
    '    set(${out} "${${out}}-gencode=arch=compute_${id},code=sm_${id} ")\n  endforeach()\n'
    '  set(${out} "${${out}}" PARENT_SCOPE)\nendfunction()\ncodes("70;80" MORE)\n'
)


def test_an_option_right_behind_a_variable() -> None:
    assert "gencode" not in find_in_text(LOOP + FLAGS, "CMakeLists.txt").after


def test_a_word_behind_a_variable_that_is_no_option_of_nvcc() -> None:
    assert options('set(CMAKE_CUDA_FLAGS "-I${ROOT}-O3 -L${A}-Gold ${NAME}-fast")\n') == ["-I${ROOT}-O3", "-L${A}-Gold"]
