"""Values of variables that no code behind a block sees, as a vote of the block gives the variable another.

`if (a) { for (...) many = many || ask(); many = __syncthreads_or(many); }`: behind the block is what the vote gave.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import word
from cudamigrate.warp.sources import barriers

_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")
_JUMPS = tree_sitter_nodes.Kinds("cuda", "break_statement", "continue_statement")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_LEFT = (*_LOOPS, "switch_statement")


class Overwritten(NamedTuple):
    """The variables to which a block gives one value for all threads, where that is not the first value that it gives.

    `at` are the bytes of the assignments to one, each of which such a statement of the block itself follows.
    """

    names: list[str]
    at: frozenset[int]


_NONE = Overwritten([], frozenset())


def overwritten(block: Node, root: Node) -> Overwritten:
    """Those of one block; `root` is that of its tree.

    What is before a statement that may leave the block by `break` or `continue` may be seen behind it. Who returns sees
    nothing any more.
    """
    statements = block.named_children
    given = [(at, name, one) for at, held in enumerate(statements) for name, one in _given(held)]
    if not any(_is_vote(one) for _, _, one in given):
        return _NONE
    leaving = [at for at, one in enumerate(statements) if _may_leave(one, root)]
    last, dying = dict[str, tuple[int, Node]](), set[int]()
    first = dict[str, int]()
    for at, name, one in given:
        before = last.get(name)
        if before is not None and _is_vote(one) and not _any_between(leaving, before[0], at):
            dying.add(before[1].start_byte)
        last[name] = at, one
        if _is_vote(one):
            first.setdefault(name, at)
    earlier = [name for name, at in first.items() if not _any_between(leaving, -1, at)]
    names = [name for name in earlier if _is_written(name, block, statements[first[name]], root)]
    return Overwritten(names, frozenset(dying))


def _given(statement: Node) -> list[tuple[str, Node]]:
    """The variable that a statement gives a value, with the assignment."""
    one = statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    if one is None or one.type != "assignment_expression":
        return []
    left, sign = one.child_by_field_name("left"), word(one.child_by_field_name("operator"))
    return [(word(left), one)] if left is not None and left.type == "identifier" and sign == "=" else []


def _is_vote(assignment: Node) -> bool:
    """Whether what is assigned is one value for all threads of the block, as a vote gives; others may differ."""
    value = assignment.child_by_field_name("right")
    called = value.child_by_field_name("function") if value is not None and value.type == "call_expression" else None
    return called is not None and word(called) in barriers()


def _any_between(places: list[int], start: int, end: int) -> bool:
    at = bisect_left(places, start + 1)
    return at < len(places) and places[at] < end


def _may_leave(statement: Node, root: Node) -> bool:
    """Whether a `break` or `continue` in a statement ends more than the statement."""
    for jump in _JUMPS.within(root, statement):
        kinds = _LEFT if jump.type == "break_statement" else _LOOPS
        around = next((one for one in tree_sitter_nodes.ancestors(jump) if one.type in kinds), None)
        if around is None or around.start_byte < statement.start_byte:
            return True
    return False


def _is_written(name: str, block: Node, until: Node, root: Node) -> bool:
    """Whether a variable is given anything in a block before one of its statements."""
    found = _WRITES.within(root, block)
    places = (one.child_by_field_name("left") or one.child_by_field_name("argument") for one in found)
    return any(one is not None and one.start_byte < until.start_byte and word(one) == name for one in places)
