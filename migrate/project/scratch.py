"""Folders for work in progress that are gone afterwards, also when the process that made them was killed.

Each is locked as long as its process lives, by a lock that the system drops with the process. Whoever makes the next
one removes those whose lock is free. A folder counts as one of these only where it belongs to the user and holds the
mark, which is written after the lock was taken, so that nothing else is removed and nothing that is in use. An empty
one of such a name is left by a process that was killed just before it wrote the mark, or just after it removed it.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from cudamigrate.lazy_re import re
from cudamigrate.project import locks

_PREFIX = "cudamigrate-"
_MARK = ".cudamigrate-scratch"
_USUAL = ("/tmp", "/var/tmp", "/usr/tmp") if os.name == "posix" else ()
_MADE = re.compile(r"[.-][0-9a-f]{8}(?:\.old)?\Z")
"""How the names of such folders end: `cudamigrate-0a1b2c3d`, `.copy.0a1b2c3d.old`."""
_OPENED = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def scratch() -> Iterator[str]:
    """A new folder in the place for temporary files, removed afterwards."""
    around = place()
    _swept(around)
    with (
        marked(Path(around), _PREFIX, _MARK, mode=0o700) as folder,
        tempfile.TemporaryDirectory(dir=folder, prefix="") as inside,  # gone before the mark, if killed meanwhile
    ):
        yield inside


@contextmanager
def marked(around: Path, prefix: str, mark: str, text: bytes = b"", mode: int = 0o777) -> Iterator[Path]:
    """A new folder in `around`, of a name that no other has, locked and with its mark; removed afterwards.

    Raises OSError where it cannot be made.
    """
    with ExitStack() as held:
        folder = _made(held, around, prefix, mark, text, mode)
        try:
            yield folder
        finally:
            remove(folder, mark)


def _made(held: ExitStack, around: Path, prefix: str, mark: str, text: bytes, mode: int) -> Path:
    """Make such a folder; a further one where another process took the first, still empty, for one that was left."""
    while True:
        folder = around / f"{prefix}{uuid4().hex[:8]}"
        folder.mkdir(mode)
        with suppress(FileNotFoundError, BlockingIOError), ExitStack() as lock:
            lock.enter_context(locked(folder))
            (folder / mark).write_bytes(text)
            held.push(lock.pop_all())
            return folder


def place() -> str:
    """The place for temporary files: the one that `tempfile` would choose.

    That writes a file to see whether it can, whose name tells nobody what it is: where the process is killed then, the
    file stays for ever.
    """
    named = (os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP"))
    found = (one for one in (*named, *_USUAL) if os.path.isdir(one) and os.access(one, os.W_OK | os.X_OK))
    return tempfile.tempdir or os.path.abspath(next(found, "") or tempfile.gettempdir())


@lru_cache(maxsize=1)
def _swept(place: str) -> None:
    """Remove, once in a process, what killed ones left."""
    remove_left(Path(place), f"{_PREFIX}*", _MARK)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which tells others that it is in use."""
    if not locks.CAN_LOCK:
        yield
        return
    descriptor = os.open(folder, _OPENED)
    try:
        locks.lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def left(place: Path, pattern: str, mark: str) -> list[Path]:
    """The folders of killed processes in `place`: those of the user's that hold the mark and are not locked.

    The empty ones, which have no mark yet or no more, are removed here.
    """
    return sorted(folder for folder in place.glob(pattern) if _is_left(folder, mark)) if locks.CAN_LOCK else []


def remove_left(place: Path, pattern: str, mark: str) -> None:
    """Remove what killed processes left in `place`."""
    for folder in left(place, pattern, mark):
        remove(folder, mark)


def remove(folder: Path, mark: str) -> None:
    """Remove a folder, its mark last: without it nobody would remove the rest, where this process is killed too."""
    with suppress(OSError):
        for inside in folder.iterdir():
            if inside.is_dir() and not inside.is_symlink():
                shutil.rmtree(inside, ignore_errors=True)
            elif inside.name != mark:
                inside.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path, mark: str) -> bool:
    try:
        descriptor = os.open(folder, _OPENED)
    except OSError:
        return False
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            return False
        with suppress(OSError):
            locks.lock(descriptor)
            if (folder / mark).is_file():
                return True
            if _MADE.search(folder.name):
                folder.rmdir()  # fails where anything is in it
        return False
    finally:
        os.close(descriptor)
