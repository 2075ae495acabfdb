"""A Makefile's command that calls the host's compiler on HIP's headers gets their folder and the platform's macro."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OPTIONS = " -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include"
SOURCE = "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n"
KERNELS = "k.o: k.cu\n\tnvcc -c k.cu\n"
PATTERN = "CC = g++\n%.o: %.cpp\n\t$(CC) -c -O2 $< -o $@\n" + KERNELS


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The files that come out changed."""
    written(root, files)
    return {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}


def commands(makefile: str) -> list[str]:
    """The recipes that call no compiler for GPUs."""
    return [line.strip() for line in makefile.splitlines() if line.startswith("\t") and "hipcc" not in line]


@pytest.mark.parametrize(
    ("makefile", "expected"),
    [
        pytest.param(PATTERN, f"$(CC){OPTIONS} -c -O2 $< -o $@", id="pattern rule"),
        pytest.param(".cpp.o:\n\tg++ -c $<\n" + KERNELS, f"g++{OPTIONS} -c $<", id="suffix rule"),
        pytest.param("a.o: a.cpp b.h\n\t@g++ -c $<\n" + KERNELS, f"@g++{OPTIONS} -c $<", id="prerequisite"),
        pytest.param(
            "T := a\n$(T): $(T).cpp\n\tg++ $< -o $@\n" + KERNELS, f"g++{OPTIONS} $< -o $@", id="part of a name"
        ),
        pytest.param("S = a.cpp\na: $(S)\n\tgcc $(S) -o a\n" + KERNELS, f"gcc{OPTIONS} $(S) -o a", id="variable"),
        pytest.param(
            "CUDA_PATH = /usr/local/cuda\n" + PATTERN,
            "$(CC) -D__HIP_PLATFORM_AMD__ -I$(ROCM_PATH)/include -c -O2 $< -o $@",
            id="the folder has a variable",
        ),
        pytest.param(
            "CUDAPATH ?= /usr/local/cuda\n" + PATTERN,
            f"$(CC){OPTIONS} -c -O2 $< -o $@",
            id="a variable that keeps its name",
        ),
        pytest.param("CUDAPATH = /usr/local/cuda\n" + PATTERN, f"$(CC){OPTIONS} -c -O2 $< -o $@", id="of another name"),
        pytest.param(PATTERN.replace("\t$(CC)", "\t$(Q)$(CC)"), f"$(Q)$(CC){OPTIONS} -c -O2 $< -o $@", id="kept quiet"),
        pytest.param(
            "FLAGS = -Wall -Werror\n" + PATTERN.replace("-O2", "$(FLAGS)"),
            f"$(CC){OPTIONS} -Wno-error=unused-result -c $(FLAGS) $< -o $@",
            id="warnings are errors",
        ),
        pytest.param(
            PATTERN.replace("-O2", "-Werror=reorder"),
            f"$(CC){OPTIONS} -c -Werror=reorder $< -o $@",
            id="one of them is",
        ),
        pytest.param(
            "CXX = g++\nMPICXX = mpicxx\n%.o: %.cpp\n\t$(Q)OMPI_CXX=$(CXX) $(MPICXX) -c $< -o $@\n" + KERNELS,
            f"$(Q)OMPI_CXX=$(CXX) $(MPICXX){OPTIONS} -c $< -o $@",
            id="after a variable that names a compiler",
        ),
        pytest.param("a:\n\tg++ $(shell ls *.cpp) -o a\n", f"g++{OPTIONS} $(shell ls *.cpp) -o a", id="listed"),
        pytest.param(
            "D = ./\nCC = g++\na:\n\t$(CC) $(wildcard $(D)*.cpp) -I$(ELSEWHERE) -o a\n",
            f"$(CC){OPTIONS} $(wildcard $(D)*.cpp) -I$(ELSEWHERE) -o a",
            id="found",
        ),
        pytest.param(
            'M = "$(shell which mpicxx)"\n%.o: %.cpp\n\t${M} -c $< -o $@\n' + KERNELS,
            f"${{M}}{OPTIONS} -c $< -o $@",
            id="looked up by the shell",
        ),
        pytest.param(
            "M = $(shell command -v clang++ 2>/dev/null)\n%.o: %.cpp\n\t$(M) -c $< -o $@\n" + KERNELS,
            f"$(M){OPTIONS} -c $< -o $@",
            id="looked up quietly",
        ),
        pytest.param("%.o: %.cpp\n\t'g++' -c $<\n" + KERNELS, f"'g++'{OPTIONS} -c $<", id="in quotes"),
        pytest.param(
            'CC = g++\n%.o: %.cpp\n\t"$(CC)" -c $<\n' + KERNELS, f'"$(CC)"{OPTIONS} -c $<', id="variable in quotes"
        ),
        pytest.param("a.o: a.cpp\n\tCC=1 clang++ -c $<\n", f"CC=1 clang++{OPTIONS} -c $<", id="after a variable"),
    ],
)
def test_the_command_gets_what_the_headers_need(tmp_path: Path, makefile: str, expected: str) -> None:
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": SOURCE, "k.cu": "__global__ void k() {}\n"})
    assert commands(made["Makefile"]) == [expected]


