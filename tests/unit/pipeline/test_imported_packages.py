"""Packages for CUDA that code imports are reported where no requirement names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "__global__ void k() {}\n"


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    scan = pipeline.scan(written(root, {"k.cu": KERNEL, **files}), Config(jobs=1))
    return [(one.path, one.position.line, one.rule) for one in scan.findings if one.group == "packages"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("import tinycudann as tcnn\n", ["packages/nvidia-3d"]),
        ("from apex.optimizers import FusedAdam\nimport apex\n", ["packages/apex"]),
        ("def f():\n    from torch_scatter import segment_csr\n", ["packages/pyg"]),
        ("try:\n    import apex\nfinally:\n    pass\n", ["packages/apex"]),
    ],
)
def test_an_import_is_a_requirement(code: str, rules: list[str], tmp_path: Path) -> None:
    assert [rule for _, _, rule in found(tmp_path, {"model.py": code, "train.py": code})] == rules


@pytest.mark.parametrize(
    "files",
    [
        {"model.py": "import apexcharts\nfrom . import apex\nfrom .apex import f\n# import apex\n"},
        {"model.py": "try:\n    import apex\nexcept ImportError:\n    apex = None\n"},  # does without
        {"model.py": "import apex\n", "apex/__init__.py": ""},  # its own
        {"model.py": "import torch, triton\n"},  # work on AMD as they are, under their names
        {"model.py": "import apex\n def broken(\n"},
    ],
)
def test_other_imports_are_none(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == []


def test_what_a_requirement_file_names_is_said_there_alone(tmp_path: Path) -> None:
    files = {"requirements.txt": "apex\n", "model.py": "import apex\n"}
    assert [(path, rule) for path, _, rule in found(tmp_path, files)] == [("requirements.txt", "packages/apex")]
