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
        assert Path(folder).parent.parent == place
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


def test_an_empty_folder_is_removed_where_its_name_is_one_that_is_made(place: Path) -> None:
    empty, full, kept, used = (place / f"cudamigrate-{end}" for end in ("0a1b2c3d", "0a1b2c3e", "notes", "0a1b2c3f"))
    for folder in (empty, full, kept, used):
        folder.mkdir()
    (full / "file").touch()
    with scratch.locked(used), scratch.scratch():
        assert sorted(place.glob("cudamigrate-0a*")) == [full, used]
    assert kept.is_dir()


def test_where_another_process_takes_the_empty_folder_a_further_one_is_made(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Path] = []
    locked = scratch.locked

    def late(folder: Path) -> object:
        if not taken:
            taken.append(folder)
            assert scratch.left(place, ".copy.*", "mark") == []
        return locked(folder)

    monkeypatch.setattr(scratch, "locked", late)
    with scratch.marked(place, ".copy.", "mark", b"ours") as folder:
        assert (folder / "mark").read_bytes() == b"ours"
        assert [folder] != taken
    assert list(place.iterdir()) == []


DYING = """
import contextlib, os, signal, sys
from pathlib import Path
from cudamigrate.project import scratch
at, removed, listed = int(sys.argv[1]), [], os.scandir
@contextlib.contextmanager
def ordered(*given):  # the mark comes first, as it may in any file system
    with listed(*given) as entries:
        yield iter(sorted(entries, key=lambda one: one.name))
def counted(really):
    def call(*given, **named):
        if len(removed) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        removed.append(given)
        return really(*given, **named)
    return call
def begin():
    os.scandir, os.unlink, os.rmdir = ordered, counted(os.unlink), counted(os.rmdir)
with scratch.scratch() as folder:
    os.mkdir(f"{folder}/inner")
    for name in ("a", "b", "inner/c", "inner/d"):
        open(f"{folder}/{name}", "w").close()
    if sys.argv[2] == "use":
        begin()
    else:
        os.kill(os.getpid(), signal.SIGKILL)
"""
SWEEPING = DYING.partition("with scratch.scratch()")[0] + "begin()\nwith scratch.scratch(): pass\n"


@pytest.mark.parametrize("sweeps", [False, True], ids=["use", "sweep"])
def test_what_was_killed_while_it_removed_a_folder_is_removed(place: Path, sweeps: bool) -> None:
    env = {**os.environ, "TMPDIR": str(place), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    programs = [(DYING, "left"), (SWEEPING, "")] if sweeps else [(DYING, "use")]
    killed = 0
    for at in range(12):
        for text, how in programs:
            done = subprocess.run([sys.executable, "-c", text, str(at), how], env=env, check=False)
        killed += done.returncode < 0
        scratch._swept.cache_clear()
        with scratch.scratch():
            pass
        assert [path for path in place.rglob("*") if path.is_file()] == []
    assert killed >= 6


def test_the_place_is_the_one_that_python_would_choose_and_is_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", None)
    monkeypatch.setattr(scratch.tempfile, "gettempdir", lambda: pytest.fail("tried by writing"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "absent"))
    monkeypatch.setenv("TEMP", str(tmp_path))
    assert scratch.place() == str(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path.parent))
    assert scratch.place() == str(tmp_path.parent)
