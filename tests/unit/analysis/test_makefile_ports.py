"""The build for AMD that a Makefile has beside that for CUDA: what it gets, and the condition that asks for it."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_ports
from cudamigrate.frontends import make
from cudamigrate.model import SourceFile

BOTH = """GPU ?= NV
ifeq ($(GPU), AMD)
CC = hipcc
FLAGS = --amdgpu-target=gfx906
else
CC = nvcc
FLAGS = -lineinfo
endif
"""


def gaps(text: str) -> list[str]:
    found = make.parse(SourceFile("Makefile", text.encode(), "make"))
    return [use.name for use in found.uses if use.name != make.PORTED]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a: a.o\n\t$(CC) $(FLAGS) a.o -lcudart\n", ["-lcudart"]),
        ("L = -lcublas\nN = $(L)\na: a.o\n\t$(CC) a.o $(N)\n", ["-lcublas"]),
        ("ifdef DEBUG\nFLAGS += -G\nendif\na: a.o\n\t$(CC) $(FLAGS) a.o\n", ["-G"]),
        ("ifeq ($(GPU), NV)\nFLAGS += -lcudart\nendif\na: a.o\n\t$(CC) $(FLAGS) a.o\n", []),  # another value
        ("ifneq ($(GPU),AMD)\nFLAGS += -lcudart\nendif\na: a.o\n\t$(CC) $(FLAGS) a.o\n", []),
        ("ifdef USE_CUDA\nFLAGS += -lcudart\nendif\na: a.o\n\t$(CC) $(FLAGS) a.o\n", []),
        ("L = -lcublas\na: a.o\n\tnvcc a.o $(L) -lcudart\n", []),  # a command of CUDA's build alone
        ("L = -lcublas\na: a.o\n\tg++ a.o $(L)\n\t$(CC) b.o\n", []),  # the build does not get it
        ("I = -I/usr/local/cuda/include\na: a.o\n\t$(CC) $(I) a.cu\n", []),  # a folder that is not there
    ],
)
def test_what_the_build_for_amd_gets_of_cuda_is_a_gap(text: str, names: list[str]) -> None:
    assert gaps(BOTH + text) == ["--amdgpu-target=gfx906", *names]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (BOTH, b"ifeq ($(GPU),AMD)"),
        ("ifdef NV\nCC = nvcc\nelse\nCC = hipcc\nendif\n", b"ifndef NV"),
        ('ifeq "$(G)" "nv"\nCC = nvcc\nelse ifeq "$(G)" "amd"\nCC = hipcc\nendif\n', b"ifeq ($(G),amd)"),
        ("ifneq ($(A),1)\nCC = nvcc\nelse\nCC = hipcc\nendif\n", b"ifeq ($(A),1)"),
    ],
)
def test_the_condition_of_the_build_for_amd(text: str, asks: bytes) -> None:
    found = makefile_ports.switch(text.encode())
    assert found is not None and [one.text()[0] for one in found] == [asks]


def test_no_one_condition_asks_for_several_or_for_none() -> None:
    assert makefile_ports.switch(b"CC = hipcc\n") is None
    assert makefile_ports.switch(b"ifdef A\nifdef B\nCC = hipcc\nendif\nendif\n") == ()
    assert makefile_ports.switch(b"ifeq ($(shell uname),A)\nCC = hipcc\nendif\n") == ()


@pytest.mark.parametrize(
    ("between", "known"),
    [("A = 1\n", True), ("GPU ?= NV\n", True), ("GPU = AMD\n", False), ("GPU = $(X)\n", False), ("include x\n", False)],
)
def test_a_condition_is_known_where_nothing_sets_it_between(between: str, known: bool) -> None:
    data = f"{between}ifeq ($(GPU),AMD)\nCC = hipcc\nendif\ninclude y\n".encode()
    (test,) = makefile_ports.switch(data) or ()
    assert makefile_ports.is_known(data, test, 0) is known
