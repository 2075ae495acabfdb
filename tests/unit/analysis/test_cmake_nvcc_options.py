"""CMake: options in a variable are nvcc's where nvcc alone gets what the variable holds."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "project(p LANGUAGES CXX CUDA)\nadd_library(p a.cu b.cpp)\nadd_library(q a.cu)\n"
GIVEN = "target_compile_options(p PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${OPTS}>)\n"
DEBUG = "-g -O0"


def after(text: str, head: str = HEAD) -> str:
    return find_in_text(head + text, "CMakeLists.txt").after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"set(OPTS -G)\n{GIVEN}", f"set(OPTS {DEBUG})\n"),
        (f"if(X)\n  list(APPEND OPTS -G)\nendif()\n{GIVEN}", f"list(APPEND OPTS {DEBUG})\n"),
        (f'set(MORE -G)\nset(OPTS ${{MORE}} -DA)\nlist(APPEND OPTS "${{OPTS}}")\n{GIVEN}', f"set(MORE {DEBUG})\n"),
        ("set(OPTS -G)\ntarget_compile_options(q PRIVATE ${OPTS})\n", f"set(OPTS {DEBUG})\n"),
        ('set(OPTS "-G")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${OPTS}")\n', f'set(OPTS "{DEBUG}")\n'),
        ("set_property(TARGET q PROPERTY COMPILE_OPTIONS -G)\n", f"COMPILE_OPTIONS {DEBUG})\n"),
        ("set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -G)\n", f'COMPILE_FLAGS "{DEBUG}")\n'),
    ],
)
def test_what_nvcc_alone_gets_is_converted(text: str, expected: str) -> None:
    assert expected in after(text)


@pytest.mark.parametrize(
    "text",
    [
        "set(OPTS -G)\n",  # nothing reads it here
        f"set(OPTS -G)\ntarget_compile_options(p PRIVATE ${{OPTS}})\n{GIVEN}",
        "set(OPTS -G)\ntarget_compile_options(p PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${OPTS}>)\n",
        "set(OPTS -G Ninja)\nexecute_process(COMMAND cmake ${OPTS} ..)\n",
        f"set(OPTS -G)\nset(CMAKE_CXX_FLAGS ${{OPTS}})\n{GIVEN}",
        "set_property(TARGET p PROPERTY COMPILE_OPTIONS -G)\n",
        "set_property(TARGET q PROPERTY LINK_FLAGS -G)\n",
        "add_compile_options(-G)\n",
    ],
)
def test_what_another_program_may_get_stays(text: str) -> None:
    assert text.splitlines()[0] in after(text)


def test_a_folder_of_sources_for_the_gpu_alone_gives_them_its_options() -> None:
    head = "project(q LANGUAGES CUDA)\nadd_library(q a.cu)\n"
    assert f"add_compile_options({DEBUG})\n" in after("add_compile_options(-G)\n", head)
    assert "add_compile_options(-G)\n" in after("add_compile_options(-G)\nadd_subdirectory(tests)\n", head)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("-DCMAKE_CUDA_FLAGS=-G", '"-DCMAKE_HIP_FLAGS=-g -O0"'),
        ("-DCMAKE_CUDA_FLAGS_DEBUG:STRING=-G -DX=1", '"-DCMAKE_HIP_FLAGS_DEBUG:STRING=-g -O0" -DX=1'),
        ('"-DCMAKE_CUDA_FLAGS=-G -DA"', '"-DCMAKE_HIP_FLAGS=-g -O0 -DA"'),
        ("-DCMAKE_CUDA_FLAGS=--extended-lambda -DX=1", "-DCMAKE_HIP_FLAGS= -DX=1"),
        ("-DCMAKE_CUDA_FLAGS=${CMAKE_CUDA_FLAGS}", "-DCMAKE_HIP_FLAGS=${CMAKE_HIP_FLAGS}"),
        ("-DMY_FLAGS=-G", "-DMY_FLAGS=-G"),
        ("-DCMAKE_CXX_FLAGS=-G", "-DCMAKE_CXX_FLAGS=-G"),
    ],
)
def test_options_for_another_run_of_cmake_are_one_argument(given: str, expected: str) -> None:
    for command in (f"ExternalProject_Add(e CMAKE_ARGS {given})\n", f"set(args {given})\n"):
        assert command.replace(given, expected) in after(command)
