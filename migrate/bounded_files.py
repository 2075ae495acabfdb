"""Files that people name, and settings that repositories bring, read up to a limit: no pipe hangs, no device fills.

What a scanned repository holds is read by `project/file_access`, relative to its root.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_OPENED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; a link to one is followed. Raises OSError."""
    descriptor = os.open(path, _OPENED)
    with os.fdopen(descriptor, "rb", closefd=True) as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return _up_to(file.read(limit + 1), path, limit)


def stream(path: Path, limit: int) -> bytes:
    """The bytes of a file or pipe, which is waited for; what has more than `limit` bytes is refused. Raises OSError."""
    with path.open("rb") as file:
        return _up_to(file.read(limit + 1), path, limit)


def _up_to(data: bytes, path: Path, limit: int) -> bytes:
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"more than {limit:,} bytes", str(path))
    return data
