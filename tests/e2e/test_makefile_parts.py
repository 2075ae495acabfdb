"""Makefiles put together from parts, converted: `make -n` gives hipcc only options that it knows, or they are reported.

Each Makefile names its compiler, its GPUs, its options, what holds them, its libraries and its rules in one of the ways
seen in public ones. Which parts meet is drawn with a fixed seed; every part is in several Makefiles.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text
from tests.e2e.test_makefiles import GPUS, SWITCHES, calls, refused

COMPILERS = (
    ("NVCC = nvcc", "$(NVCC)"),
    ("NVCC ?= nvcc", "$(NVCC)"),
    ("CUDA_PATH ?= /usr/local/cuda\nNVCC := $(CUDA_PATH)/bin/nvcc", "$(NVCC)"),
    ("CC := nvcc", "$(CC)"),
    ("CXX = nvcc -ccbin g++", "$(CXX)"),
    ("NVCC = ccache nvcc -m64", "${NVCC}"),
    ("ifeq ($(CUDA_HOME),)\nNVCC = nvcc\nelse\nNVCC = $(CUDA_HOME)/bin/nvcc\nendif", "$(NVCC)"),
    ("", "nvcc"),
)
ARCHITECTURES = (
    ("", ""),
    ("", "-arch=native"),
    ("", "-arch sm_61"),
    ("ARCH = sm_70", "-arch=$(ARCH)"),
    ("ARCH ?= sm_80", "--gpu-architecture $(ARCH)"),
    ("SM = 75", "-arch=sm_$(SM)"),
    ("SM := 60", "-gencode arch=compute_$(SM),code=sm_$(SM)"),
    (
        "GENCODE = -gencode arch=compute_70,code=sm_70 \\\n  -gencode arch=compute_80,code=[sm_80,compute_80]",
        "$(GENCODE)",
    ),
    ('GENCODE := -gencode=arch=compute_52,code=\\"sm_52,compute_52\\"', "${GENCODE}"),
    ("TARGET = --gpu-architecture=compute_70 --gpu-code=sm_70,sm_75", "$(TARGET)"),
    ("ifdef FAST\nARCH = sm_90\nelse\nARCH = sm_70\nendif", "-arch=$(ARCH)"),
    ("SMS = 70 80", "$(foreach sm,$(SMS),-gencode arch=compute_$(sm),code=sm_$(sm))"),
)
OPTIONS = (
    "-O3 --use_fast_math -lineinfo",
    "-Xcompiler -fPIC,-Wall -Xptxas -v",
    '--compiler-options "-Wall -O2" --expt-relaxed-constexpr',
    "-rdc=true -DN=4",
    "-maxrregcount=64 --ptxas-options=-v,-O3",
    "-std=c++17 -G -g",
    "--extended-lambda --default-stream=per-thread -Wno-deprecated-gpu-targets",
    "-ftz=true -prec-div=false -fmad=true",
    "--threads 0 -res-usage",
    "-Xcudafe --display_error_number -w",
)
HOLDERS = (
    "NVCCFLAGS = {}",
    "NVCCFLAGS := {}",
    "NVCCFLAGS ?= {}",
    "NVCCFLAGS += {}",
    "COMMON = {}\nNVCCFLAGS = $(COMMON) -Iinclude",
    "ifeq ($(dbg),1)\nNVCCFLAGS += -g -G\nendif\nNVCCFLAGS += {}",
    "NVCCFLAGS = $(strip {})",
    "app a.o b.o: NVCCFLAGS = {}",
)
LIBRARIES = (
    "",
    "-lcudart -lcublas",
    "-L/usr/local/cuda/lib64 -lcufft -lcurand",
    "-cudart shared -lcusparse -lm",
    "-lcudadevrt -lcuda -lcusolver",
)
RULES = (
    "app: a.o b.o\n\t{0} $(NVCCFLAGS) {1} $^ -o $@ {2}\n%.o: %.cu\n\t{0} $(NVCCFLAGS) {1} -c $< -o $@\n",
    "app: a.cu b.cu\n\t{0} {1} $(NVCCFLAGS) -o $@ $^ {2}\n",
    "app: a.cu\n\t@echo app && {0} $(NVCCFLAGS) {1} a.cu -o app {2}\n",
    ".SUFFIXES: .cu\nall: app\napp: a.o\n\t{0} {1} -o $@ a.o {2}\n.cu.o:\n\t{0} {1} $(NVCCFLAGS) -c $<\n",
    "OBJ = $(patsubst %.cu,%.o,a.cu b.cu)\napp: $(OBJ)\n\t{0} {1} $(NVCCFLAGS) $(OBJ) {2} -o app\n"
    "$(OBJ): %.o: %.cu\n\t{0} {1} $(NVCCFLAGS) --compile $< -o $@\n",
)
AXES = (COMPILERS, ARCHITECTURES, OPTIONS, HOLDERS, LIBRARIES, RULES)
COUNT = 72


def makefiles() -> list[str]:
    """Their texts. Each axis is gone through again and again in an order of its own: all pairs of parts vary."""
    draw = random.Random(15)
    columns = []
    for axis in AXES:
        column: list[object] = []
        while len(column) < COUNT:
            column += draw.sample(axis, len(axis))
        columns.append(column)
    return [_written(*parts) for parts in zip(*columns, strict=False)]


def _written(
    compiler: tuple[str, str], gpus: tuple[str, str], options: str, holder: str, libraries: str, rules: str
) -> str:
    first = "\n".join(part for part in ("all: app", compiler[0], gpus[0], holder.format(options)) if part)
    return f"{first}\n{rules.format(compiler[1], gpus[1], libraries)}"


@pytest.mark.skipif(shutil.which("make") is None, reason="GNU make is not installed")
@pytest.mark.parametrize("gpus", GPUS.values(), ids=list(GPUS))
def test_a_converted_makefile_calls_hipcc_with_its_own_options(gpus: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text("int nothing();\n")
    wrong = []
    for text in makefiles():
        result = find_in_text(text, "Makefile", Config(arch=gpus))
        (tmp_path / "Makefile").write_text(result.after)
        for switches in SWITCHES:
            found = list(calls(tmp_path, switches))
            named = {word for words in found for word in words if word.startswith("--offload-arch=")}
            fits = named <= {f"--offload-arch={gpu}" for gpu in gpus} and len(named) in (0, len(gpus))
            if not found or not fits or any(words[0] != "hipcc" or refused(words[1:]) for words in found):
                wrong.append(f"{text}---\n{result.after}---\n{found}\n")
    assert not wrong, "\n".join(wrong)
