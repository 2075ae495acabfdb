"""Files in folders that were passed over, read all the same: which they are, only the run itself shows."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from cudamigrate.model import FileEntry, SourceFile
from cudamigrate.project import discovery

_SIZE = 4 << 20
"""Bytes of the largest that is read."""


class FilesAside:
    """Reads such files below `root`. `seen` has the digest of each that was asked for, empty for what is no text."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.seen: dict[str, bytes] = {}

    def __call__(self, path: str) -> SourceFile | None:
        """The source of one file, None where it cannot be read."""
        source, self.seen[path] = self._read(path)
        return source

    def are(self, seen: Mapping[str, bytes]) -> bool:
        """Whether the files are what they were when they were `seen`."""
        return all(self._read(path)[1] == before for path, before in seen.items())

    def _read(self, path: str) -> tuple[SourceFile | None, bytes]:
        source = discovery.read(self._root, FileEntry(path, "cxx", _SIZE))
        if not isinstance(source, SourceFile):
            return None, b""
        return source, blake2b(source.data, digest_size=20).digest()
