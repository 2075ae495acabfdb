"""What a Makefile takes from outside: folders of a toolkit, files for its tools, rules, text that a script puts in."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import make
from cudamigrate.model import SourceFile, Use
from cudamigrate.pipeline.rule_tests import find_in_text


def uses(text: str) -> list[Use]:
    return list(make.parse(SourceFile("Makefile", text.encode(), "make")).uses)


def after(text: str) -> str:
    return find_in_text(text, "Makefile", unsafe=True).after


@pytest.mark.parametrize(
    ("path", "place", "told"),
    [
        ("Makefile_base", "@@@FLAGS@@@", True),
        ("Makefile", "%%FLAGS%%", True),
        ("Makefile", "{{ gpu.flags }}", True),
        ("Makefile.in", "@FLAGS@", False),
        ("Makefile", "%.o %.cu", False),
    ],
)
def test_what_a_script_puts_in_for_the_compiler_is_reported(path: str, place: str, told: bool) -> None:
    text = f"NVCCFLAGS = -O3 {place}\nCUDA_PATH = {place}\na.o: a.cu\n\tnvcc $(NVCCFLAGS) -c a.cu\n"
    text += f"b.o: b.c\n\tgcc {place} -c b.c\n"
    found = [use.name for use in make.parse(SourceFile(path, text.encode(), "make")).uses]
    assert found.count("text put in for nvcc") == told


def test_an_archive_that_a_binary_tool_is_given_stays_cudas() -> None:
    text = "A = $(CUDA_HOME)/lib64/libcufft_static.a\nB = $(CUDA_HOME)/lib64/libcublas_static.a\nTOOL = nvprune\n"
    rule = "p.a: $(A) Makefile\n\t@NVPRUNE@ -o $@ $<\na: a.o $(B)\n\tg++ -o $@ $^\n"
    assert [use.name for use in uses(text + rule) if "tool" in use.name] == ["binary tool of CUDA"] * 2
    assert "libcufft_static.a" in after(text + rule)
    assert "libhipblas.so" in after(text + rule)


@pytest.mark.parametrize(
    ("nvcc", "made"),
    [
        ("/home/me/cuda-12.4/bin/nvcc", "/opt/rocm/bin/hipcc"),
        ("/apps/hpc/22.5/compilers/bin/nvcc -O3", "/opt/rocm/bin/hipcc -O3"),
        ("/usr/bin/nvcc", "/usr/bin/hipcc"),
        ("$(TOP)/cuda/bin/nvcc", "$(TOP)/cuda/bin/hipcc"),
    ],
)
def test_nvcc_by_its_path_becomes_hipcc_by_its_own(nvcc: str, made: str) -> None:
    assert after(f"nvcc = {nvcc}\na: a.cu\n\t$(nvcc) a.cu\n") == f"nvcc = {made}\na: a.cu\n\t$(nvcc) a.cu\n"


def test_the_folder_that_nvcc_is_in_is_the_toolkit_wherever_it_is_named() -> None:
    text = (
        "NVCC = /apps/cuda-12/bin/nvcc\nL = -L/apps/cuda-12/lib64 -L/apps/cuda-12.1/lib64 -L/data/apps/cuda-12/lib64\n"
    )
    made = "NVCC = /opt/rocm/bin/hipcc\nL = -L/opt/rocm/lib -L/apps/cuda-12.1/lib64 -L/data/apps/cuda-12/lib64\n"
    assert after(text) == made


def test_a_library_called_as_other_things_is_one_beside_libraries_of_cudas() -> None:
    text = "NVCC = nvcc\nlibs = cuda cudart m\nmore_libs = cuda m\n"
    assert after(text) == "NVCC = hipcc\nlibs = amdhip64 amdhip64 m\nmore_libs = cuda m\n"
    assert [one.rule for one in find_in_text("lib = cublas cudnn\n", "Makefile").findings] == ["build/make-library"] * 2


def test_a_kind_of_warnings_that_only_nvcc_has_means_nvcc() -> None:
    assert after("NVCC = nvcc\nW = -g -Werror=all-warnings\n") == "NVCC = hipcc\nW = -g\n"
    assert after("NVCC = nvcc\nS = -Werror=reorder\n") == "NVCC = hipcc\nS = -Werror=reorder\n"


SDK = "EXECUTABLE := app\nCUFILES := app.cu\nCUDACCFLAGS = --use_fast_math\nCCFILES := main.c\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (SDK + "include ./common/common.mk\n", ["./common/common.mk"]),
        (SDK + "include $(SDK_HOME)/common/common.mk\n", ["$(SDK_HOME)/common/common.mk"]),
        ("CUFILES := app.cu\ninclude ../../common/common.mk\n", ["../../common/common.mk"]),
        (SDK + "-include ./common/common.mk\n", []),
        (SDK + "include $(DEPS)\ninclude *.d\n", []),
        (SDK + "include config.mk\napp: $(CUFILES)\n\t$(NVCC) $^ -o $@\n", []),
        ("CXXFLAGS = -O3\nCCFILES := main.c\nLIBS = -L/usr/local/cuda/lib64\ninclude ./common/common.mk\n", []),
    ],
)
def test_rules_in_a_file_that_is_not_in_the_repository_are_reported(text: str, named: list[str]) -> None:
    told = [use for use in uses(text) if use.name == "include from outside"]
    assert [text[use.span.start : use.span.end] for use in told] == named


def test_rules_in_a_file_of_the_repository_are_not() -> None:
    source = SourceFile("src/Makefile", f"{SDK}include ./common/common.mk\n".encode(), "make")
    peers = {"src/common/common.mk": b"%.o: %.cu\n\tnvcc $(CUDACCFLAGS) -c $< -o $@\n"}
    assert "include from outside" not in [use.name for use in make.parse_among(source, peers).uses]
