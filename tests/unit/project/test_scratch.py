"""Temporary folders: what a killed process left is removed by the next, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate.project import scratch

pytest.importorskip("fcntl", reason="open folders cannot be locked here")
HELD = "from cudamigrate.project.scratch import scratch\nwith scratch() as folder: print(folder, flush=True); input()"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary files of its own."""
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    scratch._swept.cache_clear()
    return tmp_path


def holder(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process with a folder of its own, and that folder."""
    env = {**os.environ, "TMPDIR": str(place), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-c", HELD], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_folder_is_gone_afterwards(place: Path) -> None:
    with scratch.scratch() as folder:
        assert Path(folder).parent == place
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_removed(place: Path) -> None:
    process, folder = holder(place)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert folder.is_dir()
    with scratch.scratch():
        assert not folder.exists()


def test_a_folder_in_use_stays(place: Path) -> None:
    process, folder = holder(place)
    with scratch.scratch():
        assert folder.is_dir()
    process.communicate("\n")
    assert not folder.exists()


def test_folders_without_the_mark_and_links_stay(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (place / "cudamigrate-checkout").mkdir()
    other = tmp_path_factory.mktemp("other")
    (other / ".cudamigrate-scratch").touch()
    (place / "cudamigrate-link").symlink_to(other)
    with scratch.scratch():
        pass
    assert (place / "cudamigrate-checkout").is_dir()
    assert other.is_dir()
    assert (place / "cudamigrate-link").is_symlink()
