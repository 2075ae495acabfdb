"""What targets of a Bazel workspace give their sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.build_settings import Settings

RULES = """
def gpu(name, srcs, copts = [], **kwargs):
    extra = kwargs.pop("more", [])
    native.cc_library(name = name, srcs = srcs, copts = SHARED + copts + extra, **kwargs)

SHARED = ["-std=c++20"]
"""


def settings(root: Path, files: dict[str, str], path: str = "lib/a.cu") -> Settings:
    named = {"MODULE.bazel": "", "lib/a.cu": "", "lib/b.cu": "", "lib/in/c.cu": "", **files}
    return build_flags.read(written(root, named)).settings(str(root / path))


def of(root: Path, text: str, **files: str) -> Settings:
    named = {name.replace("_", "/", 1).replace("_", "."): data for name, data in files.items()}
    return settings(root, {"lib/BUILD.bazel": text, "rules/defs.bzl": RULES, **named})


@pytest.mark.parametrize(
    "text",
    [
        'cuda_library(name = "a", srcs = ["a.cu"], copts = ["-std=c++20", "-DN=3"])',
        'cc_library(name = "a", srcs = [":a.cu"], copts = ["-std c++20"], local_defines = ["N=3"])',
        'O = ["-std=c++20"]\nO += ["-DN=3"]\ncc_library(name = "a", srcs = ["//lib:a.cu"], copts = O + ["-O3"])',
        'cc_library(name = "a", srcs = glob(["*.cu"], exclude = ["b.cu"]), copts = ["-std=c++20"], defines = ["N=3"])',
        'load("//rules:defs.bzl", "gpu")\ngpu("a", ["a.cu"], ["-DN=3"])',
        'load("//rules:defs.bzl", cuda = "gpu")\ncuda(name = "a", srcs = ["a.cu"], local_defines = ["N=3"])',
        'load("//rules:defs.bzl", "gpu")\ngpu("a", ["a.cu"], more = ["-DN=%d" % 3])',
        '[cc_library(name = x, srcs = [x + ".cu"], copts = ["-std=c++20", "-DN=3"]) for x in ["a", "b"]]',
        'cc_library(name = "a", srcs = ["a.cu"], copts = ["-std=c++20"], deps = [":b"])\n'
        'cc_library(name = "b", deps = ["//lib:c"])\ncc_library(name = "c", defines = ["N={}".format(3)])',
    ],
)
def test_options_of_a_target_hold_for_its_sources(tmp_path: Path, text: str) -> None:
    found = of(tmp_path, text)
    assert ({*found.defines}, found.standards, found.sources) == ({"N=3"}, {"20"}, ["lib/BUILD.bazel"])


@pytest.mark.parametrize(
    "text",
    [
        'cc_library(name = "a", srcs = ["b.cu"], copts = ["-std=c++20", "-DN=3"])',
        'cc_library(name = "a", srcs = glob(["*.cu"], exclude = ["a.cu"]), copts = ["-DN=3"])',
        'cc_library(name = "a", srcs = ["a.cu"], deps = [":b"])\ncc_library(name = "b", local_defines = ["N=3"])',
        'cc_library(name = "a", srcs = ["a.cu"], host_copts = ["-DN=3"])',
        '# cc_library(name = "a", srcs = ["a.cu"], copts = ["-DN=3"])',
        'cc_library(name = "a", srcs = ["a.cu"], copts = ["-DN=3"]',
        'genrule(name = "a", outs = ["a.cu"], copts = ["-DN=3"])',
    ],
)
def test_those_of_other_targets_do_not(tmp_path: Path, text: str) -> None:
    found = of(tmp_path, text)
    assert (found.defines, found.some, found.standards) == ({}, set(), set())


@pytest.mark.parametrize(
    ("text", "some", "opened"),
    [
        ('copts = select({"//c:on": ["-DN=3"], "//conditions:default": []})', {"N"}, set()),
        ('copts = if_cuda(["-DN=3"])', {"N"}, set()),
        ('copts = ["-DN=$(COUNT)"]', set(), {"N"}),
        ('local_defines = ["N=" + count()]', set(), {"N"}),
    ],
)
def test_what_a_choice_gives_is_that_of_some_builds(
    tmp_path: Path, text: str, some: set[str], opened: set[str]
) -> None:
    found = of(tmp_path, f'cc_library(name = "a", srcs = ["a.cu"], {text})')
    assert (found.defines, found.some, found.open) == ({}, some, opened)


def test_two_targets_of_a_source_give_what_both_do(tmp_path: Path) -> None:
    targets = [f'cc_library(name = "{n}", srcs = ["a.cu"], copts = ["-DA", "-DN={n}"])' for n in (1, 2)]
    found = of(tmp_path, "\n".join(targets))
    assert ({*found.defines}, found.some) == ({"A"}, {"N"})


def test_folders_of_a_dependency_are_searched(tmp_path: Path) -> None:
    text = 'cc_library(name = "a", srcs = ["a.cu"], deps = ["//inc:h"])'
    found = of(tmp_path, text, inc_BUILD='cc_library(name = "h", includes = ["api"])', inc_api="")
    assert not found.includes
    files = {"lib/BUILD": text, "inc/BUILD": 'cc_library(name = "h", includes = ["api"])', "inc/api/h.h": ""}
    assert [*settings(tmp_path / "b", files).includes] == [str(tmp_path / "b/inc/api")]


def test_a_package_within_takes_its_files_out_of_a_pattern(tmp_path: Path) -> None:
    text = 'cc_library(name = "a", srcs = glob(["**/*.cu"]), copts = ["-DN=3"])'
    assert [*settings(tmp_path / "a", {"lib/BUILD": text}, "lib/in/c.cu").defines] == ["N=3"]
    files = {"lib/BUILD": text, "lib/in/BUILD": ""}
    assert not settings(tmp_path / "b", files, "lib/in/c.cu").defines


def test_a_folder_that_is_no_workspace_has_no_targets(tmp_path: Path) -> None:
    text = 'cc_library(name = "a", srcs = ["a.cu"], copts = ["-DN=3"])'
    root = written(tmp_path, {"lib/BUILD": text, "lib/a.cu": ""})
    assert not build_flags.read(root).settings(str(root / "lib/a.cu")).defines


def test_beside_cmake_macros_are_those_of_some_builds(tmp_path: Path) -> None:
    text = 'cc_library(name = "a", srcs = ["a.cu"], copts = ["-std=c++20", "-DN=3"])'
    found = settings(tmp_path, {"CMakeLists.txt": "project(p)", "lib/BUILD": text})
    assert (found.defines, found.standards, "N" in found.some) == ({}, set(), True)


def test_a_file_that_loads_itself_ends(tmp_path: Path) -> None:
    again = 'load(":defs.bzl", "gpu")\ndef gpu(name, **kwargs):\n  gpu(name, **kwargs)\n'
    found = of(tmp_path, 'load("//rules:defs.bzl", "gpu")\ngpu("a", srcs = ["a.cu"])', rules_defs_bzl=again)
    assert not found.defines
