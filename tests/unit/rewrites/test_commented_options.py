"""Comments behind options: one goes with the options that it stands behind, and parts no options that are alike."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

AMD = "--offload-arch=gfx90a --offload-arch=gfx942"


def after(text: str, name: str) -> str:
    return find_in_text(text, name).after


def test_a_comment_between_options_for_gpus_parts_them_not() -> None:
    text = (
        "set(CUDA_FLAGS\n  -gencode arch=compute_70,code=sm_70 # Volta\n"
        "  -gencode arch=compute_75,code=sm_75 # Turing\n  -O3)\n"
    )
    assert after(text, "CMakeLists.txt") == f"set(CUDA_FLAGS\n  {AMD} # Volta\n  -O3)\n"


def test_a_comment_on_a_command_that_goes_goes_too() -> None:
    adds = "list(APPEND GPUS -gencode arch=compute_70,code=sm_70)"
    assert after(f"{adds} # Volta\n{adds} # Turing\n", "CMakeLists.txt") == f"list(APPEND GPUS {AMD}) # Volta\n"


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        ("CMakeLists.txt", "set(CUDA_FLAGS -O3\n  --extended-lambda # lambdas\n  -g)\n", "set(CUDA_FLAGS -O3\n  -g)\n"),
        (
            "CMakeLists.txt",
            "set(CUDA_FLAGS -O3\n  --extended-lambda -Wall # both\n  -g)\n",
            "set(CUDA_FLAGS -O3\n  -Wall # both\n  -g)\n",
        ),
        ("CMakeLists.txt", "set(CUDA_FLAGS\n  --extended-lambda # lambdas\n)\n", 'set(CUDA_FLAGS\n  "" # lambdas\n)\n'),
        ("Makefile", "NVCCFLAGS += --extended-lambda # lambdas\n", "NVCCFLAGS +=\n"),
        ("Makefile", "NVCCFLAGS += -O3 --extended-lambda # fast\n", "NVCCFLAGS += -O3 # fast\n"),
        (
            "Makefile",
            "NVCCFLAGS = -O3 \\\n  --extended-lambda # lambdas\nX = 1\n",
            "NVCCFLAGS = -O3 # lambdas\nX = 1\n",
        ),
    ],
)
def test_a_comment_goes_with_all_options_of_its_line(name: str, before: str, expected: str) -> None:
    assert after(before, name) == expected


def test_options_in_an_array_of_a_script_are_read_and_converted() -> None:
    text = (
        "FLAGS=(\n  -gencode arch=compute_70,code=sm_70 # Volta\n  -gencode arch=compute_75,code=sm_75 # Turing\n"
        "  --extended-lambda # lambdas\n  -O3)\nFLAGS+=(-lineinfo)\n"
    )
    made = after(text + 'nvcc "${FLAGS[@]}" a.cu\n', "build.sh")
    assert made == f'FLAGS=(\n  {AMD} # Volta\n  -O3)\nFLAGS+=(-gline-tables-only)\nhipcc "${{FLAGS[@]}}" a.cu\n'
    other = text.replace("FLAGS", "WORDS") + 'nvcc "$X" a.cu\nship "${WORDS[@]}"\n'
    assert after(other, "build.sh") == other.replace("nvcc", "hipcc")


FIND = "find_package(CUDA REQUIRED)\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(
            "-O3;\\\n  -gencode=arch=compute_52,code=sm_52;\\ \n  -gencode=arch=compute_61,code=sm_61,\\\n"
            "  -gencode=arch=compute_61,code=compute_61",
            f"-O3;\\\n  {AMD}",
            id="a blank that is escaped",
        ),
        pytest.param(
            "-gencode=arch=compute_52,code=sm_52;\\ \n  -gencode=arch=compute_61,code=sm_61;\\ \n  -DN=1",
            f"{AMD};\\ \n  -DN=1",
            id="an option that stays behind it",
        ),
        pytest.param(
            "-DN=\\\\ -gencode=arch=compute_52,code=sm_52", f"-DN=\\\\ {AMD}", id="a backslash that is escaped"
        ),
    ],
)
def test_a_blank_behind_a_backslash_parts_options_of_cmake(value: str, expected: str) -> None:
    made = after(f'{FIND}set(CUDA_NVCC_FLAGS "{value}")\ncuda_add_executable(a a.cu)\n', "CMakeLists.txt")
    assert f'"{expected}")' in made
