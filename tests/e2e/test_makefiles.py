"""Makefiles as people write them, converted: what `make -n` would call gives hipcc only options that it knows.

Each text is converted for one GPU and for two, with and without the switches that it has. The options are looked up in
the table of nvcc's options, and where there is a clang, its driver is asked as well.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Span, Target
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase import project_rules
from cudamigrate.syntax import compiler_options

BOOK = project_rules.load(Target())
RULE = "\n%.o: %.cu\n\t$(NVCC) $(NVCCFLAGS) -c $< -o $@\napp: a.o b.o\n\t$(NVCC) $(NVCCFLAGS) $^ -o $@ $(LIBS)\n"
"""Objects, and a program from them, as most Makefiles build."""
LOOP = "$(foreach s,$(SMS),$(eval GENCODE += -gencode arch=compute_$(s),code=sm_$(s)))\n"
NEWER = "-fgpu-approx-transcendentals"
"""An option of ROCm 6.2's clang that those of distributions may not have."""

MAKEFILES = {
    "comment behind an option": (
        "NVCC = nvcc\nNVCCFLAGS = -m64 -lineinfo# --resource-usage\napp: a.cu\n"
        "\t$(NVCC) $(NVCCFLAGS) -po maxrregcount=16 a.cu -o $@\n"
    ),
    "compiler in CC": "CC = nvcc\nARCH = sm_60\nCFLAGS = -O3 -arch=$(ARCH)\napp: a.cu\n\t$(CC) $(CFLAGS) a.cu -o $@\n",
    "implicit rule": "CXX = nvcc\nCXXFLAGS = -O3 -arch=sm_70 -x cu -dc\napp.o: a.cpp\n\t$(COMPILE.cpp) $< -o $@\n",
    "default": f"NVCC ?= nvcc\nARCH ?= sm_70\nNVCCFLAGS = -arch=$(ARCH) --use_fast_math\nLIBS = -lcublas\n{RULE}",
    "number": f"NVCC = nvcc\nSM = 80\nNVCCFLAGS = -O2 -gencode arch=compute_$(SM),code=sm_$(SM)\n{RULE}",
    "two numbers": (
        "NVCC = nvcc\nSM := 70\nPTX = 80\n"
        f'NVCCFLAGS = -gencode=arch=compute_$(SM),code=\\"sm_$(SM),compute_$(PTX)\\"\n{RULE}'
    ),
    "loop": f"NVCC = nvcc\nSMS ?= 60 70 80\nifeq ($(GENCODE),)\n{LOOP}endif\nNVCCFLAGS = $(GENCODE)\n{RULE}",
    "highest": (
        f"NVCC = nvcc\nSMS ?= 60 70\n{LOOP}TOP := $(lastword $(sort $(SMS)))\nifneq ($(TOP),)\n"
        f"GENCODE += -gencode arch=compute_$(TOP),code=compute_$(TOP)\nendif\nNVCCFLAGS = $(GENCODE)\n{RULE}"
    ),
    "pattern": f"NVCC = nvcc\nSMS = 60 70\nNVCCFLAGS = $(SMS:%=-gencode arch=compute_%,code=sm_%)\n{RULE}",
    "patsubst": f"NVCC = nvcc\nHOST = -Wall -fPIC\nNVCCFLAGS = $(patsubst %,-Xcompiler %,$(HOST))\n{RULE}",
    "addprefix": f"NVCC = nvcc\nCXXFLAGS = -Wall -fPIC\nNVCCFLAGS = $(addprefix -Xcompiler ,$(CXXFLAGS))\n{RULE}",
    "foreach host": f"NVCC = nvcc\nH = -Wall -O2\nNVCCFLAGS = $(foreach o,$(H),-Xcompiler $(o))\n{RULE}",
    "options of the host": f'NVCC = nvcc\nCF = -Wall -pthread\nNVCCFLAGS = --compiler-options "$(CF)"\n{RULE}',
    "linker by the host": (
        f'NVCC = nvcc\nNVCCFLAGS = -O3 -Xcompiler \\"-Wl,-rpath,$(LIB)/lib\\" -Xcompiler -Wall,-fPIC\n{RULE}'
    ),
    "commas": f"NVCC = nvcc\nNVCCFLAGS = -Xcompiler -Wall,-Wextra,-fopenmp -Xptxas -v,-O3\n{RULE}",
    "equals": f"NVCC = nvcc\nNVCCFLAGS = -Xcompiler=-fPIC -Xptxas=-v --ptxas-options=-v -maxrregcount=32\n{RULE}",
    "relocatable": f"NVCC = nvcc\nNVCCFLAGS = -rdc=true -arch sm_35 --expt-extended-lambda\nLIBS = -lcudadevrt\n{RULE}",
    "device c": (
        "NVCC = nvcc\n%.o: %.cu\n\t$(NVCC) -arch=sm_50 -dc $< -o $@\napp: a.o b.o\n\t$(NVCC) -arch=sm_50 $^ -o $@\n"
    ),
    "debug": f"NVCC = nvcc\nifeq ($(dbg),1)\nNVCCFLAGS += -g -G\nelse\nNVCCFLAGS += -O3 -lineinfo\nendif\n{RULE}",
    "switch": f"NVCC = nvcc\nARCH = sm_70\nifdef FAST\nARCH = sm_90\nendif\nNVCCFLAGS = -arch=$(ARCH) -t 4\n{RULE}",
    "quoted": f"NVCC = nvcc\nNVCCFLAGS = '-gencode' 'arch=compute_70,code=sm_70' \"-O3\" \"--threads=4\"\n{RULE}",
    "joined lines": (
        "NVCC = nvcc\nARCH = -gencode arch=compute_35,code=sm_35 \\\n"
        "       -gencode arch=compute_50,code=[sm_50,compute_50] \\\n"
        f"       -gencode arch=compute_61,code=sm_61\nNVCCFLAGS = $(ARCH) -std=c++14\n{RULE}"
    ),
    "folder": (
        f"CUDA_HOME ?= /usr/local/cuda\nNVCC = $(CUDA_HOME)/bin/nvcc -ccbin $(CXX)\n"
        f"NVCCFLAGS = -I$(CUDA_HOME)/include\nLIBS = -L$(CUDA_HOME)/lib64 -lcudart -lcufft -lcurand -lcusparse\n{RULE}"
    ),
    "folder of a folder": f"CUDA_DIR = /usr/local/cuda\nCUDA_PATH ?= $(CUDA_DIR)\nNVCC = $(CUDA_PATH)/bin/nvcc\n{RULE}",
    "recipe": "app: a.cu b.cu\n\tnvcc -O3 -arch=sm_70 -lineinfo -Xcompiler -march=native $^ -o $@ -lcublas -lcurand\n",
    "quiet recipe": "app: a.cu\n\t@echo building\n\t@nvcc -O3 --gpu-architecture=sm_70 a.cu -o app && echo done\n",
    "target variable": f"NVCC = nvcc\nNVCCFLAGS = -O3\ndebug: NVCCFLAGS += -G -lineinfo\ndebug: app\n{RULE}",
    "defined": (
        "NVCC = nvcc\ndefine build\n$(NVCC) -arch=sm_60 -Xptxas -dlcm=ca $(1).cu -o $(1)\nendef\n"
        "app:\n\t$(call build,a)\n"
    ),
    "static runtime": f"NVCC = nvcc\nNVCCFLAGS = -cudart static -Wno-deprecated-gpu-targets -m64\n{RULE}",
    "precision": f"NVCC = nvcc\nNVCCFLAGS = -ftz=true -prec-div=false -prec-sqrt=false -fmad=false\n{RULE}",
    "host compiler too": (
        'CC = gcc\nNVCC = nvcc\nCFLAGS = -Wall -O2\nNVCCFLAGS = -arch=sm_60 -Xcompiler "$(CFLAGS)"\n'
        "app: a.o c.o\n\t$(CC) $^ -o $@ -lcudart\nc.o: c.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n"
        "a.o: a.cu\n\t$(NVCC) $(NVCCFLAGS) -c $< -o $@\n"
    ),
    "linker": f"NVCC = nvcc\nLIBS = -Xlinker -rpath,/opt/lib --linker-options --as-needed -lm\n{RULE}",
    "shared library": "NVCC = nvcc\nliba.so: a.cu\n\t$(NVCC) -shared -Xcompiler -fPIC -arch=sm_70 $< -o $@\n",
    "long names": (
        f"NVCC = nvcc\nNVCCFLAGS = --include-path=inc --machine 64 --generate-line-info --std c++17\n"
        f"LIBS = --library-path=lib --library=m\n{RULE}"
    ),
    "dependencies": "NVCC = nvcc\na.d: a.cu\n\t$(NVCC) --generate-dependencies -Xcompiler -Wall $< > $@\n",
    "default stream": f"NVCC = nvcc\nNVCCFLAGS = --default-stream per-thread -Xcudafe --diag_suppress=177\n{RULE}",
    "word in a comment": f"# works with hipcc, see the notes\nNVCC = nvcc\nNVCCFLAGS = -arch=sm_70 # not hipcc\n{RULE}",
    "conditional call": f"NVCC = nvcc\nNVCCFLAGS = $(if $(dbg),-G -g,-O3 -use_fast_math) -arch=native\n{RULE}",
    "appended": f"NVCC = nvcc\nSM = sm_60\nSM += sm_70\nNVCCFLAGS = $(addprefix --gpu-architecture=,$(SM))\n{RULE}",
    "asked": (
        f"NVCC = nvcc\nSM := $(shell nvidia-smi --query-gpu=compute_cap)\nNVCCFLAGS = -arch=sm_$(SM) -O3\n{RULE}"
    ),
    "used elsewhere": f"NVCC = nvcc\nARCH = sm_70\nOUT = build-$(ARCH)\nNVCCFLAGS = -arch=$(ARCH) -DOUT=$(OUT)\n{RULE}",
}
GPUS = {"one GPU": ("gfx90a",), "two GPUs": ("gfx90a", "gfx942")}
SWITCHES = ((), ("dbg=1", "FAST=1"))


