from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from cudamigrate.pipeline.program_version import tool_version


def test_the_version_is_that_of_the_first_distribution_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number, version in enumerate(("1.2.3.dev4+abc", "5")):
        (tmp_path / str(number) / f"cudamigrate-{version}.dist-info").mkdir(parents=True)
    (tmp_path / "other" / "cudamigrate_extra-9.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path / name) for name in ("gone", "other", "0", "1")])
    assert tool_version() == "1.2.3.dev4+abc"


def test_what_the_standard_library_says_of_this_installation() -> None:
    try:
        said = importlib.metadata.version("cudamigrate")
    except importlib.metadata.PackageNotFoundError:
        said = "0+unknown"
    assert tool_version() == said


def test_a_program_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert tool_version() == "0+unknown"
