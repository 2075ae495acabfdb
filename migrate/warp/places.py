"""Routines where they are: in a file, and for a lambda in the routine around it."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.warp_graph import FileGraph, Routine


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A routine in the graph, with the file it is in."""

    path: str
    routine: Routine
    around: Place | None = None
    top: Place | None = None
    """The routine around all the others; None where none is around this one."""

    @property
    def outermost(self) -> Place:
        """The routine around all the others, or this one."""
        return self if self.top is None else self.top

    def declaring(self, name: str) -> Place | None:
        """The routine that declares a variable: this one, or the nearest around it; None where none of them does."""
        at: Place | None = self
        while at is not None and name not in at.routine.types:
            at = at.around
        return at

    def parts(self, name: str) -> tuple[str, ...]:
        """What is defined where elements and members of a value are given something.

        Elements of a kernel's parameter are in memory that it leads to: in the object itself they would be lost.
        """
        routine = self.routine
        if name not in routine.held:
            return ()
        return (f"{name}.",) if routine.kernel and name in routine.parameters else (f"*{name}", f"{name}.")

    def type_of(self, name: str) -> str:
        """The declared type of a variable of this routine, or of one around it; empty where it is none of theirs."""
        at = self.declaring(name)
        return "" if at is None else at.routine.types[name]


def placed(graph: FileGraph) -> list[Place]:
    """The routines of a file where they are, in their order: each behind the one around it."""
    made: list[Place] = []
    for routine in graph.routines:
        around = made[routine.parent] if routine.parent >= 0 else None
        made.append(Place(graph.path, routine, around, None if around is None else around.outermost))
    return made
