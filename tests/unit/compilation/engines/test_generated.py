"""The headers that are made from lists of signatures are what the generators make of those lists."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import tomli

from tests.symbols import collect, declare, declare_torch, wheels


def torch_include() -> Path:
    """The headers of a PyTorch: those that TORCH names, else of the one in this Python; a skip where there is none."""
    named = os.environ.get("TORCH")
    include = Path(named) if named else declare_torch.installed()
    if include is None or not (include / "ATen/core/TensorBody.h").is_file():
        pytest.skip("no torch is installed, and TORCH names no include folder of one")
    return include


def test_headers_of_rocms_libraries_are_as_generated(capsys: pytest.CaptureFixture[str]) -> None:
    pinned = tomli.loads((collect.FOLDER / "sources.toml").read_text(encoding="utf-8"))["hip"][declare.RELEASE]
    kept = [f"{name}-{version}" for name, version in pinned.items() if name.startswith("rocm-bindings")]
    kept.append(f"rocm-bindings-installed-{pinned['rocm-bindings-libraries']}")
    if not all((wheels.cache() / name).is_dir() for name in kept):
        pytest.skip("AMD's bindings are not available: make declarations-check fetches them")
    try:
        made = declare.headers()
    except LookupError as error:
        pytest.skip(str(error))
    assert declare.differing(declare.FOLDER, made) == 0, capsys.readouterr().err


def test_headers_of_pytorch_are_as_generated(capsys: pytest.CaptureFixture[str]) -> None:
    include = torch_include()
    made = declare_torch.headers(include)
    release = re.search(r"PyTorch (\d+\.\d+)", made[declare_torch.METHODS])
    shipped = (declare_torch.FOLDER / declare_torch.METHODS).read_text(encoding="utf-8")
    if release is None or release[0] not in shipped:
        pytest.skip(f"the installed torch is {release and release[0]}, not that of the headers")
    assert declare.differing(declare_torch.FOLDER, made) == 0, capsys.readouterr().err


def test_a_header_that_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declare.write(tmp_path, {"a/b.h": "int f();\n", "c.h": "int g();\n"})
    assert declare.differing(tmp_path, {"a/b.h": "int f();\n", "c.h": "int g();\n"}) == 0
    assert declare.differing(tmp_path, {"a/b.h": "int f(int);\n", "c.h": "int g();\n", "d.h": ""}) == 2
    printed = capsys.readouterr().err
    assert "a/b.h is not" in printed and "d.h is not" in printed and "c.h" not in printed
