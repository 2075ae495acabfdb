"""Which files with warp-level code a file includes: what they define has a meaning there, and elsewhere none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.model import FileResult
from cudamigrate.model.lane_facts import LaneFacts


class LaneIncludes:
    """The facts of a file and of those that it includes, through others too, as far as their paths tell."""

    def __init__(self, known: Mapping[str, LaneFacts]) -> None:
        self.known = known
        # all files that those may be which a file includes: what one of them says is not to be missed
        self._graph = IncludeGraph({path: one.includes for path, one in known.items()}, every=True)

    @classmethod
    def of(cls, results: Iterable[FileResult]) -> LaneIncludes:
        """The includes of all files that have warp-level code."""
        return cls({result.path: result.lanes for result in results if result.lanes is not None})

    def reached(self, path: str) -> list[LaneFacts]:
        """The facts of a file and of all that it includes; none for a file without warp-level code."""
        if path not in self.known:
            return []
        return [self.known[other] for other in sorted(self._graph.below((path,)))]
