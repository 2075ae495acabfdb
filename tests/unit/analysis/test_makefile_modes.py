"""Variables of Makefiles whose words are no commands: ways to build, and options for MATLAB's mex."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_modes, makefile_variables

MODE = "METHOD ?= $(if $(DNN),nvcc,mex)\nifeq ($(METHOD),mex)\na.o: a.cu\n\tmex a.cu\nendif\n"


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (MODE, True),
        (MODE + "info:\n\t@echo METHOD=$(METHOD)\n", True),
        (MODE + "b.o: b.cu\n\t$(METHOD) -c b.cu\n", False),  # a command as well
        (MODE + "TOOL = $(METHOD)\nb.o: b.cu\n\t$(TOOL) -c b.cu\n", False),
        ("METHOD = nvcc\n", False),
    ],
)
def test_a_variable_that_only_conditions_read_is_a_mode(text: str, mode: bool) -> None:
    variables = makefile_variables.read("Makefile", {"Makefile": text.encode()})
    assert makefile_modes.is_mode(variables, "METHOD") is mode


FLAGS = (
    "MEX = $(ROOT)/bin/mex\nFLAGS = -O $(CUDA_FLAGS)\na.o: a.cu\n\tNVCC_PATH='$(NVCC)' \\\n\t$(MEX) -c $(FLAGS) a.cu\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FLAGS, True),
        (FLAGS + "b.o: b.cu\n\tnvcc $(CUDA_FLAGS) -c b.cu\n", False),
        (FLAGS.replace("bin/mex", "bin/mexico"), False),
        ("CUDA_FLAGS = -G # mex\n", False),  # nothing reads it
    ],
)
def test_options_are_for_mex_where_no_other_command_gets_them(text: str, expected: bool) -> None:
    variables = makefile_variables.read("Makefile", {"Makefile": text.encode()})
    assert makefile_modes.for_mex(variables, "CUDA_FLAGS") is expected
