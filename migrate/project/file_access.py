"""Files read and written so that what else is in the way is not followed, replaced or waited for.

A repository can hold links, pipes and devices, and can change while it is read. A file is opened relative to the folder
it is in, links are not followed, and the size is that of the open file. What a user names to write to is theirs: a
link is followed, a device or pipe written to, and only a regular file replaced.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

from cudamigrate.project import locks

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
_FILE = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_RELATIVE = os.open in os.supports_dir_fd
"""Whether the system opens files relative to an open folder; Windows does not."""
DEEPEST = 200
"""Folders that a file may lie in: what makes and removes folders recurses, and no project nests like that."""


class NotReadableError(OSError):
    """A file that is not to be read: the text says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.strerror = reason


def read_regular(root: Path, path: str, limit: int | None = None) -> bytes:
    """The bytes of the regular file `path`, a relative POSIX path, below the folder `root`.

    Raises NotReadableError for a special file and for more than `limit` bytes, OSError for a link, in the folders on
    the way too, and for whatever else the system refuses.
    """
    descriptor = _opened(root, path)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotReadableError("not a regular file")
        if limit is not None and status.st_size > limit:
            raise NotReadableError(f"{status.st_size:,} bytes, more than the limit of {limit:,}")
        if limit is not None:
            return _read(descriptor, status.st_size + 1)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read()
    finally:
        os.close(descriptor)


def read_head(root: Path, path: str, most: int) -> bytes:
    """The first bytes of the regular file `path`, up to `most` of them. Raises as `read_regular` does."""
    descriptor = _opened(root, path)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotReadableError("not a regular file")
        return _read(descriptor, most)
    finally:
        os.close(descriptor)


def _read(descriptor: int, most: int) -> bytes:
    """Up to so many bytes of an open file: no buffer is made, which takes longer than to read most files."""
    pieces = []
    while most > 0 and (piece := os.read(descriptor, most)):
        pieces.append(piece)
        most -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def is_below(root: Path, path: str) -> bool:
    """Whether a relative POSIX path leads to a place below `root`: it does not climb, and no folder on it is a link."""
    parts = path.split("/")
    if not path or path.startswith("/") or ".." in parts:
        return False
    return not any(os.path.islink(os.path.join(root, *parts[:end])) for end in range(1, len(parts)))


def walk(top: Path | str) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, from the top down, which recurses before Python 3.12 and ends where a thousand folders nest.

    The folders that are entered are those left in the second list; links are in it and not entered.
    """
    pending = [os.fspath(top)]
    while pending:
        folder = pending.pop()
        folders: list[str] = []
        files: list[str] = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                (folders if _is_folder(entry) else files).append(entry.name)
        yield folder, folders, files
        inside = (os.path.join(folder, name) for name in reversed(folders))
        pending += [path for path in inside if not os.path.islink(path)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _opened(root: Path, path: str) -> int:
    """A descriptor of the file, no link followed below `root`."""
    *folders, name = path.split("/")
    if not _RELATIVE:
        return os.open(root.joinpath(*folders, name), _FILE)
    at = os.open(root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        for folder in folders:
            inner = os.open(folder, os.O_RDONLY | _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        return os.open(name, _FILE, dir_fd=at)
    finally:
        os.close(at)


def read_settings(path: Path) -> bytes:
    """The bytes of a small file such as `.gitignore`, which may be a link. Raises OSError."""
    return read_linked(path, 1_000_000)


def read_linked(path: Path, limit: int = 64 << 20) -> bytes:
    """The bytes of a regular file that may be a link, as an included header may. Raises OSError, as `read_regular`."""
    real = Path(os.path.realpath(path))
    return read_regular(real.parent, real.name, limit)


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file in one step, so that nobody sees half of it; raises OSError.

    A link is followed. A device, a pipe or a terminal is written to as it is. Data can come in pieces.
    """
    pieces = (data,) if isinstance(data, bytes) else data
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else 0
    if mode and not stat.S_ISREG(mode):
        with target.open("wb") as file:
            file.writelines(pieces)
        return
    try:
        _write_beside(target, pieces, mode)
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None  # not the file in between, which nobody knows
        raise


def _write_beside(target: Path, pieces: Iterable[bytes], mode: int) -> None:
    """Write a file beside the target and let it take its place."""
    unnamed = _unnamed(target.parent)
    if unnamed is not None:
        with os.fdopen(unnamed, "w+b") as file:
            file.writelines(pieces)
            file.flush()
            _named(file, target, mode)
        return
    part = _part(target)
    try:
        with part.open("wb") as file:
            file.writelines(pieces)
        _replace(part, target, mode)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _unnamed(folder: Path) -> int | None:
    """A descriptor of a new file that has no name yet, so that nothing is left of it where the process is killed.

    None where the system has no such files.
    """
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    except OSError:
        return None


def _named(file: BinaryIO, target: Path, mode: int) -> None:
    """Give a file without a name that of `target`; the name in between, where one is replaced, lives for a moment.

    A process killed in that moment leaves the file under a name that the next one knows, and whose lock is free.
    """
    if not mode and _is_linked(file, target):
        return
    with suppress(OSError):
        locks.lock(file.fileno())
    usual, part = target.with_name(f".{target.name[:200]}.cudamigrate-part"), _part(target)
    _remove_left(usual)
    if _is_linked(file, usual):  # else somebody writes the same file just now
        part = usual
    try:
        if part is not usual and not _is_linked(file, part):  # a file system without links
            file.seek(0)
            with part.open("wb") as copy:
                copyfileobj(file, copy)
        _replace(part, target, mode)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _remove_left(part: Path) -> None:
    """Remove what a killed process left under a name; what a living one writes is locked."""
    with suppress(OSError):
        descriptor = os.open(part, _FILE)
        try:
            locks.lock(descriptor)
            if os.path.samestat(os.fstat(descriptor), os.lstat(part)):  # only who holds the lock takes its name away
                part.unlink()
        finally:
            os.close(descriptor)


def _is_linked(file: BinaryIO, name: Path) -> bool:
    """Give an open file without a name one; False where the name is taken or the system refuses."""
    descriptor = file.fileno()
    try:  # a descriptor is named only so that Python follows the link in /proc; the path is a whole one
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
    except OSError:
        return False
    return True


def _replace(part: Path, target: Path, mode: int) -> None:
    if mode:
        part.chmod(stat.S_IMODE(mode))
    os.replace(part, target)


def _part(target: Path) -> Path:
    """A name beside the target that nobody uses."""
    from uuid import uuid4  # few commands write

    return target.with_name(f".{target.name[:200]}.{uuid4().hex[:8]}")


def is_apple_double(root: Path, path: str) -> bool:
    """Whether a file is what macOS writes beside another for its attributes, `._a.cu` beside `a.cu`: no source.

    Source: RFC 1740, the magic number of the AppleDouble format.
    """
    if not path.rpartition("/")[2].startswith("._"):
        return False
    try:
        return read_head(root, path, 4) == b"\x00\x05\x16\x07"
    except OSError:
        return False
