"""Whether barriers keep what threads read of a place in shared memory apart from what one of them writes there."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cudamigrate.model.warp_graph import Expression

ONCE = "~"
"""What follows the name of a variable that is kept apart within one call alone."""


class Spot(NamedTuple):
    """Where something is done: at a byte, under conditions and in loops by their numbers."""

    at: int
    guards: frozenset[int]
    loops: frozenset[int]


class Mentions(NamedTuple):
    """The reads and writes of one variable, and the barriers of the routine."""

    reads: list[Spot]
    writes: list[Spot]
    barriers: list[Spot]


def are_apart(mentions: Mentions, returned: Collection[int] | None) -> bool:
    """Whether all threads come by a barrier between a read and a write, also from turn to turn and call to call.

    `returned` are the places where the routine is left; None leaves what is between two calls to the callers. A call
    that is given the variable reads and writes it, and what it does in between is a question for the routine that it
    reaches.
    """
    return all(
        read is write or _is_between(mentions.barriers, min(read, write, key=_at), max(read, write, key=_at), returned)
        for read in mentions.reads
        for write in mentions.writes
    )


def _at(spot: Spot) -> int:
    return spot.at


def _is_between(barriers: Collection[Spot], first: Spot, second: Spot, returned: Collection[int] | None) -> bool:
    if not any(
        first.at < one.at < second.at and one.guards <= second.guards and one.loops <= second.loops for one in barriers
    ):
        return False
    guards, loops = first.guards & second.guards, first.loops & second.loops
    outside = [one for one in barriers if not first.at <= one.at <= second.at and one.guards <= guards]
    again = all(any(loop in one.loops and one.loops <= loops for one in outside) for loop in loops)
    if returned is None:
        return again
    return again and any(
        not one.guards and not one.loops and (one.at < first.at or not _leaves(returned, second.at, one.at))
        for one in outside
    )


def _leaves(returned: Collection[int], start: int, end: int) -> bool:
    return any(start < one < end for one in returned)


def names(what: Expression, name: str) -> bool:
    """Whether an expression, or a list of them, mentions a variable, as it is declared or by a later value of it.

    What a call is given as it is counts at the call.
    """
    if what and what[0] == "v":
        return bool(what[1].partition("#")[0] == name)
    parts = (*(one for one in what[2] if one[0] != "v"), what[3]) if what and what[0] == "c" else what
    return any(names(part, name) for part in parts if isinstance(part, tuple))
