"""Answers of earlier runs, kept until a file of the tree that they rest on changes.

Result: the entry as it was put in, or None. A cache that cannot be written is no failure.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cudamigrate.project.file_access import write_whole
from cudamigrate.shipped_data import user_cache


class Store:
    """Entries of one kind. `root` is that of the tree, `read` gives the bytes of one of its files.

    Entries that were kept before the time `since`, in seconds as `time.time` counts, are none.
    """

    def __init__(self, kind: str, root: str, read: Callable[[str], bytes], since: float = 0.0) -> None:
        self.folder = user_cache(kind)
        self.root, self.read, self.since = root, read, since
        self.hashes: dict[str, str] = {}

    def get(self, parts: Sequence[str]) -> dict[str, Any] | None:
        """The entry for these words, if every file of the tree that it rests on is as it was; `read` names them."""
        file = self._file(parts)
        try:
            if self.since and file.stat().st_mtime < self.since:
                return None
            entry = json.loads(file.read_text(encoding="utf-8"))
            if any(self._hash(path) != known for path, known in entry["read"].items()):
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return dict(entry)

    def put(self, parts: Sequence[str], files: Iterable[str], entry: dict[str, Any]) -> None:
        """Keep an entry that rests on `files`, absolute paths; those outside the tree do not count."""
        prefix = self.root + os.sep
        inside = {os.path.relpath(path, self.root) for path in files if os.path.normpath(path).startswith(prefix)}
        whole = {"read": {path: self._hash(path) for path in sorted(inside)}, **entry}
        file = self._file(parts)
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(whole).encode())

    def _hash(self, path: str) -> str:
        if path not in self.hashes:
            self.hashes[path] = hashlib.sha256(self.read(path)).hexdigest()
        return self.hashes[path]

    def _file(self, parts: Sequence[str]) -> Path:
        return self.folder / f"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}.json"


def stamp(*folders: Path) -> str:
    """A word that changes when a file below one of the folders does, comes or goes.

    Answers rest on the program and its data too, and an installation may give files an older time than they had.
    """
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    states = ((path, path.stat()) for path in files)
    known = sorted((str(path), state.st_mtime_ns, state.st_size) for path, state in states)
    return hashlib.sha256(repr(known).encode("utf-8", "backslashreplace")).hexdigest()
