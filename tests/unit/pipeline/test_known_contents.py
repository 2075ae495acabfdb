"""Files are known by what `lstat` says of them, and read again whenever that could be wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cudamigrate.pipeline import known_contents
from cudamigrate.pipeline.known_contents import KnownContents
from cudamigrate.pipeline.result_store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="inodes have no time of their own here")


def opened(tmp_path: Path) -> KnownContents:
    return KnownContents(tmp_path / "tree", Store(tmp_path / "store"), b"key")


def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: int = -1 << 60) -> KnownContents:
    """A tree whose file was recorded; `settled` is what counts as long ago."""
    monkeypatch.setattr(known_contents, "_SETTLED", settled)
    file = tmp_path / "tree" / "src" / "a.cu"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"one")
    kept = opened(tmp_path)
    kept.record("src/a.cu", kept.status("src/a.cu"), b"digest")
    kept.keep()
    return opened(tmp_path)


def test_a_file_that_is_as_it_was_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recorded(tmp_path, monkeypatch).digest("src/a.cu") == b"digest"
    assert opened(tmp_path).digest("src/b.cu") == b""


def test_a_change_that_keeps_size_and_time_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = recorded(tmp_path, monkeypatch)
    file = tmp_path / "tree" / "src" / "a.cu"
    before = file.stat()
    while file.stat().st_ctime_ns == before.st_ctime_ns:  # until the clock of the file system has moved
        file.write_bytes(b"two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert kept.digest("src/a.cu") == b""


def test_a_file_that_has_just_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recorded(tmp_path, monkeypatch, 1 << 60).digest("src/a.cu") == b""


@pytest.mark.parametrize("folder", [False, True], ids=["the file", "its folder"])
def test_a_link_in_the_way_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: bool) -> None:
    recorded(tmp_path, monkeypatch)
    moved = tmp_path / "tree" / ("src" if folder else "src/a.cu")
    moved.rename(tmp_path / "elsewhere")
    moved.symlink_to(tmp_path / "elsewhere")
    assert opened(tmp_path).digest("src/a.cu") == b""
