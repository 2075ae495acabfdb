"""Branches of a kernel behind which it ends: who is outside has nothing more to do, and no barrier waits for it.

Waves outside of such a branch have ended, as after an early `return`. A wave that is partly in it comes to each of its
barriers once, with all the lanes that have work left.
"""

from __future__ import annotations

from cudamigrate.model.warp_graph import Condition, Routine, Site


def ends_with(routine: Routine, site: Site) -> frozenset[int]:
    """The conditions of a kernel, by their numbers, under which is everything that it does from there on.

    None for a site that waits for more than what is left of a block: a group may be the grid, and a barrier that
    counts or votes is a function of the library, which counts waves itself.

    What a thread keeps for itself is nothing to others. None with another branch, and none in a loop, whose next turn
    is behind it.
    """
    if site.callee == "sync" or site.callee.startswith("__syncthreads_"):
        return frozenset()
    return frozenset(
        number for number, one in enumerate(routine.conditions) if one.is_lone and _is_last(routine, number, one)
    )


def _is_last(routine: Routine, number: int, condition: Condition) -> bool:
    if any(one.start <= condition.start < one.end for one in routine.loops):
        return False
    own = routine.types.keys() - routine.shared - routine.aliases - routine.references
    writes = (one for one in routine.definitions if one.name.partition("#")[0] not in own)
    behind = (*((one.start, one.guards) for one in writes), *((one.start, one.guards) for one in routine.sites))
    return all(number in guards for start, guards in behind if start > condition.start)
