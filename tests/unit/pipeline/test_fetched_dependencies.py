"""Projects that a build or a script fetches and whose headers CUDA code includes are named as not counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Report
from cudamigrate.reporting import load_json
from cudamigrate.reporting.formats import json, text

KERNEL = "#include <nets/layer.h>\n__global__ void k() {}\n"
FETCH = "project(a CUDA)\nFetchContent_Declare(nets GIT_REPOSITORY https://example.org/them/tiny-nets.git)\n"


def scanned(root: Path, files: dict[str, str]) -> Report:
    return pipeline.scan(written(root, {"k.cu": KERNEL, **files}), Config(jobs=1, cache=False))


@pytest.mark.parametrize(
    ("files", "name"),
    [
        pytest.param({"CMakeLists.txt": FETCH}, "nets", id="by its name"),
        pytest.param({"CMakeLists.txt": FETCH, "k.cu": KERNEL.replace("nets/", "tiny-nets/")}, "nets", id="repository"),
        pytest.param({"CMakeLists.txt": FETCH, "k.cu": KERNEL.replace("nets/layer", "TinyNets")}, "nets", id="header"),
        pytest.param({"CMakeLists.txt": 'project(a CUDA)\nCPMAddPackage("gh:them/nets#1.0")\n'}, "nets", id="CPM"),
        pytest.param({"deps.sh": "git clone --depth 1 https://example.org/them/nets.git lib\n"}, "nets", id="clone"),
        pytest.param(
            {
                "CMakeLists.txt": "project(a CUDA)\nExternalProject_Add(dep URL https://example.org/o/nets/archive/v1.zip)\n"
            },
            "dep",
            id="archive",
        ),
    ],
)
def test_what_cuda_code_includes_is_not_counted(files: dict[str, str], name: str, tmp_path: Path) -> None:
    report = scanned(tmp_path, files)
    assert report.needed_dependencies == {name: 1}
    assert f"Not counted: fetched projects that CUDA code includes, {name}" in text.render(report)
    assert load_json.loads(json.render(report)).needed_dependencies == {name: 1}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"CMakeLists.txt": "project(a CUDA)\n"}, id="nothing is fetched"),
        pytest.param({"CMakeLists.txt": FETCH, "k.cu": "__global__ void k() {}\n"}, id="not included"),
        pytest.param({"CMakeLists.txt": FETCH, "k.cu": KERNEL.replace("nets/", "networks/")}, id="of another name"),
        pytest.param({"CMakeLists.txt": FETCH, "nets/layer.h": ""}, id="the tree has it"),
        pytest.param(
            {"CMakeLists.txt": FETCH, "k.cu": f"{KERNEL}#include <nets/made.h>\n", "nets/layer.h": ""},
            id="the build makes it beside what the tree has",
        ),
        pytest.param(
            {"CMakeLists.txt": FETCH, "k.cu": "", "a.cpp": "#include <nets/layer.h>\n"}, id="not by CUDA code"
        ),
        pytest.param({"CMakeLists.txt": FETCH.replace("them/tiny-nets", "fmtlib/fmt")}, id="without GPU code"),
        pytest.param({"deps.sh": "# git clone https://example.org/them/nets.git\n"}, id="in a comment"),
    ],
)
def test_other_projects_are_not_named(files: dict[str, str], tmp_path: Path) -> None:
    assert scanned(tmp_path, files).needed_dependencies == {}


def test_a_report_of_before_is_read(tmp_path: Path) -> None:
    report = replace(scanned(tmp_path, {}), needed_dependencies={})
    old = json.render(report).replace('    "needed_dependencies": {},\n', "")
    assert "needed_dependencies" not in old
    assert load_json.loads(old).needed_dependencies == {}
