"""Where nvcc is looked for, and the toolkit's folder that is worked out from it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

GPUS = "--offload-arch=gfx90a --offload-arch=gfx942"


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


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("NVCC=nvcc\n$NVCC -arch=sm_80 a.cu\n", f"NVCC=hipcc\n$NVCC {GPUS} a.cu\n"),
        ('CC=${1:-nvcc}\n"$CC" -lineinfo a.cu\n', 'CC=${1:-hipcc}\n"$CC" -gline-tables-only a.cu\n'),
        ("NVCC=nvcc\nV=$($NVCC -arch=sm_80 --version | grep release)\n", ""),
        ("CC=gcc\nNAME=nvcc\n$CC -lineinfo a.c\necho $NAME\n", ""),
    ],
)
def test_a_variable_that_holds_the_compilers_name_is_the_compiler(text: str, made: str) -> None:
    assert after(text, "run.sh") == (made or text)


@pytest.mark.parametrize("held", ["nvcc", "${1:-nvcc}", "/usr/local/cuda/bin/nvcc", "gcc"])
def test_what_a_compiler_in_a_variable_prints_is_reported_where_it_is_read(held: str) -> None:
    text = f'N="{held}"\nV=$($N --version | grep release)\n'
    found = [one.rule for one in find_in_text(text, "run.sh").findings]
    assert ("environment/nvcc-output" in found) is held.endswith(("nvcc", "nvcc}"))


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ('"-arch=all"', f'"{GPUS}"'),
        ('-n "-O3 -gencode arch=compute_80,code=sm_80"', f'-n "-O3 {GPUS}"'),
        ('"-arch=all is for nvcc"', '"-arch=all is for nvcc"'),
        ('"-G -O3"', '"-G -O3"'),
    ],
)
def test_options_that_a_script_prints_for_another_are_converted(said: str, made: str) -> None:
    assert after(f"nvcc a.cu\necho {said}\n", "run.sh") == f"hipcc a.cu\necho {made}\n"


ROCM = "$(shell hipconfig --rocmpath)"
FOUND = "NVCC := $(shell which nvcc)\nBIN := $(dir $(NVCC))\n"


@pytest.mark.parametrize(
    "value",
    [
        "$(patsubst %/bin/nvcc,%,$(NVCC))",
        "$(realpath $(BIN)/..)",
        "$(BIN)..",
        "$(NVCC:/bin/nvcc=)",
        "$(shell dirname $(BIN))",
    ],
)
def test_the_folder_of_a_makefile_is_worked_out_over_variables(value: str) -> None:
    text = f"{FOUND}TOP = {value}\nCOPY = $(TOP)\na: a.o\n\t$(CXX) a.o -L$(TOP)/lib64 -L$(COPY)/lib64 -L$(BIN)/lib64\n"
    made = text.replace("which nvcc", "which hipcc").replace(value, ROCM).replace("(TOP)/lib64", "(TOP)/lib")
    assert after(text, "Makefile") == made.replace("(COPY)/lib64", "(COPY)/lib")


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("-L$(BIN)/../lib64", f"-L{ROCM}/lib"),
        ("-Wl,-rpath,$(BIN)../lib64", f"-Wl,-rpath,{ROCM}/lib"),
        ("-I$(dir $(NVCC))../include", f"-I{ROCM}/include"),
        ('-L"$(shell dirname $(shell which nvcc))/../lib64/stubs"', f'-L"{ROCM}/lib"'),
        ("-L$$(dirname $$(which nvcc))/../lib64", f"-L{ROCM}/lib"),
        ('-L"$(shell dirname $(NVCC))"/../lib64', f"-L{ROCM}/lib"),
        ("-L'$(BIN)'../lib64", "-L'$(BIN)'../lib64"),
        ('-L"$(shell dirname $(CXX))"/../lib64', '-L"$(shell dirname $(CXX))"/../lib64'),
        ("-L$(BIN)/lib64", "-L$(BIN)/lib64"),
        ("-L$(dir $(CXX))/../lib64", "-L$(dir $(CXX))/../lib64"),
        ("-L$(BIN)/../../lib64", "-L$(BIN)/../../lib64"),
    ],
)
def test_the_folder_within_a_command_is_too(word: str, made: str) -> None:
    text = f"{FOUND}a: a.o\n\tg++ a.o {word} -lm\n"
    assert after(text, "Makefile") == text.replace("which nvcc", "which hipcc", 1).replace(word, made)


def test_quotes_around_a_found_program_are_no_part_of_the_folder() -> None:
    text = 'CC = "$(shell which nvcc)"\nL = -lcudart -L"$(shell dirname $(CC))"/../lib64\na: a.o\n\tmpicxx a.o $(L)\n'
    made = f'CC = "$(shell which hipcc)"\nL = -lamdhip64 -L{ROCM}/lib\na: a.o\n\tmpicxx a.o $(L)\n'
    assert after(text, "Makefile") == made


def test_the_program_that_is_asked_for_may_be_a_variable() -> None:
    text = "CC = nvcc\nTOP = $(dir $(shell which $(CC)))..\na: a.cu\n\t$(CC) a.cu -L$(TOP)/lib64\n"
    made = f"CC = hipcc\nTOP = {ROCM}\na: a.cu\n\t$(CC) a.cu -L$(TOP)/lib\n"
    assert after(text, "Makefile") == made
    assert after(text.replace("= nvcc", "= mpicc"), "Makefile") == text.replace("= nvcc", "= mpicc")
    script = "CC=nvcc\nTOP=$(dirname $(dirname $(which $CC)))\n$CC a.cu\n"
    assert after(script, "run.sh") == "CC=hipcc\nTOP=$(hipconfig --rocmpath)\n$CC a.cu\n"


def test_a_variable_that_may_hold_another_folder_is_not_followed() -> None:
    text = f"{FOUND}ifdef OTHER\nBIN = /opt/other/bin\nendif\nTOP = $(BIN)/..\na: a.o\n\tg++ a.o -L$(TOP)/lib64\n"
    assert after(text, "Makefile") == text.replace("which nvcc", "which hipcc")
    loop = "A = $(B)/..\nB = $(A)/bin\na: a.o\n\tg++ a.o -L$(A)/lib64\n"
    assert after(loop, "Makefile") == loop


@pytest.mark.parametrize(
    "value", ['$(dirname $(dirname "$NVCC"))', "${NVCC%/bin/nvcc}", "${NVCC%/*/*}", "$(dirname ${NVCC%/*})"]
)
def test_the_folder_of_a_script_is_worked_out_over_variables(value: str) -> None:
    text = f'NVCC=$(which nvcc)\nTOP={value}\n"$NVCC" -lineinfo a.cu\ng++ a.o -L$TOP/lib64\n'
    made = text.replace("which nvcc", "which hipcc").replace(value, "$(hipconfig --rocmpath)")
    assert after(text, "run.sh") == made.replace("-lineinfo", "-gline-tables-only")
    assert "environment/cuda-home-libraries" in [one.rule for one in find_in_text(text, "run.sh").findings]


@pytest.mark.parametrize("value", ["${NVCC%.exe}", "${NVCC}", "$(dirname $OTHER)"])
def test_another_value_of_a_script_is_none(value: str) -> None:
    text = f'NVCC=$(which nvcc)\nTOP={value}\n"$NVCC" a.cu\ng++ a.o -L$TOP/lib64\n'
    assert after(text, "run.sh") == text.replace("which nvcc", "which hipcc")


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("-L$(dirname $(which nvcc))/../lib64", "-L$(hipconfig --rocmpath)/lib"),
        ('-L"$(dirname $(which nvcc))/../lib64"', '-L"$(hipconfig --rocmpath)/lib"'),
        ("-L`dirname $(which nvcc)`/../lib64/stubs", "-L$(hipconfig --rocmpath)/lib"),
        ("-I$(dirname $(dirname $(which nvcc)))/include", "-I$(hipconfig --rocmpath)/include"),
        ("-Wl,-rpath,$(dirname $(command -v nvcc))/../lib64", "-Wl,-rpath,$(hipconfig --rocmpath)/lib"),
        ("-L$(dirname $(which nvcc))/lib64", ""),  # below bin
        ("-L$(dirname $(which nvcc))/../../lib64", ""),  # above the toolkit
        ("-L$(dirname $(which mpicc))/../lib64", ""),
        ("-L$TOP/../lib64", ""),
    ],
)
def test_the_folder_within_a_word_of_a_script(word: str, made: str) -> None:
    assert after(f"g++ a.o {word} -lm\n", "run.sh") == f"g++ a.o {made or word} -lm\n"


def test_the_folder_within_a_value_of_a_script() -> None:
    text = "export LD_LIBRARY_PATH=$(dirname $(which nvcc))/../lib64:$LD_LIBRARY_PATH\nBIN=$(dirname $(which nvcc))\n"
    made = text.replace("$(dirname $(which nvcc))/../lib64", "$(hipconfig --rocmpath)/lib")
    assert after(text, "run.sh") == made
    assert after(f"{text}g++ a.o -L$BIN/../lib64\n", "run.sh") == f"{made}g++ a.o -L$(hipconfig --rocmpath)/lib\n"
