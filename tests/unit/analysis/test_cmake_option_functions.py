"""Functions of CMake projects that give their arguments to a compiler, over the files of a tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.analysis import cmake_option_functions
from cudamigrate.config import Config
from cudamigrate.model.cmake_facts import OptionFunction
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.syntax import cmake

CUDA = "target_compile_options(${t} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:%s>)\n"


def functions(*files: str) -> dict[str, OptionFunction]:
    """What the functions of some files do."""
    return cmake_option_functions.functions({f"{at}.cmake": cmake.read(one.encode()) for at, one in enumerate(files)})


@pytest.mark.parametrize(
    ("body", "nvcc"),
    [
        (CUDA % "${x}", True),
        (CUDA % "${ARGN}", True),
        ("foreach(f ${x})\n" + CUDA % "${f}" + "endforeach()\n", True),
        ("foreach(f IN LISTS x)\n" + CUDA % "${f}" + "endforeach()\n", True),
        ('string(REPLACE ";" " " s "${x}")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${s}" PARENT_SCOPE)\n', True),
        ('list(JOIN x " " s)\nstring(APPEND CMAKE_CUDA_FLAGS_RELEASE " ${s}")\n', True),
        ('cmake_parse_arguments(A "" "ONE" "FLAGS;MORE" ${ARGN})\n' + CUDA % "${A_FLAGS}", True),
        ("target_compile_options(${t} PRIVATE ${x})\n", False),
        ("add_compile_options(${x})\n", False),
        ("set_target_properties(${t} PROPERTIES COMPILE_FLAGS ${x})\n", False),
        ("target_compile_options(${t} PRIVATE $<$<COMPILE_LANGUAGE:CUDA,CXX>:${x}>)\n", False),
        ("target_compile_options(${t} PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${x}>)\n", False),
        (CUDA % "${x}" + "add_compile_options(${x})\n", False),
    ],
)
def test_arguments_are_followed_to_a_compiler(body: str, nvcc: bool) -> None:
    assert functions(f"function(give t x)\n{body}endfunction()\n") == {"give": OptionFunction(nvcc, 2)}


@pytest.mark.parametrize(
    "body",
    [
        'message("${x}")\n',
        CUDA % "${y}",
        "target_link_libraries(${t} ${x})\n",
        "target_compile_options(${t} PRIVATE -O3)\n",
    ],
)
def test_a_function_that_gives_them_to_none_is_left(body: str) -> None:
    assert functions(f"function(give t x)\n{body}endfunction()\n") == {}


def test_a_function_of_another_file_may_be_between() -> None:
    inner, outer = f"macro(inner t x)\n{CUDA % '${x}'}endmacro()\n", "function(Outer x)\ninner(a ${x})\nendfunction()\n"
    assert functions(outer, inner) == {"inner": OptionFunction(True, 2), "outer": OptionFunction(True, 1)}


def test_the_options_of_a_call_in_another_file_are_converted(tmp_path: Path) -> None:
    top = "cmake_minimum_required(VERSION 3.21)\nproject(a LANGUAGES CXX CUDA)\ninclude(give.cmake)\n"
    calls = 'add_library(k k.cu)\ngive(k "-lineinfo;--use_fast_math")\nsay(k -lineinfo)\n'
    body = f"function(give t x)\n{CUDA % '${x}'}endfunction()\nfunction(say t x)\nmessage(${{x}})\nendfunction()\n"
    written(tmp_path, {"CMakeLists.txt": top + calls, "give.cmake": body, "k.cu": "__global__ void k() {}\n"})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config()).conversions}
    assert 'give(k "-gline-tables-only;-fgpu-approx-transcendentals;' in made["CMakeLists.txt"]
    assert "say(k -lineinfo)" in made["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ("give(k --extended-lambda)", 'give(k "")'),
        ("give(k -lineinfo)", "give(k -gline-tables-only)"),
        ("give(k --use_fast_math)", "give(k --use_fast_math)"),
        ("give(k -O2 --extended-lambda -lineinfo)", "give(k -O2 -gline-tables-only)"),
    ],
)
def test_an_argument_that_a_function_declares_stays_one(call: str, made: str) -> None:
    text = f"function(give t x)\n{CUDA % '${x} ${ARGN}'}endfunction()\n"
    after = find_in_text(f"{text}{call}\n", "CMakeLists.txt").after
    assert after.splitlines()[-1] == made