@pytest.mark.parametrize(
    ("makefile", "source"),
    [
        pytest.param(PATTERN.replace("g++", "nvcc -x cu"), SOURCE, id="nvcc compiles it"),
        pytest.param(PATTERN.replace("-O2", "-O2 -D__HIP_PLATFORM_AMD__"), SOURCE, id="it says so"),
        pytest.param("CFLAGS = -I/usr/local/cuda/include\n" + PATTERN.replace("-O2", "$(CFLAGS)"), SOURCE, id="a fix"),
        pytest.param(
            "OPT_A = -D__HIP_PLATFORM_AMD__\n" + PATTERN.replace("-O2", "$(OPT_$(SITE))"),
            SOURCE,
            id="one of them says so",
        ),
        pytest.param(
            "CC_A = nvcc\nCC_B = g++\n" + PATTERN.replace("= g++", "= $(CC_$(A)_X)"), SOURCE, id="none of them"
        ),
        pytest.param(PATTERN, "int main() { return 0; }\n", id="no header"),
        pytest.param(PATTERN, "#ifdef __CUDACC__\n" + SOURCE + "#endif\n", id="for nvcc alone"),
        pytest.param(
            PATTERN.replace("= g++", "= $(shell which kernel_compiler)"), SOURCE, id="another program is looked up"
        ),
        pytest.param(PATTERN.replace("= g++", "= $(shell echo g++)"), SOURCE, id="what the shell prints is not known"),
        pytest.param(PATTERN.replace("%.cpp", "other/%.cpp"), SOURCE, id="another folder"),
        pytest.param(PATTERN.replace("%.cpp", "%.c"), SOURCE, id="another suffix"),
    ],
)
def test_a_command_that_needs_nothing_is_left_alone(tmp_path: Path, makefile: str, source: str) -> None:
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": source, "k.cu": "__global__ void k() {}\n"})
    assert OPTIONS not in made.get("Makefile", "")


def test_the_header_is_found_through_another_file_and_folder(tmp_path: Path) -> None:
    header = "#include <cuda_runtime.h>\nstruct pool { cudaStream_t stream; };\n"
    files = {"Makefile": "VPATH = src\n" + PATTERN, "src/a.cpp": '#include "pool.h"\n', "include/pool.h": header}
    assert OPTIONS in converted(tmp_path, files)["Makefile"]


def test_a_folder_with_a_makefile_of_its_own_is_not_meant(tmp_path: Path) -> None:
    made = converted(
        tmp_path, {"Makefile": PATTERN, "sub/Makefile": "all:\n", "sub/a.cpp": SOURCE, "b.cpp": "int b;\n"}
    )
    assert OPTIONS not in made["Makefile"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        pytest.param("tool_CPPFLAGS = -O2\n", "tool_CPPFLAGS = -O2" + OPTIONS, id="of the program"),
        pytest.param("AM_CPPFLAGS = -O2 @OPENMP@\n", "AM_CPPFLAGS = -O2 @OPENMP@" + OPTIONS, id="of all"),
        pytest.param("AM_CPPFLAGS = @CUDA_CFLAGS@\n", "AM_CPPFLAGS = @CUDA_CFLAGS@", id="configure gives it"),
    ],
)
def test_lists_of_automake(tmp_path: Path, flags: str, expected: str) -> None:
    files = {
        "Makefile.am": f"tool_SOURCES = a.cpp k.cu\n{flags}.cu.o:\n\tnvcc -c $<\n",
        "configure.ac": "OPENMP=-fopenmp\nCUDA_CFLAGS=-I$with_cuda/include\n",
        "a.cpp": SOURCE,
    }
    assert expected in converted(tmp_path, files)["Makefile.am"].splitlines()