def converted(text: str, gpus: tuple[str, ...], folder: Path) -> None:
    """The converted Makefile, beside files that it may build."""
    (folder / "Makefile").write_text(find_in_text(text, "Makefile", Config(arch=gpus)).after)
    for name in ("a.cu", "b.cu", "a.cpp", "c.c"):
        (folder / name).write_text("int nothing();\n")


def calls(folder: Path, switches: tuple[str, ...]) -> Iterator[list[str]]:
    """The words of each call of a compiler for GPUs that make would run."""
    words = ["make", "-n", "-B", "SHELL=/bin/true", *switches]  # what a Makefile asks a shell is not run
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in re.split(r"[\n;]|&&", done.stdout.replace("\\\n", " ")):
        given = shlex.split(command)
        found = [at for at, word in enumerate(given) if word.lstrip("@").rpartition("/")[2] in ("hipcc", "nvcc")]
        if found:
            yield [given[found[0]].lstrip("@").rpartition("/")[2], *given[found[0] + 1 :]]


def refused(words: list[str]) -> list[str]:
    """Options of a call that the table knows as nvcc's; `-x hip` and the standard are clang's too.

    So is `-M`, in a pass for the host: in one for several GPUs hipcc prints no rule that make reads.
    """
    uses = compiler_options.uses(compiler_options.Word(word, Span(0, 0)) for word in words)
    shared = ["-x", "-std", "--std", "-Werror", "-Xlinker", "-t"]
    shared += ["-M", "-MM"] if "--cuda-host-only" in words else []
    found = [use.name for use in uses if use.name not in shared]
    return [name for name in found if any(_is_rule(name))]


