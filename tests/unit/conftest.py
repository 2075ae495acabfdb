"""Fixtures that several unit tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the settings of the machine and of a surrounding hook away from every test."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp()))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository on branch main."""
    return Repo(tmp_path / "repo")
