"""Templates of Makefiles know the compilers and GPUs that a configure script puts into their variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, written

from cudamigrate import pipeline
from cudamigrate.config import Config

TEMPLATE = "lib.so: a.cu\n\t$(NVCC) -ccbin=$(MPICXX) --shared -o $@ a.cu\n"
INPUT = "NVCC = @NVCC@\nMPICXX = @MPICXX@\n" + TEMPLATE


def of_choice(tmp_path: Path, files: dict[str, str]) -> list[str]:
    """The rules of what is said of the choice of a host compiler."""
    found = pipeline.scan(written(tmp_path, {"a.cu": KERNEL, **files}), Config(jobs=1)).findings
    return sorted(one.rule.removeprefix("build/flag-host-") for one in found if "flag-host-" in one.rule)


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ('MPICXX="mpicxx"\nAC_SUBST(MPICXX)\n', "wrapper"),
        ("AC_CHECK_PROGS([MPICXX], [hcp mpic++ g++])\n", "wrapper"),
        ("ACX_MPI([], [AC_MSG_ERROR([no MPI])])\n", "wrapper"),
        ("  AX_MPI\n", "wrapper"),
        ('#AX_MPI\ndnl MPICXX="mpicxx"\nMPICXX="g++"\nMPICC=mpicc\n', "compiler"),
        ("AC_CHECK_PROGS([MPICXX], [g++ c++])\nCXX=mpicxx\n", "compiler"),
        ("AC_PROG_CXX\n", "compiler"),
    ],
)
def test_a_wrapper_of_the_configure_script_is_one(tmp_path: Path, script: str, kind: str) -> None:
    files = {"configure.ac": f"AC_INIT([a], [1])\n{script}", "Makefile.am": TEMPLATE, "src/Makefile.in": INPUT}
    assert of_choice(tmp_path, files) == [kind, kind]


def test_the_script_of_another_folder_gives_nothing(tmp_path: Path) -> None:
    files = {"other/configure.ac": "AX_MPI\n", "Makefile.am": TEMPLATE, "own/Makefile": INPUT, "configure.ac": ""}
    assert of_choice(tmp_path, files) == ["compiler", "compiler"]


LINES = "GPU = {}\nCUDA_FLAGS = -arch $(GPU) -O3\nNVCC = @NVCC@\na.o: a.cu\n\t$(NVCC) $(CUDA_FLAGS) -c a.cu\n"


@pytest.mark.parametrize(("value", "changes"), [("@GPU_ARCH@", True), ("arm64", False), ("@A@ @B@", False)])
def test_what_configure_fills_in_is_a_gpu_of_nvidias_for_nvcc(tmp_path: Path, value: str, changes: bool) -> None:
    written(tmp_path, {"Makefile.in": LINES.format(value), "a.cu": KERNEL})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert ("CUDA_FLAGS = --offload-arch=gfx90a" in made.get("Makefile.in", "")) is changes