def test_automake_without_options_is_reported(tmp_path: Path) -> None:
    written(tmp_path, {"Makefile.am": "tool_SOURCES = a.cpp\n", "a.cpp": SOURCE})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/make-host-headers"]
    assert [(one.position.line, one.support, one.fix) for one in found] == [(1, "manual", None)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("nvcc -c $< -x c++", f"hipcc{OPTIONS} -c -x c++ $<", id="behind the input"),
        pytest.param("$(NVCC) -x c++ -c $<", f"$(NVCC){OPTIONS} -x c++ -c $<", id="before it"),
        pytest.param("nvcc $(HOST) -c $<", f"hipcc{OPTIONS} $(HOST) -c $<", id="in a variable"),
        pytest.param("nvcc -c $< -x cu", "hipcc -c -x hip $<", id="for the GPU"),
        pytest.param("nvcc -c $<", "hipcc -c $<", id="by its ending"),
        pytest.param("nvcc -x c++ -c $< -x cu", "hipcc -x c++ -c -x hip $<", id="the last one counts"),
    ],
)
def test_nvcc_compiles_for_the_host_where_the_language_says_so(tmp_path: Path, command: str, expected: str) -> None:
    makefile = f"a.o: a.cpp\n\t{command}\nHOST = -x c++\n{KERNELS}"
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": SOURCE, "k.cu": "__global__ void k() {}\n"})
    assert made["Makefile"].splitlines()[1].strip() == expected


BUILT_IN = "app: a.o k.o\n\tg++ -o app a.o k.o\n" + KERNELS


@pytest.mark.parametrize(
    ("makefile", "expected"),
    [
        pytest.param(BUILT_IN, f"CPPFLAGS +={OPTIONS}\n" + BUILT_IN.replace("nvcc", "hipcc"), id="no variable"),
        pytest.param(
            f"O = a.o\nCPPFLAGS = -Iinclude\n{BUILT_IN.replace('a.o k.o', '$(O) k.o', 1)}",
            f"O = a.o\nCPPFLAGS = -Iinclude{OPTIONS}\n"
            + BUILT_IN.replace("a.o k.o", "$(O) k.o", 1).replace("nvcc", "hipcc"),
            id="its variable",
        ),
        pytest.param(
            f"{BUILT_IN}a.o: a.h\n",
            f"CPPFLAGS +={OPTIONS}\n{BUILT_IN.replace('nvcc', 'hipcc')}a.o: a.h\n",
            id="a rule without a recipe",
        ),
    ],
)
def test_make_s_own_rule_gets_it_by_its_variable(tmp_path: Path, makefile: str, expected: str) -> None:
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": SOURCE, "k.cu": "__global__ void k() {}\n"})
    assert made["Makefile"] == expected


@pytest.mark.parametrize(
    ("makefile", "source"),
    [
        pytest.param(f"CXX = nvcc\n{BUILT_IN}", SOURCE, id="nvcc"),
        pytest.param(f"CXXFLAGS = -D__HIP_PLATFORM_AMD__\n{BUILT_IN}", SOURCE, id="it says so"),
        pytest.param(f"{BUILT_IN}a.o: a.cpp\n\tnvcc -x cu -c a.cpp\n", SOURCE, id="a recipe"),
        pytest.param(f"{BUILT_IN}%.o: %.cpp\n\tnvcc -x cu -c $<\n", SOURCE, id="a pattern"),
        pytest.param(BUILT_IN, "int main() { return 0; }\n", id="no header"),
        pytest.param(BUILT_IN.replace("a.o", "b.o"), SOURCE, id="another object"),
    ],
)
def test_make_s_own_rule_is_left_alone(tmp_path: Path, makefile: str, source: str) -> None:
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": source, "k.cu": "__global__ void k() {}\n"})
    assert OPTIONS not in made["Makefile"]


COPIED = "D = ./src\nput:\n\tln -sf run.h.cuda $(D)/run.h\n\tln -sf run.cpp.cuda $(D)/run.cpp\n"
COPIED += "a: put\n\tg++ $(shell ls $(D)/*.cpp) -I$(GPU) -o a\n"


def test_a_source_that_a_rule_copies_is_one_of_those_in_its_folder(tmp_path: Path) -> None:
    files = {
        "Makefile": COPIED,
        "src/run.cpp.cuda": '#include "run.h"\nint main() { return cudaDeviceSynchronize(); }\n',
        "src/run.h.cuda": "#include <cuda_runtime.h>\n",
    }
    assert f"g++{OPTIONS} $(shell ls" in converted(tmp_path / "a", files)["Makefile"]
    assert "b.mk" not in converted(tmp_path / "c", {**files, "b.mk": "b:\n\tg++ src/*.cpp -o b\n"})
    other = {**files, "Makefile": COPIED.replace("ls $(D)", "ls ./other")}
    assert "Makefile" not in converted(tmp_path / "b", other)


LOOP = "SRC := $(wildcard *.cpp)\nall:\n\tfor file in ${SRC} ; do\\\n\t\t${CXX} -c $$file ${CXXFLAGS};\\\n\tdone\n"


def test_a_loop_of_the_shell_over_sources_compiles_them(tmp_path: Path) -> None:
    made = converted(tmp_path, {"a.cpp": SOURCE, "Makefile": LOOP + KERNELS, "k.cu": "__global__ void k() {}\n"})
    assert f"${{CXX}}{OPTIONS} -c $$file" in made["Makefile"]


