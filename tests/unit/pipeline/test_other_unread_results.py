"""`-Werror` in Meson's and Bazel's files and CMake's presets, and results of HIP's that C++ sources leave unread."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

RULES = ("build/cmake-unread-results", "build/unread-results")
CALLS = {
    "src/unread.cpp": "#include <cuda_runtime.h>\nvoid run() { cudaDeviceSynchronize(); }\n",
    "src/read.cpp": "#include <cuda_runtime.h>\nint go() { return cudaDeviceSynchronize(); }\n",
    "src/k.cu": "__global__ void k() {}\n",
}
MESON = "project('p', 'cpp', 'cuda')\n"
BOTH = "executable('a', 'src/unread.cpp', 'src/k.cu')\nexecutable('b', 'src/read.cpp')\n"
WORKSPACE = {"MODULE.bazel": "", "src/BUILD": 'cc_library(name = "a", srcs = ["unread.cpp"])\n'}


def found(root: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """The files with a finding, and what it is at."""
    written(root, {**CALLS, **files})
    findings = pipeline.apply(root, Config(jobs=1)).report.findings
    return [(one.path, _at(root, one)) for one in findings if one.rule in RULES]


def _at(root: Path, finding: Finding) -> str:
    return (root / finding.path).read_bytes()[finding.span.start : finding.span.end].decode()


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("project('p', 'cpp', 'cuda', default_options: ['werror=true'])\n" + BOTH, "werror=true"),
        ("project('p', 'cpp', default_options: {'werror': true})\n" + BOTH, "werror"),
        (MESON + "add_project_arguments('-Werror', language: 'cpp')\n" + BOTH, "-Werror"),
        (
            MESON + "strict = ['-Wall', '-Werror']\nadd_project_arguments(strict, language: ['cpp', 'c'])\n" + BOTH,
            "-Werror",
        ),
        (MESON + "executable('a', 'src/unread.cpp', cpp_args: '-Werror')\n", "-Werror"),
        (MESON + "executable('a', more, cpp_args: '-Werror')\nexecutable('b', 'src/unread.cpp')\n", "-Werror"),
        (MESON + "executable('a', 'src/unread.cpp', override_options: ['werror=true'])\n", "werror=true"),
    ],
)
def test_errors_of_warnings_in_meson_are_reported(text: str, option: str, tmp_path: Path) -> None:
    assert found(tmp_path, {"meson.build": text}) == [("meson.build", option)]


@pytest.mark.parametrize(
    "text",
    [
        "project('p', 'cpp', 'cuda', default_options: ['werror=false'])\n" + BOTH,
        MESON + "add_project_arguments('-Werror', language: 'c')\n" + BOTH,
        MESON + "message('-Werror')\n" + BOTH,
        MESON + BOTH.replace("'src/read.cpp'", "'src/read.cpp', cpp_args: '-Werror'"),
        MESON + "add_project_arguments('-Werror', language: 'cpp')\nexecutable('b', 'src/read.cpp')\n",
        MESON + "add_project_arguments('-Werror', '-Wno-error=unused-result', language: 'cpp')\n" + BOTH,
        "project('p', 'cpp', default_options: ['werror=true', 'cpp_std=c++14'])\n" + BOTH,
    ],
)
def test_in_meson_what_makes_no_error_is_not(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, {"meson.build": text}) == []


def test_a_folder_of_meson_gives_its_own_targets_options(tmp_path: Path) -> None:
    inner = "executable('a', 'unread.cpp', cpp_args: ['-Werror'])\n"
    assert found(tmp_path, {"meson.build": MESON + "subdir('src')\n", "src/meson.build": inner}) == [
        ("src/meson.build", "-Werror")
    ]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({".bazelrc": "build --copt=-Werror\n"}, ".bazelrc"),
        ({".bazelrc": "build:strict --cxxopt -Werror\n"}, ".bazelrc"),
        ({"src/BUILD": 'cc_library(name = "a", srcs = ["unread.cpp"], copts = ["-Wall", "-Werror"])'}, "src/BUILD"),
        ({"src/BUILD": 'cc_binary(name = "a", srcs = glob(["u*.cpp"]), copts = ["-Werror"])'}, "src/BUILD"),
        ({"src/BUILD": 'O = ["-Werror"]\ncc_test(name = "a", srcs = ["unread.cpp"], copts = O)'}, "src/BUILD"),
        (
            {
                "src/BUILD": 'load(":d.bzl", "lib")\nlib("a", ["unread.cpp"])',
                "src/d.bzl": 'def lib(name, srcs):\n  native.cc_library(name = name, srcs = srcs, copts = ["-Werror"])',
            },
            "src/d.bzl",
        ),
    ],
)
def test_errors_of_warnings_in_bazel_are_reported(files: dict[str, str], place: str, tmp_path: Path) -> None:
    assert [path for path, _ in found(tmp_path, {**WORKSPACE, **files})] == [place]


@pytest.mark.parametrize(
    "files",
    [
        {".bazelrc": "# build --copt=-Werror\nbuild --copt=-Werror=format --host_copt=-Werror\n"},
        {".bazelrc": "build --copt=-Werror --copt=-Wno-error=unused-result\n"},
        {".bazelrc": "build --copt=-Werror --cxxopt=-std=c++14\n"},
        {"src/BUILD": 'cc_library(name = "a", srcs = ["read.cpp"], copts = ["-Werror"])'},
        {"src/BUILD": 'cc_library(name = "a", srcs = ["unread.cpp"], conlyopts = ["-Werror"])'},
    ],
)
def test_in_bazel_what_makes_no_error_is_not(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, {**WORKSPACE, **files}) == []


PRESET = '{"version": 3, "configurePresets": [{"name": "a", "cacheVariables": {%s}}]}\n'
CMAKE = "cmake_minimum_required(VERSION 3.21)\nproject(app CXX CUDA)\nadd_library(app src/unread.cpp src/k.cu)\n"


@pytest.mark.parametrize(
    ("pair", "after"),
    [
        ('"CMAKE_CXX_FLAGS": "-Wall -Werror"', '"CMAKE_CXX_FLAGS": "-Wall -Werror -Wno-error=unused-result"'),
        (
            '"CMAKE_CXX_FLAGS_DEBUG": {"type": "STRING", "value": "-Werror -g"}',
            '"CMAKE_CXX_FLAGS_DEBUG": {"type": "STRING", "value": "-Werror -Wno-error=unused-result -g"}',
        ),
        ('"CMAKE_COMPILE_WARNING_AS_ERROR": true', '"CMAKE_COMPILE_WARNING_AS_ERROR": true'),
    ],
)
def test_a_preset_keeps_such_calls_warnings(pair: str, after: str, tmp_path: Path) -> None:
    written(tmp_path, {**CALLS, "CMakeLists.txt": CMAKE, "CMakePresets.json": PRESET % pair})
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    changed = {one.path: one.after.decode() for one in applied.conversions}
    assert changed.get("CMakePresets.json", PRESET % pair) == PRESET % after
    assert [one.path for one in applied.report.findings if one.rule == "build/cmake-unread-results"] == [
        "CMakePresets.json"
    ]


@pytest.mark.parametrize(
    ("pair", "source"),
    [
        ('"CMAKE_CXX_FLAGS": "-Wall -Werror"', "src/read.cpp"),
        ('"CMAKE_CXX_FLAGS": "-Werror -Wno-unused-result"', "src/unread.cpp"),
        ('"CMAKE_CUDA_FLAGS": "-Werror"', "src/unread.cpp"),
        ('"MY_NOTE": "-Werror"', "src/unread.cpp"),
    ],
)
def test_one_that_makes_no_errors_of_them_stays(pair: str, source: str, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": CMAKE.replace("src/unread.cpp", source), "CMakePresets.json": PRESET % pair}
    assert [one for one in found(tmp_path, files) if one[0] == "CMakePresets.json"] == []
