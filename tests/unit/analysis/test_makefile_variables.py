"""Which variables reach nvcc, and which of them hold GPUs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.analysis import makefile_families, makefile_gpus, makefile_variables
from cudamigrate.compilation import makefile_flags

RECIPE = "a: a.cu\n\t$(NVCC) $(F) $<\n"


def changed(text: str, gpus: tuple[str, ...] = ("gfx90a",)) -> tuple[list[str], list[str]]:
    """New options and new values, in the order of the file."""
    found = makefile_gpus.changes(makefile_variables.read("Makefile", {"Makefile": text.encode()}), "Makefile", gpus)
    return [" ".join(found.options[at]) for at in sorted(found.options)], [
        found.values[at] for at in sorted(found.values)
    ]


@pytest.mark.parametrize(
    ("text", "options", "values"),
    [
        (f"A = sm_60\nF = -arch=$(A)\n{RECIPE}", ["--offload-arch=$(A)"], ["gfx90a"]),
        (f"A = 70\nF = -gencode arch=compute_$(A),code=sm_$(A)\n{RECIPE}", ["--offload-arch=$(A)"], ["gfx90a"]),
        (f"B = 70\nA = sm_$(B)\nF = -arch $(A)\n{RECIPE}", ["--offload-arch=$(A)"], ["gfx90a", "$(B)"]),
        (f"A = 60 70\nF = $(foreach s,$(A),-arch=sm_$(s))\n{RECIPE}", ["--offload-arch=$(s)"], ["gfx90a"]),
        (f"A = sm_60\nA += sm_70\nF = -arch=$(A)\n{RECIPE}", ["$(addprefix --offload-arch=,$(A))"], ["gfx90a"] * 2),
        (
            f"A = 60 70\nF = $(foreach s,$(A),-arch=sm_$(s))\nN = $(lastword $(A))\nG = -arch=sm_$(N)\n{RECIPE}",
            ["--offload-arch=$(s)", "$(addprefix --offload-arch=,$(N))"],
            ["gfx90a"],
        ),
        (
            f"A = 60 70\nF = $(foreach s,$(A),-arch=sm_$(s))\nN = $(lastword $(A))\nD = build-$(N)\n"
            f"G = -arch=sm_$(N)\n{RECIPE}",
            ["--offload-arch=gfx90a"] * 2,
            [],
        ),
        # used for something else, unknown, or not of NVIDIA's GPUs: the option names the GPU, or is left
        (f"A = sm_60\nD = build-$(A)\nF = -arch=$(A)\n{RECIPE}", ["--offload-arch=gfx90a"], []),
        (f"A = sm_60\nifeq ($(A),sm_60)\nX = 1\nendif\nF = -arch=$(A)\n{RECIPE}", ["--offload-arch=gfx90a"], []),
        (f"A = $(shell ask)\nF = -arch=sm_$(A)\n{RECIPE}", ["--offload-arch=gfx90a"], []),
        (f"F = -gencode arch=compute_$(A),code=sm_$(A)\n{RECIPE}", ["--offload-arch=gfx90a"], []),
        ("A = arm64\nF = -arch $(A)\na: a.c\n\t$(CC) $(F) $<\n", [], []),
    ],
)
def test_gpus_are_followed_where_nothing_else_uses_them(text: str, options: list[str], values: list[str]) -> None:
    assert changed(text) == (options, values)


@pytest.mark.parametrize(
    ("text", "nvcc", "host"),
    [
        ("CC = nvcc\na: a.cu\n\t$(CC) $(F) $<\n", True, False),
        ("CC = $(HOME)/bin/nvcc -g\na: a.cu\n\t@$(CC) $(F) $<\n", True, False),
        ("NVCC = $(shell which nvcc)\na: a.cu\n\tcd x && $(NVCC) $(F) $<\n", True, False),
        ("X = $(F)\nCC = nvcc\na: a.cu\n\t$(CC) $(X) $<\n", True, False),
        ("CXX = nvcc\nCXXFLAGS = $(F)\na: a.o\n", True, False),
        ("CC = gcc\na: a.c\n\t$(CC) $(F) $<\n", False, True),
        ("a: a.c\n\t$(CC) $(F) $<\n", False, True),
        ("CC = nvcc\na: a.cu\n\techo $(F)\n", False, False),
        ("A = $(A)\na: a.cu\n\t$(A) $(F)\n", False, False),
    ],
)
def test_a_variable_reaches_the_compiler_of_the_recipe(text: str, nvcc: bool, host: bool) -> None:
    found = makefile_variables.read("Makefile", {"Makefile": text.encode()})
    assert ("F" in found.nvcc, "F" in found.host) == (nvcc, host)


def test_families_are_files_that_include_each_other() -> None:
    files = {
        "common/make.config": b"A = sm_60\n",
        "x/Makefile": b"include ../common/make.config\n",
        "y/Makefile": b"include $(TOP)/make.config\n",
        "z/Makefile": b"# include ../common/make.config\n",
    }
    found = makefile_families.families(files)
    assert set(found) == {"common/make.config", "x/Makefile", "y/Makefile"}
    assert set(found["common/make.config"]) == {"x/Makefile", "y/Makefile"}
    assert set(found["x/Makefile"]) == {"common/make.config"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("include $(PWD)/../common/template.mk", ["common/template.mk"]),
        ("include ${CURDIR}/template.mk", ["x/template.mk"]),
        ("include $(TOP)/template.mk", []),  # three end so
        ("include $(PWD)/$(A)/../template.mk", []),
    ],
)
def test_the_folder_that_make_runs_in_is_the_makefiles(text: str, found: list[str]) -> None:
    files = dict.fromkeys(("common/template.mk", "x/template.mk", "template.mk"), b"A = sm_60\n")
    files["x/Makefile"] = f"{text}\n".encode()
    assert list(makefile_families.families(files).get("x/Makefile", {})) == found


def test_makefiles_that_include_each_other_are_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    family = {"Makefile": b"include hosts/*.mk\nall: a.cu\n\t$(CC) $(F) $<\n"}
    family |= {f"hosts/{number}.mk": b"CC = nvcc\nF = -arch=sm_%d\n" % number for number in range(70, 90)}
    followed = list[object]()
    follow = makefile_variables._follow
    monkeypatch.setattr(makefile_variables, "_follow", lambda some: (followed.append(some), follow(some))[1])
    read = [makefile_variables.read(name, family) for name in family]
    assert all({"F", "CC"} <= one.nvcc and one.files[0].path == name for one, name in zip(read, family, strict=True))
    assert len(followed) == 1


def test_variables_that_name_others_more_than_once_are_expanded_once() -> None:
    reading = makefile_flags.Reading(Path("/"))
    reading.values = {f"A{at}": f"$(sort $(A{at - 1}) $(A{at - 1}))" for at in range(1, 7)} | {"A0": "-O2"}
    assert reading.expanded("$(A6) $(A6)") == "-O2 -O2"
    assert reading._replaced < 40


def test_what_a_variable_is_later_is_not_what_it_was() -> None:
    reading = makefile_flags.Reading(Path("/"))
    reading.values = {"A": "$(B)", "B": "1"}
    before = reading.expanded("$(A)")
    reading._assign("B", "=", "2")
    assert (before, reading.expanded("$(A)"), reading.expanded("$(foreach B,x y,$(A)) $(A)")) == ("1", "2", "x y 2")
