"""Values of the language: the number of a thread and of its block, sizes of blocks, the wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudamigrate.warp.facts import THREAD, UNIFORM, WARP, Fact, in_groups, number

if TYPE_CHECKING:
    from cudamigrate.warp.call_targets import CallTargets
    from cudamigrate.warp.places import Place

KINDS = {
    "thread": Fact(THREAD, 1, 1, strides=None, exact="thread"),
    "threads": Fact(UNIFORM, 0, 64, exact="threads"),
    "thread.y": Fact(WARP, None, 1, exact="row"),
    "thread.z": Fact(WARP, None, 1, exact="plane"),
    "threads.y": Fact(UNIFORM, 0, 64, exact="height"),
    "wave": number(32),
    "each": Fact(THREAD, None, 1),
    "warp": Fact(WARP, None, 1, group=32),
}
"""The facts of values by the kinds that `rules/warp-facts` names."""
_SIZE = Fact(UNIFORM, 0, 64)
"""The size of a block or what is counted in blocks: full wavefronts, or all threads of a smaller block."""


def of_launch(targets: CallTargets, place: Place, kind: str) -> Fact:
    """A value of a kind in a routine; of rows and planes of a block by how many threads these have.

    Where all blocks that run it are seen to have no second or third dimension, its number is 0 for all threads.
    """
    made = KINDS.get(kind, _SIZE)
    if kind in ("thread.y", "thread.z"):
        if targets.dimensions(place) < (3 if kind == "thread.z" else 2):
            return number(0)._replace(exact=made.exact)
        seen = targets.has_rows(place) if kind == "thread.y" else targets.has_planes(place)
        return in_groups(made._replace(sure=seen), targets.threads_alike(place)[kind == "thread.z"])
    return made
