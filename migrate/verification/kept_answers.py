"""What an engine said of units in earlier runs, by everything that an answer depends on."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import asdict
from pathlib import Path

from cudamigrate.compilation import answer_cache
from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.model.verification import Checked, Diagnostic, Place, Toolchain, Unit
from cudamigrate.shipped_data import stand_ins
from cudamigrate.verification import libraries

_CODE = (Path(__file__).parent.parent / "compilation", Path(__file__).parent)
"""What answers depend on beside the toolchain and the stand-in headers."""
_STARTED = time.time()
"""When this program started: where earlier runs do not count, a file that is judged twice in one still does."""


class Store:
    """Results of earlier runs, by everything that an answer depends on; of this run alone without `cache`."""

    def __init__(self, chosen: Toolchain, tree: IncludeResolver, cache: bool = True) -> None:
        self.entries = answer_cache.Store("verify", tree.root, tree.read, 0.0 if cache else _STARTED)
        self.chosen = chosen
        self.stamp = answer_cache.stamp(*_CODE, stand_ins("declarations"), stand_ins("cuda"))
        self.listing = hashlib.sha256("\0".join(sorted(tree.paths)).encode(errors="replace")).hexdigest()

    def get(self, unit: Unit) -> Checked | None:
        """The earlier result, if every file of the tree that it rests on is as it was, and what was missing still is.

        A file that the tree did not have may be the header that was missing, and so may one of a package that was
        installed since.
        """
        entry = self.entries.get(self._parts(unit))
        try:
            if entry is None:
                return None
            diagnostics = tuple(_diagnostic(fields) for fields in entry["diagnostics"])
            if any(one.kind == "missing-header" and self._is_there(one.header, unit) for one in diagnostics):
                return None
            read = (*(os.path.join(unit.root, path) for path in entry["read"]), *entry["outside"])
            return Checked(diagnostics, read, entry["seconds"], cached=True, partial=entry["partial"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, unit: Unit, done: Checked) -> None:
        """Keep a result."""
        entry = {
            "outside": libraries.telling(done.read, self.chosen.declarations),
            "diagnostics": [asdict(diagnostic) for diagnostic in done.diagnostics],
            "seconds": done.seconds,
            "partial": done.partial,
        }
        self.entries.put(self._parts(unit), done.read, entry)

    def _is_there(self, name: str, unit: Unit) -> bool:
        """Whether a header is in one of the folders outside the tree that are searched for a unit's."""
        system = (*self.chosen.headers, *self.chosen.declarations, *machine.SYSTEM, *machine.standard_library())
        folders = (*unit.flags.includes, *unit.flags.after, *system)
        inside = unit.root.rstrip("/") + os.sep
        return any(os.path.exists(os.path.join(one, name)) for one in folders if not f"{one}/".startswith(inside))

    def _parts(self, unit: Unit) -> list[str]:
        flags = [text.replace(unit.root, "") for text in unit.flags.words]
        kind = f"{unit.language}{' host' if unit.host else ''}"
        return [self.stamp, self.listing, self.chosen.key, unit.path, unit.flags.standard, kind, *unit.arch, *flags]


def _diagnostic(fields: dict[str, object]) -> Diagnostic:
    given = dict(fields)
    given["place"] = Place(**given["place"])  # type: ignore[arg-type]
    for name in ("notes", "included"):
        given[name] = tuple(Place(**place) for place in given[name])  # type: ignore[attr-defined]
    given["said"] = tuple(given["said"])  # type: ignore[arg-type]
    return Diagnostic(**given)  # type: ignore[arg-type]
