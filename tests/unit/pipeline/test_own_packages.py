"""A repository that is a library of NVIDIA's is not told to replace itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

USE = "import warp as wp\n"
ASKS = '[project]\nname = "solver"\ndependencies = ["warp-lang"]\n'


def rules(root: Path, files: dict[str, str]) -> list[str]:
    """The rules of the findings on libraries of Python."""
    written(root, files)
    found = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    return sorted(one.rule for one in found if one.rule in ("python/nvidia-library", "packages/nvidia-science"))


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"a.py": USE}, 1, id="another's"),
        pytest.param({"a.py": USE, "warp/__init__.py": ""}, 0, id="a package at the root"),
        pytest.param({"a/b.py": USE, "src/warp/__init__.py": ""}, 0, id="a package in src"),
        pytest.param({"a.py": USE, "lib1/setup.py": "", "lib1/warp/__init__.py": ""}, 0, id="of a project further in"),
        pytest.param({"a.py": USE, "deep/in/warp/__init__.py": ""}, 1, id="nothing imports from that folder"),
        pytest.param({"a.py": USE, "warp.cu": "int a;"}, 1, id="no module"),
        pytest.param({"a.py": "import nvidia.dali\n", "python/nvidia/dali/__init__.py": ""}, 0, id="a namespace"),
        pytest.param({"a.py": "import nvidia.dali\n", "nvidia/other/__init__.py": ""}, 1, id="another one of it"),
    ],
)
def test_imports_of_the_repository_s_own_packages_are_no_findings(
    tmp_path: Path, files: dict[str, str], found: int
) -> None:
    assert len(rules(tmp_path, files)) == found


@pytest.mark.parametrize(
    ("own", "found"),
    [
        pytest.param('[project]\nname = "Warp_Lang"\n', 0, id="its own name"),
        pytest.param('[project]\nname = "other"\n', 1, id="another name"),
        pytest.param("[project\n", 1, id="broken"),
        pytest.param('project = "warp-lang"\n', 1, id="no table"),
    ],
)
def test_a_project_that_asks_for_the_repository_s_own_package_is_no_finding(
    tmp_path: Path, own: str, found: int
) -> None:
    assert len(rules(tmp_path, {"pyproject.toml": own, "examples/a/pyproject.toml": ASKS})) == found


HEADER = "#pragma once\n#include <cuda_runtime.h>\nnamespace cuco { struct map { cudaStream_t s; }; }\n"
USER = "#include <cuco/map.cuh>\n__global__ void f(cuco::map m) {}\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"a.cu": USER}, ["cuco/map.cuh"], id="another's"),
        pytest.param({"a.cu": USER, "include/cuco/map.cuh": HEADER}, [], id="its own"),
        pytest.param({"a.cu": USER, "third_party/x/cuco/map.cuh": HEADER}, ["cuco/map.cuh"], id="vendored"),
        pytest.param({"a.cu": USER, "include/cuco/set.cuh": HEADER}, ["cuco/map.cuh"], id="another header"),
        pytest.param(
            {"a.cu": "#include <raft/core/handle.hpp>\n#include <rmm/mr.hpp>\ncudaStream_t s;\n",
             "cpp/include/raft/core/handle.hpp": "#include <cuda_runtime.h>\n"},
            ["rmm/mr.hpp"],
            id="beside another",
        ),
    ],
)  # fmt: skip
def test_a_library_of_c_is_not_told_to_replace_itself(tmp_path: Path, files: dict[str, str], found: list[str]) -> None:
    written(tmp_path, files)
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    named = {"library/cucollections", "library/rapids-ports"}
    said = [one.message.split("`")[1].strip("<>") for one in report.findings if one.rule in named]
    assert sorted(said) == found
