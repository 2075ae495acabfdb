"""Files that Makefiles include by names which say nothing are read as Makefiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.pipeline import included_makefiles
from cudamigrate.project import discovery

RULES = "%.o: %.cu\n\t$(NVCC) -lineinfo -c $<\n"
LINES = "-gline-tables-only"


def read(root: Path, files: dict[str, str], config: Config | None = None) -> dict[str, str]:
    """The files that are read of a tree with these, with their languages."""
    written(root, files)
    config = config or Config()
    inventory = included_makefiles.added(root, discovery.discover(root, config, known_files()), config)
    return {entry.path: entry.language for entry in inventory.entries}


@pytest.mark.parametrize("include", ["include", "-include", "sinclude"])
def test_an_included_file_is_read_as_a_makefile(include: str, tmp_path: Path) -> None:
    files = {"src/Makefile": f"{include} make_targets\n", "src/make_targets": RULES}
    assert read(tmp_path, files)["src/make_targets"] == "make"


def test_what_such_a_file_includes_is_read_too(tmp_path: Path) -> None:
    files = {"a/Makefile": "include $(TOP)/build/rules\n", "build/rules": "include more.settings\n"}
    found = read(tmp_path, {**files, "build/more.settings": "NVCC = nvcc\n"})
    assert found == {"a/Makefile": "make", "build/rules": "make", "build/more.settings": "make"}


@pytest.mark.parametrize(
    "makefile",
    [
        "all:\n\tcat make_targets\n",
        "# include make_targets\n",
        "include make_target\n",
        "all:\n\tinclude make_targets\n",
    ],
)
def test_a_file_that_no_makefile_includes_is_not_read(makefile: str, tmp_path: Path) -> None:
    assert read(tmp_path, {"Makefile": makefile, "make_targets": RULES}) == {"Makefile": "make"}


def test_a_name_that_tells_a_language_keeps_it(tmp_path: Path) -> None:
    files = {"Makefile": "include list.inc\n", "list.inc": "int a[] = {1};\n"}
    assert read(tmp_path, files)["list.inc"] == "cxx"


def test_a_file_that_is_excluded_stays_out(tmp_path: Path) -> None:
    files = {"Makefile": "include make_targets\n", "make_targets": RULES}
    assert read(tmp_path, files, Config(exclude=("make_targets",))) == {"Makefile": "make"}


def test_its_rules_are_converted_with_the_variables_of_the_makefile(tmp_path: Path) -> None:
    written(tmp_path, {"Makefile": "NVCC = nvcc\ninclude make_targets\n", "make_targets": RULES})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert made == {
        "Makefile": "NVCC = hipcc\ninclude make_targets\n",
        "make_targets": RULES.replace("-lineinfo", LINES),
    }


def test_a_variable_in_the_name_may_mean_any_file_of_that_name(tmp_path: Path) -> None:
    files = {
        "Makefile": "-include sites/make.inc.$(site)\nARCH ?= -arch=sm_70\na: a.cu\n\tnvcc $(ARCH) a.cu\n",
        "sites/make.inc.here": "ARCH = -arch=sm_80\n",
        "sites/make.note.here": "ARCH = -arch=sm_80\n",
        "sites/below/make.inc.there": "ARCH = -arch=sm_80\n",
    }
    assert read(tmp_path, files) == {"Makefile": "make", "sites/make.inc.here": "make"}
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert made["sites/make.inc.here"] == "ARCH = --offload-arch=gfx90a --offload-arch=gfx942\n"


def test_a_name_that_a_variable_holds_almost_whole_says_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, {"Makefile": "include $(A).x\ninclude b/$(C)\n", "y.x": "", "b/y": ""}) == {
        "Makefile": "make"
    }


@pytest.mark.parametrize(
    ("include", "read_too"),
    [
        ("include $(TOP)/build/$(MACHINE).opts", True),
        ("include ${TOP}/build/$(MACHINE).opts", True),
        ("include $(TOP)/other/$(MACHINE).opts", False),
        ("include $(TOP)/$(KIND)/$(MACHINE).opts", False),
        ("include $(MACHINE).opts", False),
        ("-include $(TOP)/build/$(OBJECT).d", False),
    ],
)
def test_a_variable_may_be_all_of_a_name_but_its_ending(include: str, read_too: bool, tmp_path: Path) -> None:
    files = {"src/gpu/Makefile": f"{include}\n", "build/here.opts": "NVCC = nvcc\n", "build/a.d": "a.o: a.cu\n"}
    assert read(tmp_path, files).keys() - {"src/gpu/Makefile"} == ({"build/here.opts"} if read_too else set())
