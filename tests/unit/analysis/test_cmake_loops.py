"""CMake: loops over GPUs, of which AMD's are named once."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

PROJECT = "cmake_minimum_required(VERSION 3.21)\nproject(app CUDA)\n"
AMD = "--offload-arch=gfx90a --offload-arch=gfx942"
TARGET = "set(CMAKE_BUILD_TYPE Release)\nadd_library(k k.cpp)\n"
LIST = AMD.replace(" ", ";")


def after(text: str) -> str:
    made = find_in_text(PROJECT + text, "CMakeLists.txt").after
    return made.removeprefix(PROJECT.replace("CUDA", "HIP"))


@pytest.mark.parametrize(
    ("adds", "becomes"),
    [
        (
            'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -gencode arch=compute_${gpu},code=sm_${gpu}")',
            f'set(CMAKE_HIP_FLAGS "${{CMAKE_HIP_FLAGS}} {AMD}")',
        ),
        (
            'string(APPEND CMAKE_CUDA_FLAGS " -gencode=arch=compute_${gpu},code=sm_${gpu} -O3")',
            f'string(APPEND CMAKE_HIP_FLAGS " {AMD} -O3")',
        ),
        ("list(APPEND GPUS -gencode arch=compute_${gpu},code=sm_${gpu})", f"list(APPEND GPUS {AMD})"),
        ('list(APPEND GPUS "-gencode;arch=compute_${gpu},code=sm_${gpu}")', f'list(APPEND GPUS "{LIST}")'),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-gencode=arch=compute_${gpu},code=sm_${gpu}>)",
            f'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:{LIST}>")',
        ),
    ],
)
def test_a_loop_that_only_adds_an_option_for_each_gpu_goes(adds: str, becomes: str) -> None:
    text = f"foreach(gpu ${{NUMBERS}})\n  # one each\n  {adds}\nendforeach()\n{TARGET}"
    assert after(text) == f"# one each\n{becomes}\n{TARGET}"


def test_a_second_option_and_a_second_loop_add_nothing_more() -> None:
    text = (
        "foreach(gpu 70 80)\n  list(APPEND GPUS -gencode arch=compute_${gpu},code=sm_${gpu})\n"
        "  list(APPEND GPUS -gencode arch=compute_${gpu},code=compute_${gpu})\nendforeach()\n"
        "foreach(gpu IN ITEMS 90)\n  list(APPEND GPUS -gencode=arch=compute_${gpu},code=sm_${gpu})\nendforeach()\n"
    )
    assert after(text) == f"list(APPEND GPUS {AMD})\n"


def test_what_else_depends_on_the_turn_stays_in_its_loop() -> None:
    ahead = "  list(APPEND GPUS -gencode arch=compute_${gpu},code=sm_${gpu})\n"
    other = "  list(APPEND SHOWN sm_${gpu})\n"
    left = f"list(APPEND GPUS {AMD})\n"
    kept = f"foreach(gpu 70 80)\n{other}endforeach()\n"
    assert after(f"foreach(gpu 70 80)\n{ahead}{other}endforeach()\n") == left + kept
    assert after(f"foreach(gpu 70 80)\n{other}{ahead}endforeach()\n") == kept + left
    between = after(f"foreach(gpu 70 80)\n{other}{ahead}{other}endforeach()\n")
    assert between == f"foreach(gpu 70 80)\n{other}  {left}{other}endforeach()\n"


def test_a_number_that_the_loop_works_out_is_of_its_turn() -> None:
    text = (
        'foreach(gpu 7.0 8.0)\n  string(REPLACE "." "" number ${gpu})\n'
        "  list(APPEND GPUS -gencode arch=compute_${number},code=sm_${number})\nendforeach()\n"
    )
    made = after(text)
    assert made.endswith(f"endforeach()\nlist(APPEND GPUS {AMD})\n")
    assert "gencode" not in made


@pytest.mark.parametrize(
    "text",
    [
        "foreach(each one two)\n  target_compile_options(${each} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-arch=sm_70>)\n",
        "foreach(each one two)\n  list(APPEND GPUS -arch=sm_70)\n  list(APPEND GPUS ${each})\n",
        "foreach(gpu 70 80)\n  if(gpu GREATER WANTED)\n"
        "    list(APPEND GPUS -gencode arch=compute_${gpu},code=sm_${gpu})\n  endif()\n",
        "foreach(gpu 70 80)\n  set(FLAGS_${gpu} -gencode arch=compute_${gpu},code=sm_${gpu})\n",
        "foreach(gpu 70 80)\n  list(APPEND CUDA_FLAGS_${gpu} -gencode arch=compute_${gpu},code=sm_${gpu})\n",
        "foreach(gpu 70 80)\n  list(APPEND GPUS -gencode arch=compute_${gpu},code=sm_${gpu})\n"
        "  build(${gpu} ${GPUS})\n",
    ],
)
def test_what_is_done_in_each_turn_stays(text: str) -> None:
    made = after(text + "endforeach()\n")
    assert made.startswith("foreach(") and made.endswith("endforeach()\n")
    assert made.count("\n") == text.count("\n") + 1


@pytest.mark.parametrize("head", ["gpu ${CMAKE_CUDA_ARCHITECTURES}", "gpu IN LISTS CMAKE_CUDA_ARCHITECTURES"])
def test_the_project_s_list_names_amd_s_gpus(head: str) -> None:
    text = f'foreach({head})\n  list(APPEND GPUS "-gencode=arch=compute_${{gpu}},code=sm_${{gpu}}")\nendforeach()\n'
    renamed = head.replace("CUDA", "HIP")
    assert after(text) == f'foreach({renamed})\n  list(APPEND GPUS "--offload-arch=${{gpu}}")\nendforeach()\n'


def test_a_list_whose_names_the_file_works_on_is_not_amd_s() -> None:
    text = (
        "list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 50)\nforeach(gpu ${CMAKE_CUDA_ARCHITECTURES})\n"
        "  list(APPEND GPUS -gencode=arch=compute_${gpu},code=sm_${gpu})\nendforeach()\n"
    )
    assert after(text) == f"list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 50)\nlist(APPEND GPUS {AMD})\n"
