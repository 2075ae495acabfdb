"""What type checks of expected files share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache without answers of earlier runs; HIP's headers are compiled into it once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def new_cache(cache_of_this_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's cache is that of this run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_this_run))
