"""What of a Makefile is a use, and what is only text."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import make
from cudamigrate.model import SourceFile, Use
from cudamigrate.pipeline.rule_tests import find_in_text


def uses(text: str) -> list[Use]:
    return list(make.parse(SourceFile("Makefile", text.encode(), "make")).uses)


def after(text: str) -> str:
    return find_in_text(text, "Makefile", unsafe=True).after


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NVCC = nvcc", "nvcc"),
        ("NVCC := $(CUDA_HOME)/bin/nvcc -O3", "nvcc"),
        ("a.o: a.cu\n\tnvcc -c $<", "nvcc"),
        ("export CUDA_PATH ?= /opt/x", "CUDA_PATH"),
        ("L = ${CUDA_ROOT}/lib64", "lib64 of CUDA"),
        ("C = -I$(CUDA_PATH)/include", "include of CUDA"),
        ("C = -I/usr/local/cuda/include", "/usr/local/cuda"),
    ],
)
def test_name_is_spelled_as_rules_do(text: str, name: str) -> None:
    assert name in [use.name for use in uses(text)]


@pytest.mark.parametrize(
    ("name", "read"), [("test_Makefile", True), ("cuda-Makefile", True), ("Makefiles", False), ("makes", False)]
)
def test_a_name_before_it_makes_no_other_file_of_a_makefile(name: str, read: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text("NVCC = nvcc\nall: a.cu\n\t$(NVCC) -arch=sm_60 a.cu -o a\n")
    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    found = {one.path for one in pipeline.scan(tmp_path, Config(jobs=1)).findings}
    assert (name in found) is read


@pytest.mark.parametrize(
    "text",
    [
        "# NVCC = nvcc -lcudart\n",
        "nvcc_notes: notes.txt\n",
        "CXXFLAGS = -G -t 4 -x cu # nvcc\n",
        "DOCS = doc/nvcc.md\n",
    ],
)
def test_comments_longer_names_and_other_compilers_are_no_findings(text: str) -> None:
    assert find_in_text(text, "Makefile").findings == ()


def test_options_of_a_recipe_are_nvccs_where_it_calls_nvcc() -> None:
    text = "a: a.cu\n\t$(NVCC) -G a.cu -o a\nb: b.c\n\t$(CC) -G b.c -lcudart\n"
    assert [use.name for use in uses(text) if use.kind == "option"] == ["-G", "-o", "-lcudart"]


def test_an_option_takes_its_argument_over_a_joined_line() -> None:
    text = "NVCCFLAGS = -gencode \\\n  arch=compute_80,code=sm_80 -O3\n"
    assert after(text) == "NVCCFLAGS = --offload-arch=gfx90a --offload-arch=gfx942 -O3\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("F = x\nNVCCFLAGS = -O3 \\\n  --extended-lambda\nG = y\n", "F = x\nNVCCFLAGS = -O3\nG = y\n"),
        ("NVCCFLAGS = --extended-lambda \\\n  -O3\n", "NVCCFLAGS = -O3\n"),
        ("NVCCFLAGS = -O3 --extended-lambda # c\n", "NVCCFLAGS = -O3 # c\n"),
        ("NVCCFLAGS = --extended-lambda --restrict\n", "NVCCFLAGS =\n"),
        (
            "NVCCFLAGS += $(foreach a,$(SM),-gencode arch=compute_$(a),code=sm_$(a))\n",
            "NVCCFLAGS += $(foreach a,$(SM),--offload-arch=gfx90a --offload-arch=gfx942)\n",
        ),
        ("NVCCFLAGS = -g '--extended-lambda' -O3\n", "NVCCFLAGS = -g -O3\n"),
        ("FLAGS += $(addprefix -Xcompiler ,$(CFLAGS))\n", "FLAGS += $(CFLAGS)\n"),
        ("NVCCFLAGS = -Xcompiler '-Wall -fPIC' -O3\n", "NVCCFLAGS = -Wall -fPIC -O3\n"),
        ("debug:\n\t$(eval NVCCFL += -g -G)\n", "debug:\n\t$(eval NVCCFL += -g -Xarch_device -O0)\n"),
        ("debug:\n\t$(eval CXXFL += -g -G)\n", "debug:\n\t$(eval CXXFL += -g -G)\n"),
        ("NVCCFLAGS = '-lineinfo' \"-O3\"\n", "NVCCFLAGS = '-gline-tables-only' \"-O3\"\n"),
    ],
)
def test_options_go_with_one_separator(before: str, expected: str | None) -> None:
    assert after(before) == (before if expected is None else expected)


def test_a_file_that_builds_for_both_has_one_finding_and_no_change() -> None:
    text = "ifeq ($(GPU),HIP)\nCC = hipcc\nelse\nCC = nvcc -lineinfo\nendif\n"
    result = find_in_text(text, "Makefile")
    assert [finding.rule for finding in result.findings] == ["build/make-has-hip"]
    assert result.after == text


@pytest.mark.parametrize(("switch", "both"), [("HIP", True), ("HIPBLAS", True), ("HIPSYCL", False)])
def test_a_compiler_of_sycl_is_no_build_for_hip(switch: str, both: bool) -> None:
    text = f"ifeq ($(WITH_{switch}),1)\nCXX = compiler\nendif\na: a.cu\n\tnvcc -lineinfo a.cu\n"
    assert (after(text) == text) is both


def test_a_call_that_is_not_closed_is_broken() -> None:
    assert not make.broken(b"A = $(B) ${C}\n")
    assert make.broken(b"A = $(B\n")


def test_a_variable_that_only_nvcc_gets_holds_its_options() -> None:
    text = "A = -G\nB = -G\nC = -G\na: a.cu\n\t$(NVCC) $(A) $(B) $<\nb: b.c\n\t$(CC) $(B) $<\n"
    assert after(text).splitlines()[:3] == ["A = -Xarch_device -g -Xarch_device -O0", "B = -G", "C = -G"]


def test_a_definition_that_begins_with_a_tab_is_renamed_with_its_uses() -> None:
    text = "ifndef CUDA_HOME\n\tCUDA_HOME := /usr/local/cuda\nendif\nL = -L$(CUDA_HOME)/lib64\n"
    assert after(text) == "ifndef ROCM_PATH\n\tROCM_PATH := /opt/rocm\nendif\nL = -L$(ROCM_PATH)/lib\n"


UNKNOWN = [
    ("NVCC = nvcc\nF = --unheard-of -O3\na: a.cu\n\t$(NVCC) $(F) a.cu -o a\n", ["--unheard-of"]),
    ("a: a.cu\n\t@nvcc -unheard=of/it a.cu -o a | tee --unheard-of log\n", ["-unheard=of/it"]),
    ("CC = gcc\nF = --unheard-of\na: a.c\n\t$(CC) $(F) a.c -o a\nb: b.cu\n\tnvcc b.cu\n", []),  # the host's
    ("NVCCFLAGS = --unheard-of\nall:\n\t@echo nvcc\n", []),  # no more than a name says who gets it
    ("a: a.cu\n\tnvcc -O3 -Iinc -Wall -ffast-math -DX=-1 -std=c++17 -MMD -lm -$(W) $(if $(A),-g,) a.cu - -1\n", []),
]


@pytest.mark.parametrize(("text", "found"), UNKNOWN)
def test_an_option_that_no_row_knows_is_reported_where_nvcc_gets_it(text: str, found: list[str]) -> None:
    findings = find_in_text(text, "Makefile").findings
    assert [one.name for one in findings if one.rule == "build/flag-unknown"] == found


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ('-Xcompiler \\"-Wl,-rpath,/x\\"', "-Wl,-rpath,/x"),
        ('-Xcompiler \\"-Wl\\,-rpath\\,/x\\",-g', "-Wl,-rpath,/x -g"),
        ('-Xcompiler "-Wl\\\\,-rpath\\\\,/x"', "-Wl,-rpath,/x"),
        ('-Xcompiler "-Wl,-rpath,/x"', "-Wl,-rpath,/x"),
        ("-Xcompiler -Wall,-Wl,-z,now", "-Wall -Wl,-z,now"),
        ("-Xcompiler -Wall,-Wlonger,-fPIC", "-Wall -Wlonger -fPIC"),
    ],
)
def test_what_is_passed_through_to_the_linker_stays_one_option(given: str, written: str) -> None:
    assert (
        after(f"NVCCFLAGS = {given} -g\na: a.cu\n\tnvcc $(NVCCFLAGS) $<\n").splitlines()[0]
        == f"NVCCFLAGS = {written} -g"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("CUDA_HOME = /opt/cuda", "ROCM_PATH = /opt/rocm"),
        ("CUDA_HOME = /opt/cuda-12.4", "ROCM_PATH = /opt/rocm"),
        ("INC = -I/opt/cuda/include", "INC = -I/opt/rocm/include"),
        ("INC = -I/opt/cuda-samples/include", "INC = -I/opt/cuda-samples/include"),
        ("INC = -I/home/opt-cuda/include", "INC = -I/home/opt-cuda/include"),
    ],
)
def test_distributions_have_the_toolkit_in_opt(text: str, written: str) -> None:
    lines = after(f"{text}\na: a.cu\n\tnvcc $(INC) -L$(CUDA_HOME)/lib64 $<\n").splitlines()
    assert any(line.startswith(written) for line in lines[:2])


BRANCHES = """\
ifeq ($(V),10)
  DIR=/usr/local/cuda
