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
