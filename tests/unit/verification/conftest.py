"""What tests share that judge by the embedded compiler: where it is missing they are skipped, with the reason."""

from __future__ import annotations

from pathlib import Path

import kept_headers
import pytest

from cudamigrate.model import Target
from cudamigrate.verification import run as verification


@pytest.fixture
def embedded_clang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The embedded compiler, with a cache of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = verification.toolchain("clang", Target())
    if isinstance(found, str):
        pytest.skip(found)
    kept_headers.use(monkeypatch)
