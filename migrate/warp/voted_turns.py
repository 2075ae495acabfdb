"""Loops that a warp leaves together, by a vote, and in which those who vote to go on get further.

`do { if (at[t] < n) at[t] = at[at[t]]; } while (__any_sync(all, at[t] < n));`: a lane that is done stands by while
others go on, in the same turns. It waits for nobody who is not in the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, plain_name

_VOTES = (b"__any_sync", b"__any", b"__ballot_sync", b"__ballot")
_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")
_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")


def get_further(loop: Node, values: Mapping[bytes, Sequence[Node]]) -> bool:
    """Whether the lanes that vote for one more turn of a loop change something in it; `values` is what a turn gives.

    Each of them meets the condition of a branch without `else`, as what it votes with says so.
    """
    test = bare(loop.child_by_field_name("condition"))
    if test is None or test.type != "call_expression" or plain_name(test.child_by_field_name("function")) not in _VOTES:
        return False
    voted = bare(next(iter(tree_sitter_nodes.elements(test.child_by_field_name("arguments"))[-1:]), None))
    given = values.get(text(voted), ()) if voted is not None and voted.type == "identifier" else ()
    said = [voted] if voted is not None and not given else list(given)
    if len(said) != 1:
        return False
    met = {_squeezed(one) for one in _joined(said[0])}
    return any(_squeezed(bare(_condition(one))) in met and _changes(one) for one in _IFS.below(loop))


def _condition(branch: Node) -> Node | None:
    held = branch.child_by_field_name("condition")
    return held if held is None or held.type != "condition_clause" else held.child_by_field_name("value")


def _changes(branch: Node) -> bool:
    """Whether a branch that has no `else` gives something a value."""
    taken = branch.child_by_field_name("consequence")
    return branch.child_by_field_name("alternative") is None and taken is not None and any(_WRITES.below(taken))


def _joined(node: Node) -> Iterator[Node]:
    """The parts of an expression that all hold where it holds."""
    inner = bare(node)
    if inner is not None and text(inner.child_by_field_name("operator")) == b"&&":
        for side in ("left", "right"):
            part = inner.child_by_field_name(side)
            yield from _joined(part) if part is not None else ()
    elif inner is not None:
        yield inner


def _squeezed(node: Node | None) -> bytes:
    return b"".join(text(node).split())
