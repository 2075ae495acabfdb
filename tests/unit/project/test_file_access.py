"""Files read without following what is in the way, and written without replacing what is no file."""

from __future__ import annotations

import inspect
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from cudamigrate.project.file_access import NotReadableError, read_regular, read_settings, walk, write_whole


def test_regular_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.cu").write_bytes(b"one")
    assert read_regular(tmp_path, "sub/a.cu") == b"one"
    assert read_regular(tmp_path, "sub/a.cu", 3) == b"one"
    with pytest.raises(NotReadableError, match="more than the limit of 2"):
        read_regular(tmp_path, "sub/a.cu", 2)


def test_a_walk_does_not_recurse(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "b" / "c" / "file").touch()
    (tmp_path / "a" / "link").symlink_to(tmp_path / "b", target_is_directory=True)
    found = [(os.path.relpath(folder, tmp_path), *map(sorted, rest)) for folder, *rest in walk(tmp_path)]
    assert found == [(os.path.relpath(folder, tmp_path), *map(sorted, rest)) for folder, *rest in os.walk(tmp_path)]
    (tmp_path / "/".join(["d"] * 200)).mkdir(parents=True)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        assert sum(1 for _ in walk(tmp_path / "d")) == 200
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_links_and_special_files_are_not_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (root / "link").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "pipe")
    for path in ("link", "folder/secret", "pipe"):
        with pytest.raises(OSError, match=r"link|levels|irectory|regular"):
            read_regular(root, path)
    with pytest.raises(NotReadableError, match="not a regular file"):
        read_settings(root / "pipe")
    with pytest.raises(NotReadableError, match="not a regular file"):
        read_settings(Path("/dev/zero"))


def test_a_file_is_replaced_in_one_step_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_whole(file, b"new")
    assert file.read_bytes() == b"new" and stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["report.json"]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_what_a_process_leaves_that_is_killed_while_it_replaces_a_file_goes_with_the_next_write(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(b"old")
    child = os.fork()
    if not child:
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, "replace", lambda *_: os._exit(0))
                write_whole(file, b"new")
        finally:
            os._exit(1)  # whatever was raised: else the child would go on with the tests
    assert os.waitpid(child, 0)[1] == 0
    assert len(os.listdir(tmp_path)) == 2 and file.read_bytes() == b"old"
    write_whole(file, b"newer")
    assert os.listdir(tmp_path) == ["a.cu"] and file.read_bytes() == b"newer"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_what_another_process_writes_just_now_is_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, replaced = tmp_path / "a.cu", os.replace
    file.write_bytes(b"old")

    def meanwhile(part: Path, target: Path) -> None:
        monkeypatch.setattr(os, "replace", replaced)
        write_whole(file, b"another's")
        assert part.read_bytes() == b"ours" and file.read_bytes() == b"another's"
        replaced(part, target)

    monkeypatch.setattr(os, "replace", meanwhile)
    write_whole(file, b"ours")
    assert os.listdir(tmp_path) == ["a.cu"] and file.read_bytes() == b"ours"


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    file = tmp_path / "gone" / "report.json"
    with pytest.raises(FileNotFoundError) as raised:
        write_whole(file, b"new")
    assert (raised.value.filename, raised.value.filename2) == (str(file), None)


def null(folder: Path) -> Path:
    """A device that takes all: one of our own for root, who could replace that of the machine."""
    if os.geteuid():
        return Path("/dev/null")
    try:
        os.mknod(folder / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError as error:
        pytest.skip(f"no devices can be made here: {error}")
    return folder / "null"


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_links_are_followed_and_devices_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"
    device = null(tmp_path)
    write_whole(device, b"gone")
    assert stat.S_ISCHR(os.stat(device).st_mode)
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    write_whole(tmp_path / "pipe", b"through")
    reader.join(timeout=30)
    assert got == [b"through"] and stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
