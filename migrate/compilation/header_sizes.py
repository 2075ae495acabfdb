"""Foreign headers -> how much text each brings in: what parsing it costs, before any compiler is asked.

Conditions are not read: what a header may include counts, so that a size is an upper bound.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from cudamigrate.cuda.include_paths import closure, spelled
from cudamigrate.lazy_dataclasses import dataclass, field

_HELD = 20_000
"""Files whose includes are held."""


@dataclass(slots=True)
class HeaderSizes:
    """The texts that headers bring in, found in `folders` as a compiler would find them."""

    folders: Sequence[str]
    _brought: dict[str, frozenset[str]] = field(default_factory=dict)
    _found: dict[str, str] = field(default_factory=dict)

    def of(self, names: Iterable[str]) -> int:
        """Bytes of some headers and of all that they include, each file once."""
        files = frozenset[str]().union(*map(self._files, names))
        return sum(_read(file)[0] for file in files)

    def _files(self, name: str) -> frozenset[str]:
        if name not in self._brought:
            first = self._meant("", name, False)
            self._brought[name] = closure([first] if first else (), self._included)
        return self._brought[name]

    def _included(self, path: str) -> list[str]:
        found = (self._meant(path, name, quoted) for name, quoted in _read(path)[1])
        return [one for one in found if one]

    def _meant(self, path: str, name: str, quoted: bool) -> str:
        """The file that an include means, empty where there is none."""
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name)) if quoted and path else ""
        if beside and os.path.isfile(beside):
            return beside
        if name not in self._found:
            places = (os.path.join(folder, name) for folder in self.folders)
            self._found[name] = next((os.path.normpath(place) for place in places if os.path.isfile(place)), "")
        return self._found[name]


@lru_cache(_HELD)
def _read(path: str) -> tuple[int, tuple[tuple[str, bool], ...]]:
    """The size of a file, and what it includes; nothing of one that cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return 0, ()
    return len(data), tuple((name, quoted) for name, quoted, _ in spelled(data))