def _is_rule(name: str) -> Iterator[bool]:
    use = next(compiler_options.uses([compiler_options.Word(name, Span(0, 0))]))
    rule = BOOK.rule("make", use)
    yield rule is not None and rule.group == "build" and not rule.silent


@pytest.mark.skipif(shutil.which("make") is None, reason="GNU make is not installed")
@pytest.mark.parametrize("gpus", GPUS.values(), ids=list(GPUS))
@pytest.mark.parametrize("name", MAKEFILES)
def test_converted_makefile_gives_hipcc_no_option_of_nvcc(name: str, gpus: tuple[str, ...], tmp_path: Path) -> None:
    converted(MAKEFILES[name], gpus, tmp_path)
    for switches in SWITCHES:
        found = list(calls(tmp_path, switches))
        assert found and all(words[0] == "hipcc" for words in found)
        assert [refused(words[1:]) for words in found] == [[]] * len(found)
        named = {word for words in found for word in words if word.startswith("--offload-arch=")}
        assert named in (set(), {f"--offload-arch={gpu}" for gpu in gpus})


@pytest.mark.rocm
def test_clang_knows_every_option_of_the_converted_makefiles(tmp_path: Path) -> None:
    clang = next((name for name in ("clang++-15", "clang++") if shutil.which(name)), "")
    if not clang:
        pytest.skip("clang++ is not installed")
    asked: set[tuple[str, ...]] = set()
    for number, text in enumerate(MAKEFILES.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        converted(text, ("gfx90a",), folder)
        asked.update(tuple(words[1:]) for switches in SWITCHES for words in calls(folder, switches))
    for words in sorted(asked):
        given = [word for word in words if word != NEWER and word != ">"]
        done = subprocess.run(
            [clang, "-###", "-nogpulib", "-nogpuinc", "-x", "hip", *given], capture_output=True, text=True, check=False
        )
        errors = [line for line in done.stderr.splitlines() if "error:" in line or "unused" in line]
        right = ("no such file", "-x hip", "'linker' input unused")  # a step that compiles needs no linker's options
        assert [line for line in errors if not any(one in line for one in right)] == [], words


def test_the_makefile_says_what_the_table_refuses() -> None:
    """The check itself can fail: options of nvcc are seen, those of clang are not."""
    assert refused(["-arch=sm_70", "-O3", "-dc", "-Xptxas", "-v"]) == ["-arch=sm_70", "-dc", "-Xptxas"]
    assert refused(["--offload-arch=gfx90a", "-fgpu-rdc", "-c", "-lhipblas"]) == []
