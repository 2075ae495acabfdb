"""What calls of a project's own CMake functions give compilers."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags, cmake_calls
from cudamigrate.syntax import cmake

HEAD = "function(give target)\n"
PARSED = 'function(give name)\n  cmake_parse_arguments(A "FAST" "SIZE" "DEFINES" ${ARGN})\n'


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        (HEAD + "target_compile_definitions(${target} PRIVATE ${ARGN})\nendfunction()\ngive(a X=1 Y)\n", ["X=1", "Y"]),
        ("macro(give t d)\ntarget_compile_options(${t} PRIVATE -D${d})\nendmacro()\ngive(a X=1)\n", ["X=1"]),
        (PARSED + "add_compile_definitions(S=${A_SIZE} ${A_DEFINES})\nendfunction()\ngive(a SIZE 4 DEFINES X Y)\n",
         ["S=4", "X", "Y"]),
        (PARSED + "if(A_FAST)\nadd_compile_definitions(F)\nelse()\nadd_compile_definitions(G)\nendif()\nendfunction()\n"
         "give(a FAST)\n", ["F"]),
        (PARSED + "if(NOT A_FAST)\nadd_compile_definitions(G)\nendif()\nendfunction()\ngive(a)\n", ["G"]),
        (HEAD + "foreach(d ${ARGN})\nlist(APPEND all P_${d})\nendforeach()\nadd_compile_definitions(${all})\n"
         "endfunction()\ngive(a X Y)\n", ["P_X", "P_Y"]),
        ("function(inner t)\nadd_compile_definitions(${ARGN})\nendfunction()\n" + HEAD
         + "inner(${target} ${ARGN} Z)\nendfunction()\ngive(a X)\n", ["X", "Z"]),
        (HEAD + "add_compile_definitions(N=${SIZE_OF_NOBODY})\nendfunction()\ngive(a)\n", []),
        (HEAD + "add_compile_definitions(${ARGN})\nendfunction()\n", []),
        (HEAD + "give(${target} ${ARGN} ${ARGN})\nendfunction()\ngive(a X)\n", []),
        ("function(set_defines)\nmessage(${ARGN})\nendfunction()\nset_defines(X=1)\n", []),
    ],
)  # fmt: skip
def test_what_a_call_gives(text: str, defines: list[str], tmp_path: Path) -> None:
    written(tmp_path, {"CMakeLists.txt": f"project(p LANGUAGES CXX CUDA)\n{text}add_library(a a.cu)\n", "a.cu": ""})
    settings = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert list(settings.defines) == defines


def test_a_function_of_another_file_is_known_and_one_of_two_is_not(tmp_path: Path) -> None:
    give = HEAD + "target_compile_definitions(${target} PRIVATE ${ARGN})\nendfunction()\n"
    tree = {"cmake/give.cmake": give, "src/CMakeLists.txt": "add_library(a a.cu)\ngive(a X=1)\n", "src/a.cu": ""}
    written(tmp_path, {"CMakeLists.txt": "project(p CUDA)\nadd_subdirectory(src)\n", **tree})
    assert list(build_flags.read(tmp_path).settings(str(tmp_path / "src/a.cu")).defines) == ["X=1"]
    written(tmp_path, {"old/give.cmake": give.replace("PRIVATE", "PRIVATE OLD")})
    assert list(build_flags.read(tmp_path).settings(str(tmp_path / "src/a.cu")).defines) == []


def test_a_macro_that_two_calls_give_two_values_is_not_known(tmp_path: Path) -> None:
    text = (
        HEAD
        + "target_compile_definitions(${target} PRIVATE SIZE=${ARGN} MODE=1)\nendfunction()\ngive(a 1)\ngive(b 2)\n"
    )
    written(tmp_path, {"CMakeLists.txt": f"project(p CUDA)\n{text}", "a.cu": ""})
    settings = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert settings.open == {"SIZE"} and "MODE=1" in settings.defines


def test_lists_that_double_end(tmp_path: Path) -> None:
    text = HEAD + 'set(x "a;b")\n' + "set(x ${x} ${x})\n" * 60 + "add_compile_definitions(${x})\nendfunction()\n"
    known = cmake_calls.functions([text])
    assert len(cmake_calls.with_calls(cmake.read(b"give(a)\n"), known)) == 2
