"""What Makefiles give to CUDA Fortran alone stays for CUDA, and one place says so."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import make
from cudamigrate.model import SourceFile

OWN = """
FC = pgf90
LIBS = -lcudart
FFT = -lcufft
app: a.o
	$(FC) -Mcuda -o app a.o $(FFT) $(LIBS)
{rule}
	$(FC) -c {source} -I/usr/local/cuda/include
b: b.cu
	nvcc b.cu {libraries}
"""


def uses(text: str) -> list[tuple[str, str]]:
    """The name of each use, and the text at it."""
    source = SourceFile("Makefile", text.encode(), "make")
    return [(use.name, source.text(use.span)) for use in make.parse(source).uses]


@pytest.mark.parametrize(
    ("rule", "source", "place"),
    [("a.o: a.cuf", "a.cuf", "a.cuf"), ("%.o: %.cuf", "$<", "$(FC)"), (".CUF.o:", "$*.CUF", ".CUF")],
)
def test_what_commands_for_cuda_fortran_alone_read_stays(rule: str, source: str, place: str) -> None:
    found = uses(OWN.format(rule=rule, source=source, libraries=""))
    assert found == [("CUDA Fortran", place), ("nvcc", "nvcc")]


def test_a_variable_that_nvcc_reads_too_is_converted() -> None:
    found = uses(OWN.format(rule="a.o: a.cuf", source="a.cuf", libraries="$(LIBS)"))
    assert found == [("-lcudart", "-lcudart"), ("CUDA Fortran", "a.cuf"), ("nvcc", "nvcc")]


def test_a_folder_that_has_another_name_in_the_file_has_it_there_too() -> None:
    text = "CUDA_HOME = /usr/local/cuda\na.o: a.cuf\n\tpgf90 -c a.cuf -I$(CUDA_HOME)/include\n"
    assert uses(text) == [("CUDA Fortran", "a.cuf")]
    names = [name for name, _ in uses(text + "b: b.cu\n\tnvcc -I$(CUDA_HOME)/include b.cu\n")]
    assert names.count("CUDA_HOME") == 3 and names.count("include of CUDA") == 1


@pytest.mark.parametrize(
    "text",
    [
        "app: a.o k.o\n\tpgf90 -Mcuda -o app a.o k.o -lcudart\na.o: a.f90\n\tpgf90 -c a.f90\nk.o: k.cu\n\tnvcc k.cu\n",
        "app: k.o\n\tg++ -o app k.o -lcudart\na.o: a.cuf\n\tpgf90 -c a.cuf\nk.o: k.cu\n\tnvcc -c k.cu\n",
        "app: k.o\n\tpgf90 -Mcuda -o app k.o -lcudart\na.o: a.cuf\n\tpgf90 -c a.cuf\nk.o: k.cu\n\tnvcc -c k.cu\n",
    ],
)
def test_a_link_without_objects_of_cuda_fortran_is_converted(text: str) -> None:
    assert ("-lcudart", "-lcudart") in uses(text)
