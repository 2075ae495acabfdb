"""Which files with warp-level code a file includes: what they define has a meaning there, and elsewhere none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cudamigrate.model import FileResult
from cudamigrate.model.lane_facts import LaneFacts


class LaneIncludes:
    """The facts of a file and of those that it includes, through others too, as far as base names tell."""

    def __init__(self, known: Mapping[str, LaneFacts]) -> None:
        self.known = known
        self._by_name: dict[str, list[str]] = {}
        for path in known:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    @classmethod
    def of(cls, results: Iterable[FileResult]) -> LaneIncludes:
        """The includes of all files that have warp-level code."""
        return cls({result.path: result.lanes for result in results if result.lanes is not None})

    def reached(self, path: str) -> list[LaneFacts]:
        """The facts of a file and of all that it includes; none for a file without warp-level code."""
        if path not in self.known:
            return []
        seen, waiting = {path}, [path]
        while waiting:
            for name in self.known[waiting.pop()].includes:
                new = [other for other in self._by_name.get(name, ()) if other not in seen]
                seen.update(new)
                waiting.extend(new)
        return [self.known[other] for other in sorted(seen)]
