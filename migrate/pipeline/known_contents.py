"""Digests of files that have not changed since an earlier run read them, by what `lstat` says, as git does it.

A file counts as unchanged where its size, inode and times are the same, and where it was last changed well before its
digest was recorded: a change within the resolution of a clock would not show. The time of the last change of an inode
is among them, which no program sets, so that a file that was given its old time again is read again.
"""

from __future__ import annotations

import os
import pickle
import stat
import time
from pathlib import Path

from cudamigrate.pipeline.result_store import Store

_SETTLED = 2_000_000_000
"""Nanoseconds between a change and a record that is taken for later: the coarsest clock of a file system in use."""
Seen = tuple[int, int, int, int, int]
"""Size, inode, device, and the times of the content and of the inode."""


class KnownContents:
    """The digests of the files of one tree; `key` is the row that holds them in `store`."""

    def __init__(self, root: Path, store: Store, key: bytes) -> None:
        self.store, self.key = store, key
        self._below = os.path.join(root, "")
        self.known = _read(store.get([key]).get(key, b""))
        self.new: dict[str, tuple[Seen, int, bytes]] = {}
        self._folders: dict[str, bool] = {"": True}

    def digest(self, path: str) -> bytes:
        """The digest of a file that is as it was, else nothing."""
        found = self.known.get(path)
        return found[2] if found is not None and found[0] == self._seen(path, found[1]) else b""

    def status(self, path: str) -> Seen | None:
        """What a file looks like before it is read; None for what is no regular file."""
        return self._seen(path, time.time_ns())

    def record(self, path: str, before: Seen | None, digest: bytes) -> None:
        """Keep the digest of a file that was read; `before` is its status from before that."""
        if before is not None:
            self.new[path] = (before, time.time_ns(), digest)

    def keep(self) -> None:
        """Write what is new, if anything is."""
        if self.new:
            self.store.put({self.key: pickle.dumps({**self.known, **self.new}, 5)})
            self.new = {}

    def _seen(self, path: str, recorded: int) -> Seen | None:
        """The status of a regular file that no link leads to and that had settled when it was recorded."""
        try:
            found = os.lstat(self._below + path)
        except OSError:
            return None
        last = max(found.st_mtime_ns, found.st_ctime_ns)
        if (
            not stat.S_ISREG(found.st_mode)
            or last + _SETTLED > recorded
            or not self._is_folder(path.rpartition("/")[0])
        ):
            return None
        return found.st_size, found.st_ino, found.st_dev, found.st_mtime_ns, found.st_ctime_ns

    def _is_folder(self, path: str) -> bool:
        """Whether a path below the root is a folder, and no link is on the way."""
        known = self._folders.get(path)
        if known is None:
            try:
                own = stat.S_ISDIR(os.lstat(self._below + path).st_mode)
            except OSError:
                own = False
            known = self._folders[path] = own and self._is_folder(path.rpartition("/")[0])
        return known


def _read(held: bytes) -> dict[str, tuple[Seen, int, bytes]]:
    from cudamigrate.pipeline.cached_work import loaded

    found = loaded(held) if held else None
    return found[0] if found is not None and isinstance(found[0], dict) else {}