endif
ifeq ($(V),12)
  DIR=/apps/nvidia/cuda-12.8
endif
OWN=/home/me/cuda
LINK = -L$(DIR)/lib64 -L$(OTHER)/lib64 -I$(OWN)/include
"""


def test_the_folder_of_cuda_is_known_in_whatever_branch_it_is_set() -> None:
    lines = after(BRANCHES).splitlines()
    assert lines[1] == "  DIR=/opt/rocm" and lines[4] == "  DIR=/opt/rocm"
    assert lines[6:] == ["OWN=/home/me/cuda", "LINK = -L$(DIR)/lib -L$(OTHER)/lib64 -I$(OWN)/include"]
    mixed = after(BRANCHES.replace("/apps/nvidia/cuda-12.8", "/apps/mkl")).splitlines()
    assert mixed[4] == "  DIR=/apps/mkl" and mixed[7].startswith("LINK = -L$(DIR)/lib64")


@pytest.mark.parametrize(
    ("files", "given"),
    [
        ({"Makefile": "L = -L$(CUDA_HOME)/lib64\n"}, True),
        ({"Makefile": "include c.mk\nL = -L$(CUDA_HOME)/lib64\n", "c.mk": "CUDA_HOME = /usr/local/cuda\n"}, False),
        ({"Makefile": "C = $(or $(CUDA_HOME),/usr/local/cuda)\nL = -L$(CUDA_HOME)/lib64\n"}, False),
        ({"Makefile": "ifdef CUDA_HOME\nL = -L$(CUDA_HOME)/lib64\nendif\n"}, False),
        ({"Makefile": "ifeq ($(CUDA_HOME),)\nendif\nL = -L$(CUDA_HOME)/lib64\n"}, False),
        ({"Makefile": "ifneq ($(wildcard $(CUDA_HOME)/lib64),)\nendif\nL = -L$(CUDA_HOME)/lib64\n"}, True),
        ({"Makefile": "ROCM_PATH = /opt/mine\nL = -L$(CUDA_HOME)/lib64\n"}, False),
    ],
)
def test_a_folder_that_no_makefile_sets_gets_a_value(files: dict[str, str], given: bool, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text + "NVCC = nvcc\n")
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert made["Makefile"].startswith("ROCM_PATH ?= /opt/rocm\n") == given
    assert "$(ROCM_PATH)/lib\n" in made["Makefile"]


FOR_CL = """\
CC = cl
CFLAGS = /W4 /nologo /I"$(CUDA_PATH)\\include"
LIBS = "$(CUDA_PATH)\\lib\\x64\\cudart_static.lib"
CUFLAGS = -O3 --generate-code arch=compute_75,code=sm_75 -Xcompiler "/EHsc /W4"
%.obj : %.cu
\tnvcc -c $< -o $@ $(CUFLAGS)
"""


def test_a_build_with_the_compiler_of_windows_is_left_alone_and_told_once() -> None:
    assert after(FOR_CL) == FOR_CL
    assert [use.name for use in uses(FOR_CL)] == ["build by cl"]


@pytest.mark.parametrize(
    "text",
    [
        f"ifeq ($(OS),Windows_NT)\n{FOR_CL}else\nCUFLAGS = -O3\nendif\napp: a.cu\n\tnvcc $(CUFLAGS) -o app a.cu\n",
        "DIR = /opt/O2/lib /W4/lib\nL = a.lib\napp: a.cu\n\tnvcc -I/EHsc/include -o app a.cu\n",
        "WARN = /W4\napp: a.cu\n\tnvcc -lineinfo -o app a.cu -lcudart\n",
    ],
)
def test_a_build_for_other_systems_too_is_converted(text: str) -> None:
    assert "hipcc" in after(text) and "build by cl" not in [use.name for use in uses(text)]


def test_lines_that_say_the_same_again_go_with_their_remarks() -> None:
    head, one = "NVCCFLAGS = -O3\n", "NVCCFLAGS += -gencode arch=compute_75,code=sm_75 # Turing\n"
    rule = "k.o: k.cu\n\tnvcc $(NVCCFLAGS) -c k.cu\n"
    other, long = one.replace("75", "90").replace("Turing", "Hopper"), one.replace("Turing", "Turing \\\n and more")
    made = after(head + one + other + one.replace(" #", " -lineinfo #") + rule)
    assert made.count("--offload-arch=gfx90a") == 2 and "# Hopper" not in made and made.count("# Turing") == 2
    assert "and more" in after(head + one + long + rule)


def test_a_folder_in_a_message_is_renamed_with_the_variable_that_the_file_sets() -> None:
    message = '\t@echo "Open $(CUDA_ROOT)/common/conf to set it."\n'
    assert "$(CUDA_ROOT)/common" in after(f"app: a.cu\n\tnvcc -o app a.cu\n{message}")
    assert "$(ROCM_PATH)/common" in after(f"CUDA_ROOT = /usr/local/cuda\napp: a.cu\n\tnvcc -o app a.cu\n{message}")
    written = message.replace('."', '." > conf')
    assert "$(ROCM_PATH)/common" in after(f"app: a.cu\n\tnvcc -o app a.cu\n{written}")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("LIBS= -l nvToolsExt -lm\n", "LIBS= -lrocprofiler-sdk-roctx -lm\n"),
        ("LIBS = -lm -l cudart\n", "LIBS = -lm -lamdhip64\n"),
        ("a: a.o\n\tg++ -o a a.o -l cublas\n", "a: a.o\n\tg++ -o a a.o -L/opt/rocm/lib -lhipblas\n"),
        ("LIBS = -l nvToolsExtended -l m\n", "LIBS = -l nvToolsExtended -l m\n"),
        ("a: a.o\n\tls -l cudart\n", "a: a.o\n\tls -l cudart\n"),
    ],
)
def test_a_library_that_is_a_word_of_its_own_is_linked_as_one_that_is_joined(text: str, made: str) -> None:
    assert after(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("INC = -I${CUDA_PATH}/samples/common/inc\n", "INC = -I${CUDA_PATH}/samples/common/inc\n"),
        ("INC = -I/usr/local/cuda-11.8/samples/common/inc\n", "INC = -I/usr/local/cuda-11.8/samples/common/inc\n"),
        ("INC = -I/usr/local/cuda/11.8/samples/common\n", "INC = -I/usr/local/cuda/11.8/samples/common\n"),
        ("INC = -I${CUDA_PATH}/samples/commons\n", "ROCM_PATH ?= /opt/rocm\nINC = -I${ROCM_PATH}/samples/commons\n"),
        ("INC = -I${CUDA_PATH}/common/inc\n", "ROCM_PATH ?= /opt/rocm\nINC = -I${ROCM_PATH}/common/inc\n"),
    ],
)
def test_the_folder_of_samples_which_rocm_has_not_stays(text: str, made: str) -> None:
    assert after(text) == made


@pytest.mark.parametrize(
    ("folder", "made"),
    [
        ("/usr/local/cuda/3.0/cuda", "/opt/rocm"),
        ("/usr/local/cuda/11.8", "/opt/rocm"),
        ("/usr/local/cuda/3.0-own/cuda", "/opt/rocm/3.0-own/cuda"),
    ],
)
def test_a_release_may_be_a_folder_below_that_of_cuda(folder: str, made: str) -> None:
    assert after(f"CUDA_DIR={folder}\n") == f"ROCM_PATH={made}\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("FLAGS = -arch $(GPU_ARCH) -O3\na: a.cu\n\t$(NVCC) $(FLAGS) $<\n", "FLAGS = {} -O3\n"),
        ("a: a.cu\n\tnvcc -arch=$(GPU_ARCH) $<\n", "\thipcc {} $<\n"),
        (
            "FLAGS = -arch $(GPU_ARCH)\na: a.cu\n\tnvcc $(FLAGS) $<\nb:\n\tclang $(FLAGS) b.c\n",
            "FLAGS = -arch $(GPU_ARCH)\n",
        ),
        ("GPU_ARCH = x86_64\na: a.cu\n\tnvcc -arch=$(GPU_ARCH) $<\n", "\thipcc -arch=$(GPU_ARCH) $<\n"),
        ("ARCH = $(GPU_ARCH)\na: a.cu\n\tnvcc -arch $(ARCH) $<\n", "\thipcc {} $<\n"),
        ("SM = ${GPU}\nSM ?= $(CC_GPU)\na: a.cu\n\tnvcc -arch $(SM) $<\n", "\thipcc {} $<\n"),
        ("ARCH = $(GPU_ARCH)_64\na: a.cu\n\tnvcc -arch $(ARCH) $<\n", "\thipcc -arch $(ARCH) $<\n"),
        ("ARCH = $(shell uname -m)\na: a.cu\n\tnvcc -arch=$(ARCH) $<\n", "\thipcc -arch=$(ARCH) $<\n"),
    ],
)
def test_a_gpu_that_no_makefile_sets_is_nvidias_where_nvcc_alone_gets_it(before: str, expected: str) -> None:
    gpus = "--offload-arch=gfx90a --offload-arch=gfx942"
    assert expected.format(gpus) in after(before)


@pytest.mark.parametrize(
    ("folder", "made", "root"),
    [
        ("/usr/local/cuda/include/", "/opt/rocm/include/", False),
        ("/usr/local/cuda-12.4/samples", "/opt/rocm/samples", False),
        ("/apps/cuda/12.4/lib64", "/apps/cuda/12.4/lib64", False),
        ("$(CUDA_HOME)/include", "$(ROCM_PATH)/include", False),
        ("/usr/local/cuda/12.4/", "/opt/rocm/", True),
        ("/usr/local/cuda/", "/opt/rocm/", True),
    ],
)
def test_a_variable_with_a_folder_below_the_toolkit_is_not_called_as_the_root(
    folder: str, made: str, root: bool
) -> None:
    name = "ROCM_PATH" if root else "CUDA_PATH"
    changed = after(f"CUDA_PATH = {folder}\na: a.cu\n\tnvcc -I$(CUDA_PATH) a.cu -o a\n")
    assert f"{name} = {made}\n" in changed
    assert f"-I$({name}) a.cu" in changed


def test_a_folder_that_is_chosen_by_cudas_header_is_chosen_by_hips() -> None:
    loop = 'DIR := $(shell for d in {}; do test -e "$$d/include/cuda.h" && echo $$d; done)\n'
    header = "ifneq ($(wildcard $(CUDA_HOME)/include/cuda_runtime.h $(MINE)/include/cuda.h),)\nX = nvcc\nendif\n"
    changed = after(f"{header}{loop.format('/opt/cuda')}{loop.format('third_party')}")
    assert "$(ROCM_PATH)/include/hip/hip_runtime.h $(MINE)/include/cuda.h" in changed
    assert '/opt/rocm; do test -e "$$d/include/hip/hip_runtime.h"' in changed
    assert 'third_party; do test -e "$$d/include/cuda.h"' in changed


def test_a_variable_that_is_called_nvcc_keeps_its_name() -> None:
    text = "nvcc = nvcc -c\nall: a.cu\n\t$(nvcc) a.cu\n\t$(MAKE) -C below nvcc=/usr/local/cuda/bin/nvcc\n"
    assert after(text) == ("nvcc = hipcc -c\nall: a.cu\n\t$(nvcc) a.cu\n\t$(MAKE) -C below nvcc=/opt/rocm/bin/hipcc\n")


@pytest.mark.parametrize("line", ["$(info found in: $(CUDA_HOME))", "$(info ${A:b=c} at $(if x,(a: b)))"])
def test_a_colon_in_what_make_expands_makes_no_rule(line: str) -> None:
    assert "ROCM_PATH = /opt/rocm" in after(f"{line}\n\tCUDA_HOME = /usr/local/cuda\n\tCC = $(CUDA_HOME)/bin/nvcc\n")


def test_a_recipe_stays_one_behind_a_target_that_is_expanded() -> None:
    text = "$(A:.c=.o): $(info made: $@)\n\tCUDA_HOME = /usr/local/cuda\n"
    assert "\tCUDA_HOME = /opt/rocm" in after(text)


def test_options_beside_one_that_nvcc_alone_takes_are_nvccs_too() -> None:
    text = "CXX = g++\nFLAGS = -O2 --threads=8\nifdef GPU\nCXX = nvcc\nFLAGS = -lineinfo --threads=8\nendif\n"
    changed = after(f"{text}a.o: a.cc\n\t$(CXX) $(FLAGS) -c a.cc\n")
    assert "FLAGS = -O2 --threads=8\n" in changed
    assert "FLAGS = -gline-tables-only\n" in changed


def test_a_library_of_cudas_shows_no_compiler() -> None:
    text = "L = -lcublas -lculibos --threads=8\na: a.o\n\tg++ $(L) -o a a.o\n"
    assert after(text).startswith("L = -L/opt/rocm/lib -lhipblas --threads=8\n")


@pytest.mark.parametrize(
    ("value", "own"), [("device", True), ("../src/gpu", True), ("/opt/cuda", False), ("$(X)", False)]
)
def test_a_folder_of_the_projects_own_is_no_toolkit(value: str, own: bool) -> None:
    text = f"CUDA_PATH = {value}\nNVCC = nvcc\na.o: $(CUDA_PATH)/a.cu\n\t$(NVCC) -I$(CUDA_PATH)/include -c $<\n"
    changed = after(text)
    assert ("ROCM_PATH" not in changed) is own
    assert changed.count("$(CUDA_PATH)") == 2 * own


def test_the_slash_before_a_folder_of_libraries_may_be_the_variables() -> None:
    text = "CUDA_HOME = /usr/local/cuda/\nL = -L$(CUDA_HOME)lib64 -L$(CUDA_HOME)/lib64 -L$(CUDA_HOME)lib64x\n"
    assert "L = -L$(ROCM_PATH)lib -L$(ROCM_PATH)/lib -L$(ROCM_PATH)lib64x\n" in after(text)


@pytest.mark.parametrize(
    ("value", "made"),
    [("/usr/lib/cuda/", "/opt/rocm/"), ("/sw/cuda-12.2", "/opt/rocm"), ("/home/me/gpu", "/home/me/gpu")],
)
def test_a_variable_that_gets_rocms_name_gets_its_folder_where_the_value_is_cudas(value: str, made: str) -> None:
    assert after(f"CUDA_PATH := {value}\nCC = clang++\na: a.cu\n\t$(CC) a.cu\n").startswith(f"ROCM_PATH := {made}\n")


MODE = "METHOD ?= nvcc\nifeq ($(METHOD),nvcc)\na.o: a.cu\n\tmex -c $(CUDA_OPTIONS) a.cu\nendif\n"
MEX = "CUDA_OPTIONS = --compiler-options=-mssse3,-ffast-math\n"


def test_the_word_of_a_mode_and_options_for_mex_stay() -> None:
    text = MODE + MEX
    assert after(text) == text


def test_a_compiler_that_conditions_ask_for_is_none() -> None:
    text = MODE + "b.o: b.cu\n\t$(METHOD) -c b.cu\n"
    assert after(text) == text.replace("nvcc", "hipcc")


def test_options_that_nvcc_gets_too_do_not_stay() -> None:
    text = MEX + "b.o: b.cu\n\tnvcc $(CUDA_OPTIONS) -c b.cu\n"
    assert after(text).startswith("CUDA_OPTIONS = -mssse3 -Xarch_host -ffast-math\n")


PROBED = "ifeq ($(wildcard $(CUDA_INSTALL_PATH)/bin/nvcc),)\n"


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        (f"CUDA_INSTALL_PATH ?= /usr/local/cuda\n{PROBED}\tCUDA_INSTALL_PATH = /usr\nendif\n", ["/opt/rocm", "/usr"]),
        (f"{PROBED}endif\nCUDA_INSTALL_PATH = /usr\n", ["/opt/rocm"]),
        (f"CUDA_INSTALL_PATH = /usr/local/cuda\n{PROBED}endif\nCUDA_INSTALL_PATH = /usr\n", ["/opt/rocm", "/opt/rocm"]),
    ],
)
def test_usr_stays_where_it_is_the_second_place_to_look(text: str, folders: list[str]) -> None:
    assigned = [line.rpartition("=")[2].strip() for line in after(text).splitlines() if "PATH" in line and "= " in line]
    assert assigned == folders


def test_option_by_a_text_function_is_not_edited_into_one_with_a_comma() -> None:
    text = "NVCCFLAGS = $(patsubst %,--linker-options=%,$(X)) -Xlinker -rpath,a\n"
    assert after(text) == "NVCCFLAGS = $(patsubst %,--linker-options=%,$(X)) -Wl,-rpath,a\n"


@pytest.mark.parametrize(
    ("options", "made"),
    [
        (
            "-arch=sm_`nvidia-smi --query-gpu=compute_cap | tr -d .` -O3",
            "--offload-arch=gfx90a --offload-arch=gfx942 -O3",
        ),
        ("`nvidia-smi -G | tail -1` -O3", "`nvidia-smi -G | tail -1` -O3"),
        ("`nvcc -lineinfo a.cu` -O3", "`hipcc -gline-tables-only a.cu` -O3"),
    ],
)
def test_what_a_command_in_backquotes_is_given_is_its_own(options: str, made: str) -> None:
    assert after(f"a: a.cu\n\tnvcc {options} a.cu -o a\n") == f"a: a.cu\n\thipcc {made} a.cu -o a\n"


def test_what_the_shell_answers_into_a_variable_has_options_of_its_own() -> None:
    assert "--fancy" not in [use.name for use in uses("NVCCFLAGS != ask --fancy\nNVCC = nvcc\n")]
    assert "--fancy" in [use.name for use in uses("NVCCFLAGS = ask --fancy\nNVCC = nvcc\n")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("libtool --tag=CC --mode=compile nvcc -O 2 -c a.cu", "libtool --tag=CC --mode=compile hipcc -O2 -c a.cu"),
        ("$(LIBTOOL) --mode=compile $(NVCC) -c a.cu", "$(LIBTOOL) --mode=compile $(NVCC) -c a.cu"),
        ("nvcc --library cublas --library=cufft a.o", "hipcc -lhipblas -lhipfft a.o"),
    ],
)
def test_options_of_what_runs_the_compiler_are_not_its_own(line: str, expected: str) -> None:
    found = find_in_text(f"NVCC = nvcc\na.o: a.cu\n\t{line}\n", "Makefile")
    assert expected in found.after
    assert not [one for one in found.findings if one.rule == "build/flag-unknown"]


def test_options_of_the_compiler_behind_it_are() -> None:
    found = find_in_text("a.o: a.cu\n\tlibtool --mode=compile nvcc --mode=x -c a.cu\n", "Makefile")
    assert [one.rule for one in found.findings].count("build/flag-unknown") == 1


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("Makefile.am", "prog_LDFLAGS = -static -Xcompiler -shared\n", []),
        (
            "Makefile.am",
            "prog_LDFLAGS = -Xcompiler -shared\n.cu.lo:\n\t$(NVCC) $(prog_LDFLAGS) -c $<\n",
            ["-Xcompiler"],
        ),
        ("Makefile.am", "prog_LINK = $(NVCC) -o $@\nprog_LDFLAGS = -Xcompiler -shared\n", ["-Xcompiler"]),
        ("Makefile.am", "CUDA_FLAGS = -Xcompiler -fPIC\n", ["-Xcompiler"]),
        ("Makefile", "FLAGS = -Xcompiler -shared\na:\n\t$(LIBTOOL) --mode=link $(CC) $(FLAGS) -o a a.o\n", []),
        ("Makefile", "a:\n\tlibtool --mode=link $(CC) -Xcompiler -shared -o a a.o\n", []),
        ("Makefile", "FLAGS = -Xcompiler -shared\na:\n\t$(CC) $(FLAGS) -o a a.o\n", ["-Xcompiler"]),
    ],
)
def test_options_of_libtool_are_not_those_of_nvcc(path: str, text: str, found: list[str]) -> None:
    parsed = make.parse(SourceFile(path, text.encode(), "make"))
    assert [use.name for use in parsed.uses if use.name.startswith("-X")] == found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ROOT = $(shell echo $$CUDA_PATH)", "folder of CUDA to the shell alone"),
        ("ROOT = $(shell echo $${CUDA_PATH})", "folder of CUDA to the shell"),
        ('LIBS = "$(CUDA_PATH)/lib/win32/cuda.lib"', "library file cuda.lib"),
        ('LIBS = "$(CUDA_PATH)/lib/Win32/own.lib"', "lib64 of CUDA"),
        ("LIBS = $(CUDA_PATH)/lib/x64/cublas.lib", "library file cublas.lib"),
    ],
)
def test_what_a_build_on_windows_names_of_cuda_is_a_use(text: str, name: str) -> None:
    assert name in [use.name for use in uses(text)]


@pytest.mark.parametrize(
    "text",
    [
        "a:\n\tCUDA_PATH=/srv/own; echo $$CUDA_PATH",
        "ROOT = $(shell echo $$CUDA_PATHS)",
        "LIBS = my_cuda.lib cuda.library cuda.lib.txt",
    ],
)
def test_what_only_looks_like_cudas_on_windows_is_none(text: str) -> None:
    assert [use.name for use in uses(text)] == []


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("all: nvcc clang\nnvcc:\n\tnvcc a.cu\n", "all: nvcc clang\nnvcc:\n\thipcc a.cu\n"),
        (".PHONY: nvcc all\nnvcc:\n\tnvcc a.cu\n", ".PHONY: nvcc all\nnvcc:\n\thipcc a.cu\n"),
        ("all: ; nvcc a.cu -o a\n", "all: ; hipcc a.cu -o a\n"),
        ("all:\n\t$(MAKE) -C sub nvcc\n\tnvcc a.cu\n", "all:\n\t$(MAKE) -C sub nvcc\n\thipcc a.cu\n"),
        ("all:\n\t$(MAKE) -C sub CC=nvcc\n", "all:\n\t$(MAKE) -C sub CC=hipcc\n"),
        ("all:\n\tmake clean && nvcc a.cu\n", "all:\n\tmake clean && hipcc a.cu\n"),
        (
            "WAYS = nvcc clang\nall: $(WAYS)\nnvcc:\n\tnvcc a.cu\n",
            "WAYS = nvcc clang\nall: $(WAYS)\nnvcc:\n\thipcc a.cu\n",
        ),
        ("WAY = nvcc\nnvcc:\n\t$(WAY) a.cu\n", "WAY = hipcc\nnvcc:\n\t$(WAY) a.cu\n"),
    ],
)
def test_a_word_that_make_is_to_make_is_no_compiler(text: str, result: str) -> None:
    assert after(text) == result


@pytest.mark.parametrize(("name", "read"), [("local.mk.linux-x", True), ("local.mkx.linux", False)])
def test_a_part_of_makefiles_for_one_machine_is_a_makefile(tmp_path: Path, name: str, read: bool) -> None:
    (tmp_path / name).write_text("CUDA_NVCC := $(CUDA_DIR)/bin/nvcc\n")
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "build/make-nvcc" for one in found) == read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: a.cpp\n\tg++ $< -lcuda\n", "\tg++ $< -L/opt/rocm/lib -lamdhip64"),
        ("L = -lcuda\na: a.o\n\t$(CXX) $^ $(L)\nb: b.o\n\t$(CXX) $^ $(L)\n", "L = -L/opt/rocm/lib -lamdhip64\n"),
        ("a: a.cpp\n\tg++ $< -L/opt/x -lcuda\n", "\tg++ $< -L/opt/x -L/opt/rocm/lib -lamdhip64"),
        ("W = -L/opt/x\na: a.cpp\n\tg++ $< $(W) -lcuda\n", "\tg++ $< $(W) -L/opt/rocm/lib -lamdhip64"),
        ("W = -L/opt/rocm/x\na: a.cpp\n\tg++ $< $(W) -lcuda\n", "\tg++ $< $(W) -lamdhip64"),
        ("a: a.cpp\n\tg++ $< $(WHERE) -L$(HERE) -lcuda\n", "\tg++ $< $(WHERE) -L$(HERE) -lamdhip64"),
        ("export LIBRARY_PATH=/x\na: a.cpp\n\tLIBRARY_PATH=/x g++ $< -lcuda\n", "g++ $< -lamdhip64"),
        ("a.o: a.cpp\n\tg++ -c $< -lcuda\n", "\tg++ -c $< -lamdhip64"),
        ("a: a.cu\n\tnvcc $< -lcuda\n", "\thipcc $< -lamdhip64"),
    ],
)
def test_a_host_link_without_folders_gets_the_one_of_rocm(text: str, expected: str) -> None:
    assert expected in after(text)