@pytest.mark.parametrize(
    "makefile",
    [
        pytest.param(LOOP.replace("-c $$file", "-c $$other"), id="another variable of the shell"),
        pytest.param(LOOP.replace("*.cpp", "plain/*.cpp"), id="another folder"),
    ],
)
def test_a_loop_that_compiles_no_such_source_stays(makefile: str, tmp_path: Path) -> None:
    made = converted(tmp_path, {"a.cpp": SOURCE, "plain/b.cpp": "int b;\n", "Makefile": makefile + KERNELS})
    assert OPTIONS not in made["Makefile"]


@pytest.mark.parametrize(
    ("top", "given"),
    [
        pytest.param("CXXFLAGS = -O2\nexport CXXFLAGS\nall:\n\tmake --directory lib\n", True, id="exported without"),
        pytest.param(
            "CXXFLAGS = -D__HIP_PLATFORM_AMD__\nexport CXXFLAGS\nall:\n\tmake --directory lib\n",
            False,
            id="exported with",
        ),
        pytest.param("CXXFLAGS = -D__HIP_PLATFORM_AMD__\nall:\n\t$(MAKE) -C lib\n", True, id="kept to itself"),
        pytest.param("export CXX = hipcc\nall:\n\t$(MAKE) -C lib\n", False, id="a compiler for GPUs"),
        pytest.param("export CXX = hipcc\nall:\n\t$(MAKE) -C other\n", True, id="of another folder"),
    ],
)
def test_what_the_calling_makefile_exports_is_enough(top: str, given: bool, tmp_path: Path) -> None:
    made = converted(tmp_path, {"lib/a.cpp": SOURCE, "lib/Makefile": LOOP + KERNELS, "Makefile": top})
    assert (OPTIONS in made["lib/Makefile"]) is given


@pytest.mark.parametrize(
    ("path", "needs"), [("src/app/main.cpp", True), ("src/main.cpp", True), ("app/main.cpp", False)]
)
def test_a_pattern_with_a_folder_means_all_below_it(tmp_path: Path, path: str, needs: bool) -> None:
    makefile = PATTERN.replace("%.o: %.cpp", "obj/%.o: src/%.cpp")
    made = converted(tmp_path, {"Makefile": makefile, path: SOURCE, "k.cu": "__global__ void k() {}\n"})
    assert (OPTIONS in made.get("Makefile", "")) is needs


@pytest.mark.parametrize(
    ("makefiles", "needs"),
    [
        ({"Debug/makefile": "-include src/subdir.mk\n"}, True),
        ({}, False),  # by itself it would compile sources of another folder
        ({"Debug/makefile": "-include src/subdir.mk\n", "Release/makefile": "include ../Debug/src/subdir.mk\n"}, False),
    ],
)
def test_paths_of_an_included_makefile_count_from_where_make_runs(
    makefiles: dict[str, str], needs: bool, tmp_path: Path
) -> None:
    rules = "src/%.o: ../src/%.c\n\tnvcc -G -M -o $@ $<\n\tnvcc --compile -x c -o $@ $<\n"
    files = {**makefiles, "Debug/src/subdir.mk": rules, "src/a.c": SOURCE}
    made = converted(tmp_path, files)["Debug/src/subdir.mk"]
    assert (f"\thipcc{OPTIONS} --compile -x c -o $@ $<" in made or f"\thipcc{OPTIONS} -c -x c" in made) is needs


@pytest.mark.parametrize(("source", "needs"), [("a.c", True), ("a.cpp", False), ("a.cu", False)])
def test_nvcc_compiles_c_for_the_host_where_no_language_is_said(source: str, needs: bool, tmp_path: Path) -> None:
    rules = f"a.o: {source}\n\tnvcc -c -o a.o {source}\n"
    made = converted(tmp_path, {"Makefile": rules, source: SOURCE, "other.c": "int f(void);\n"})["Makefile"]
    assert f"\thipcc{OPTIONS if needs else ''} -c -o a.o {source}" in made


def test_a_variable_that_adds_to_itself_in_many_lines_is_read_once(tmp_path: Path) -> None:
    added = "".join(f"FLAGS := $(FLAGS) -DN{number} $(SOURCES)\n" for number in range(60))
    makefile = f"SOURCES := a.cpp $(FLAGS)\n{added}a: $(SOURCES)\n\tg++ $(FLAGS) -o a\n{KERNELS}"
    made = converted(tmp_path, {"Makefile": makefile, "a.cpp": SOURCE, "k.cu": "__global__ void k() {}\n"})
    assert commands(made["Makefile"]) == [f"g++{OPTIONS} $(FLAGS) -o a"]
