"""Routines where they are: in a file, and for a lambda in the routine around it."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.warp_graph import Routine


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A routine in the graph, with the file it is in."""

    path: str
    routine: Routine
    around: Place | None = None
