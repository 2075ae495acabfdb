"""What assembly, and addresses that are taken, do to the variables of a routine, noted while it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.warp.declarators import taken
from cudamigrate.warp.expressions import of_register
from cudamigrate.warp.special_registers import made_by_assembly, meetings_of, read

if TYPE_CHECKING:
    from cudamigrate.warp.routine_walk import RoutineWalk

Numbers = tuple[int, ...]


def noted(walk: RoutineWalk, node: Node, guards: Numbers, loops: Numbers) -> bool:
    """Note what a statement of assembly, or an address, does; whether that is all there is to it."""
    if (register := read(node)) is not None:
        walk.define(walk.meant(register[0].decode()), of_register(register[1]), guards, loops, node)
        return True
    walk.draft.taken.update(one for name in taken(node) for one in (name, walk.meant(name)))
    for name, value in made_by_assembly(node) if node.type == "gnu_asm_expression" else ():
        walk.define(walk.meant(name), value, guards, loops, node)
    for made in meetings_of(node) if node.type == "gnu_asm_expression" else ():
        walk.site("call", made, guards, loops, node)
    return False
