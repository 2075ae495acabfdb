"""Variables that a branch or a loop gives another value after they were asked: a condition before it saw none of that.

`if (k < n) { ... } while (m) { k = threadIdx.x; }`: the first condition is about what `k` was.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import below, word

if TYPE_CHECKING:
    from cudamigrate.warp.routine_walk import RoutineWalk

_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")
_BRANCHES = frozenset(("if_statement", "switch_statement"))
_MOST = 100
"""Writes of a statement that are looked at: more are taken as they are, so that what is nested deep takes no time."""
Numbers = tuple[int, ...]
_NONE: dict[str, str] = {}


class LaterValues:
    """The names that such variables have from the statement on; answers for one walk, which it does not hold."""

    def __init__(self) -> None:
        self._read, self._asked = 0, set[str]()
        self._inside: dict[int, dict[str, str]] = {}
        self._writes: tuple[list[int], list[str]] | None = None

    def begun(self, walk: RoutineWalk, node: Node, guards: Numbers, loops: Numbers) -> dict[str, str]:
        """The variables with new names of a statement of a block; a loop sees them at once, turns may come again."""
        if node.parent is None or node.parent.type != "compound_statement":
            return _NONE
        self._note(walk)
        if not self._asked:
            return _NONE
        found = [one for one in self._written(walk, node) if walk.meant(one) in self._asked]
        own = [one for one in found if walk.is_own(walk.meant(one)) and one not in walk.draft.references]
        made = {one: _renamed(walk, one, guards, loops, node) for one in own}
        if made:
            self._inside[node.id] = made
        return made

    def inside(self, node: Node, is_tested: bool) -> dict[str, str]:
        """The names within a branch once its condition `is_tested`, or within a loop, whose condition sees them."""
        return self._inside.get(node.id, _NONE) if is_tested == (node.type in _BRANCHES) else _NONE

    def _note(self, walk: RoutineWalk) -> None:
        """Read which variables conditions have asked since the last time."""
        conditions = walk.draft.conditions
        for one in conditions[self._read :]:
            self._asked.update(part[1] for part in below(one.test) if part[0] == "v")
        self._read = len(conditions)

    def _written(self, walk: RoutineWalk, node: Node) -> list[str]:
        """The variables that a statement gives values."""
        if self._writes is None:
            self._writes = _writes(walk)
        starts, names = self._writes
        first, last = bisect_left(starts, node.start_byte), bisect_left(starts, node.end_byte)
        return list(dict.fromkeys(names[first:last])) if last - first <= _MOST else []


def _renamed(walk: RoutineWalk, name: str, guards: Numbers, loops: Numbers, node: Node) -> str:
    """A new name, which begins with what the variable was; nothing means it yet."""
    meant = walk.meant(name)
    made = walk.anew(name, meant, guards, loops)
    behind, walk.behind[made] = walk.behind[made], ()  # those around have it already
    walk.define(made, ("v", meant), guards, loops, node)
    walk.behind[made], walk.again[name] = behind, meant
    return made


def _writes(walk: RoutineWalk) -> tuple[list[int], list[str]]:
    """Where variables are given values in the routine, in order."""
    found = _WRITES.within(walk.root, walk.node)
    places = ((one.start_byte, one.child_by_field_name("left") or one.child_by_field_name("argument")) for one in found)
    made = sorted((at, word(one)) for at, one in places if one is not None and one.type == "identifier")
    return [at for at, _ in made], [name for _, name in made]
