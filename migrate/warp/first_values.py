"""Local variables that still have the value that they are declared with, where an expression reads them.

`unsigned at = lane / 4; use(64 - at); at += 8;`: what is written behind the place, in no loop around both, says nothing
of it. Nor does another variable of the name in another block.
"""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import expression
from cudamigrate.warp.value_ranges import ValueRanges

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_DEPTH = 12


def first_values(ranges: ValueRanges, node: Node) -> dict[str, Expression]:
    """What variables in an expression are declared with that are written only behind it; the others are left out."""
    found: dict[str, Expression] = {}
    for name in [*_NAMES.below(node), *((node,) if node.type == "identifier" else ())]:
        declared, spelled = ranges.scope(name), text(name)
        if declared is None or declared[1].type != "init_declarator":
            continue
        scope, begun = declared
        value = begun.child_by_field_name("value")
        if value is None or ranges.rank(name, _DEPTH) is None or ranges.writes.is_exposed(scope, begun, spelled):
            continue
        if ranges.writes.is_written_by_lambda(scope, spelled, name):
            continue
        if not ranges.writes.changed_before(scope, spelled, name):
            found[spelled.decode("latin-1")] = expression(value)
    return found


def put(what: Expression, known: Mapping[str, Expression]) -> Expression:
    """An expression with what stands for some of its variables."""
    if not known:
        return what
    if what[:1] == ("v",):
        return known.get(what[1], what)
    return tuple(put(one, known) if isinstance(one, tuple) else one for one in what)
