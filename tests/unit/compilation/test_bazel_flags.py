"""What settings of Bazel's give the sources of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.build_settings import Settings


def settings(root: Path, files: dict[str, str], path: str) -> Settings:
    return build_flags.read(written(root, files)).settings(str(root / path))


def of(root: Path, text: str, **others: str) -> Settings:
    named = {name.replace("_", "."): data for name, data in others.items()}
    return settings(root, {"MODULE.bazel": "", ".bazelrc": text, "lib/a.cc": "", **named}, "lib/a.cc")


@pytest.mark.parametrize(
    "line",
    [
        "build --cxxopt=-std=c++2b",
        "build --cxxopt -std=c++2b --copt -fPIC",
        "common \\\n  --cxxopt='-std=c++2b'  # --cxxopt=-std=c++14",
        "build --@rules_cuda//cuda:copts=-std=c++2b",
        "build --flag_alias=given=@rules_cuda//cuda:host_copts\nbuild --given=-std=c++2b",
        "build --config=new\nbuild:new --cxxopt=-std=c++2b",
        "build --enable_platform_specific_config\nbuild:linux --cxxopt=-std=c++2b\nbuild:windows --cxxopt=/std:c++17",
        "build:gpu --repo_env=TF_NEED_CUDA=1\nbuild:gpu --cxxopt=-std=c++2b\nbuild --cxxopt=-std=c++17",
        "import %workspace%/more.rc\ntry-import %workspace%/none.rc\nimport %workspace%/.bazelrc",
        "build:new --cxxopt=-std=c++2b",
    ],
)
def test_the_standard_that_builds_are_given_holds_for_the_workspace(tmp_path: Path, line: str) -> None:
    found = of(tmp_path, line, more_rc="build --cxxopt=-std=c++2b\n")
    assert "2b" in found.standards
    assert (found.strict >= {"2b"}, found.sources) == (True, [".bazelrc"])


@pytest.mark.parametrize(
    "line",
    [
        "run --cxxopt=-std=c++2b",
        "build --host_cxxopt=-std=c++2b",
        "# build --cxxopt=-std=c++2b",
        "build --linkopt=-std=c++2b",
        "build:new --cxxopt=-std=c++2b\nbuild --cxxopt=-std=c++17",
        "build --noenable_platform_specific_config\nbuild:linux --cxxopt=-std=c++2b\nbuild --cxxopt=-std=c++17",
        "import /etc/more.rc",
    ],
)
def test_what_no_build_of_the_sources_gets_does_not(tmp_path: Path, line: str) -> None:
    assert of(tmp_path, line).standards <= {"17"}


def test_macros_of_a_section_that_nothing_chooses_are_those_of_some_builds(tmp_path: Path) -> None:
    text = (
        "build --copt=-DALL --copt -DWIDTH=4\nbuild:check --copt=-DCHECKED --copt=-DALL\n"
        "build:check --@rules_cuda//cuda:copts=-DALSO\nbuild:gpu --@rules_cuda//cuda:enable --copt=-DON_GPU\n"
    )
    found = of(tmp_path, text)
    assert (list(found.defines), found.some) == (["ALL", "WIDTH=4", "ON_GPU"], {"CHECKED", "ALSO"})


def test_settings_that_are_not_at_the_top_of_a_workspace_are_not_read(tmp_path: Path) -> None:
    found = settings(tmp_path, {"lib/.bazelrc": "build --cxxopt=-std=c++20\n", "lib/a.cc": ""}, "lib/a.cc")
    assert (found.standards, found.sources) == (set(), [])
