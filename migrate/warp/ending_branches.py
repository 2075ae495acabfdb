"""Branches of a kernel behind which it ends: who is outside has nothing more to do, and no barrier waits for it.

Waves outside of such a branch have ended, as after an early `return`. A wave that is partly in it comes to each of its
barriers once, with all the lanes that have work left.
"""

from __future__ import annotations

from bisect import bisect_right

from cudamigrate.model.warp_graph import Condition, Routine, Site


def asks_for_more(site: Site) -> bool:
    """Whether a site waits for more than what is left of a block.

    A group may be the grid, and a barrier that counts or votes is a function of the library, which counts waves itself.
    """
    return site.callee == "sync" or site.callee.startswith("__syncthreads_")


def last(routine: Routine) -> frozenset[int]:
    """The conditions of a kernel, by their numbers, under which is everything that it does from there on.

    What a thread keeps for itself is nothing to others. None with another branch, and none in a loop, whose next turn
    is behind it.
    """
    own = routine.types.keys() - routine.shared - routine.aliases - routine.references
    writes = (one for one in routine.definitions if one.name.partition("#")[0] not in own)
    done = [*((one.start, one.guards) for one in writes), *((one.start, one.guards) for one in routine.sites)]
    done.sort(key=lambda one: one[0])
    from_on, common = dict[int, int](), None
    for at in range(len(done) - 1, -1, -1):
        guards = frozenset(done[at][1])
        common = guards if common is None else common & guards
        if not common:
            break
        from_on.update(dict.fromkeys(common, at))
    starts, loops = [start for start, _ in done], sorted((one.start, one.end) for one in routine.loops)
    lone = ((number, one) for number, one in enumerate(routine.conditions) if one.is_lone and not _is_in(one, loops))
    return frozenset(
        number for number, one in lone if bisect_right(starts, one.start) >= from_on.get(number, len(starts))
    )


def _is_in(condition: Condition, loops: list[tuple[int, int]]) -> bool:
    """Whether a condition is in one of the outermost loops, which are in order."""
    at = bisect_right(loops, condition.start, key=lambda one: one[0]) - 1
    return at >= 0 and condition.start < loops[at][1]
