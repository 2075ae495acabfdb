"""What an engine said of units in earlier runs, by everything that an answer depends on."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

from cudamigrate.compilation import answer_cache
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.model.verification import Checked, Diagnostic, Place, Toolchain, Unit
from cudamigrate.shipped_data import stand_ins
from cudamigrate.verification import libraries

_CODE = (Path(__file__).parent.parent / "compilation" / "engines", Path(__file__).parent)
"""What answers depend on beside the toolchain and the stand-in headers."""


class Store:
    """Results of earlier runs, by everything that an answer depends on."""

    def __init__(self, chosen: Toolchain, tree: IncludeResolver) -> None:
        self.entries = answer_cache.Store("verify", tree.root, tree.read)
        self.chosen = chosen
        self.stamp = answer_cache.stamp(*_CODE, stand_ins("declarations"), stand_ins("cuda"))

    def get(self, unit: Unit) -> Checked | None:
        """The earlier result, if every file of the tree that it rests on is as it was."""
        entry = self.entries.get(self._parts(unit))
        try:
            if entry is None:
                return None
            diagnostics = tuple(_diagnostic(fields) for fields in entry["diagnostics"])
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

    def _parts(self, unit: Unit) -> list[str]:
        flags = [text.replace(unit.root, "") for text in unit.flags.words]
        kind = f"{unit.language}{' host' if unit.host else ''}"
        return [self.stamp, self.chosen.key, unit.path, unit.flags.standard, kind, *unit.arch, *flags]


def _diagnostic(fields: dict[str, object]) -> Diagnostic:
    given = dict(fields)
    given["place"] = Place(**given["place"])  # type: ignore[arg-type]
    for name in ("notes", "included"):
        given[name] = tuple(Place(**place) for place in given[name])  # type: ignore[attr-defined]
    given["said"] = tuple(given["said"])  # type: ignore[arg-type]
    return Diagnostic(**given)  # type: ignore[arg-type]
