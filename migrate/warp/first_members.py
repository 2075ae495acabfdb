"""What routines have beside parameters and declarations: members that a constructor lists, variables that a lambda or
a loop over a range makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.declarators import captures, is_value, plain
from cudamigrate.warp.expressions import INTEGERS, called, expression, type_name, word

if TYPE_CHECKING:
    from cudamigrate.warp.routine_walk import RoutineWalk


def read(walk: RoutineWalk, node: Node) -> None:
    """Note them for the walk of a function or a lambda."""
    for named, value in captures(node):
        name = word(named)
        walk.draft.types[name] = "auto"
        walk.draft.held.add(name)
        walk.define(name, expression(value), (), (), value)
    for child in node.named_children:
        if child.type == "field_initializer_list":
            _members(walk, child)


def ranged(walk: RoutineWalk, loop: Node, guards: tuple[int, ...], loops: tuple[int, ...]) -> None:
    """Note the variable of a loop over a range: any item of a list in braces, any element of an array."""
    declarator, right = loop.child_by_field_name("declarator"), loop.child_by_field_name("right")
    if loop.type != "for_range_loop" or declarator is None or right is None:
        return
    name, kind = walk.declared(plain(declarator)), text(loop.child_by_field_name("type")).decode("latin-1")
    is_listed, made = right.type == "initializer_list", walk.value(right)
    walk.draft.types[name] = kind
    walk.draft.held |= {name} if is_listed or is_value(declarator) else set()
    walk.define(name, made if is_listed else ("i", made, ("o", "?")), guards, loops, loop)


def _members(walk: RoutineWalk, listed: Node) -> None:
    """What a constructor gives to members and bases, or to another constructor of its class."""
    owner = walk.draft.owner
    known = next((one.types for one in walk.reader.drafts if one.name == owner and one.span == (0, 0)), {})
    kinds = {owner: owner, **known}
    for one in listed.named_children:
        if one.type == "field_initializer" and one.named_child_count == 2:
            name, given = called(word(one.named_children[0])), one.named_children[1]
            items = tuple(walk.value(item) for item in tree_sitter_nodes.elements(given))
            kind = type_name(kinds.get(name, "int"))
            value = ("b", kind, *items) if len(items) == 1 else ("c", kind, items, None)
            walk.define(f"this.{name}" if name in walk.draft.types else name, value, (), (), one)
            if kind not in INTEGERS:
                walk.site("call", ("c", kind, items, None), (), (), one)
            walk.inside(given, (), ())
