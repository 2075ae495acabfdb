"""rules/{effort,performance,gpus,frameworks}.toml -> the numbers that an estimate rests on.

Result: tables whose every number knows its source. They are read once, when the first estimate is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import tomli

from cudamigrate.errors import RuleError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.estimate import Days, Grade, Source
from cudamigrate.shipped_data import rules_folder

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """Three points, in hours or days as the table says, and where they come from."""

    low: float
    likely: float
    high: float
    source: Source

    def times(self, factor: float) -> Days:
        """The points times a factor."""
        return Days(self.low * factor, self.likely * factor, self.high * factor)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One file: its entries as written, and its sources."""

    name: str
    entries: Entry
    sources: Mapping[str, Source]

    def source(self, entry: Entry) -> Source:
        """The source that an entry names."""
        return self.named(str(entry.get("source", "")))

    def named(self, key: str) -> Source:
        """A source by its key."""
        if key not in self.sources:
            raise RuleError(f"{self.name}: no source is called {key!r}")
        return self.sources[key]

    def number(self, *path: str) -> float:
        """The value of a number with a source."""
        return float(self.at(*path)["value"])

    def at(self, *path: str) -> Entry:
        """The table at a path of keys."""
        entry: Any = self.entries
        for key in path:
            if not isinstance(entry, dict) or key not in entry:
                raise RuleError(f"{self.name}: {'.'.join(path)} is missing")
            entry = entry[key]
        return cast("Entry", entry)

    def cost(self, *path: str) -> Cost:
        """The three points at a path of keys."""
        return self.points(self.at(*path), "hours" if "hours" in self.at(*path) else "days")

    def points(self, entry: Entry, key: str) -> Cost:
        """Three points of an entry."""
        low, likely, high = (float(point) for point in entry[key])
        return Cost(low, likely, high, self.source(entry))

    def all(self, key: str) -> list[Entry]:
        """The entries of a list, none where it is absent."""
        return list(self.entries.get(key, []))


def read(path: Path) -> Table:
    """One file. Raises RuleError where it cannot be read or a number's source is missing."""
    try:
        entries = tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}") from None
    sources = {
        key: Source(entry["text"], entry["date"], cast("Grade", entry["grade"]))
        for key, entry in entries.get("sources", {}).items()
    }
    return Table(path.name, entries, sources)


@cache
def table(name: str) -> Table:
    """The shipped table of a name: effort, performance, gpus or frameworks."""
    return read(rules_folder() / f"{name}.toml")
