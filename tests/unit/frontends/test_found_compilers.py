"""Where nvcc is looked for, and the toolkit's folder that is worked out from it."""

from __future__ import annotations

from cudamigrate.pipeline.rule_tests import find_in_text


def after(text: str, name: str) -> str:
    return find_in_text(text, name, unsafe=True).after


def test_a_variable_of_a_script_that_commands_begin_with_holds_the_compiler() -> None:
    text = 'NVCC=$(which nvcc)\nOPT="-lineinfo"\n"$NVCC" $OPT a.cu\n'
    assert after(text, "run.sh") == 'NVCC=$(which hipcc)\nOPT="-gline-tables-only"\n"$NVCC" $OPT a.cu\n'


def test_a_script_that_only_asks_for_nvcc_is_left() -> None:
    text = 'NVCC=$(which nvcc)\nif [ -n "$NVCC" ]; then MORE="-lineinfo"; fi\n'
    assert after(text, "run.sh") == text
    assert [one.rule for one in find_in_text(text, "run.sh").findings] == ["environment/looks-for-nvidia"]


def test_the_folder_above_the_compiler_is_rocm_s() -> None:
    text = 'export CUDA_HOME="$(dirname $(dirname $(which nvcc)))"\n'
    assert after(text, "run.sh") == 'export ROCM_PATH="$(hipconfig --rocmpath)"\n'
    found = "$(shell dirname $(shell dirname $(shell which nvcc)))"
    text = f"CUDA_HOME ?= {found}\na: a.cu\n\tnvcc -L$(CUDA_HOME)/lib64 a.cu\n"
    made = "ROCM_PATH ?= $(shell hipconfig --rocmpath)\na: a.cu\n\thipcc -L$(ROCM_PATH)/lib a.cu\n"
    assert after(text, "Makefile") == made


def test_a_library_folder_of_another_program_stays() -> None:
    text = "MPI := $(shell dirname $(shell dirname $(shell which mpicc)))\na: a.cu\n\tnvcc -L$(MPI)/lib64 a.cu\n"
    assert after(text, "Makefile") == text.replace("nvcc", "hipcc")
