"""Shuffles of tiles and of PyTorch whose distance or lane mask leaves 0 to 31, or that nothing in the file bounds.

Constants of other files and arguments of templates are numbers that somebody chose for the tile: they bound what is
compared with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import Range
from cudamigrate.warp.sources import kinds
from cudamigrate.warp.tree_queries import identifiers, span
from cudamigrate.warp.value_ranges import ValueRanges

WORDS = (b"shfl_xor", b"shfl_up", b"shfl_down", b"WARP_SHFL_XOR", b"WARP_SHFL_UP", b"WARP_SHFL_DOWN")
_MEMBERS, _OF_PYTORCH = WORDS[:3], WORDS[3:]
_LARGEST_SHOWN = 1 << 16
"""Bounds beyond this are those of a type: the code shows none."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The distances and masks that CUDA takes five bits of, and HIP all."""
    for call in CALLS.below(parsed.tree.root_node):
        name = _name(parsed, call)
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if not name or len(given) < 2 or parsed.hip(call.start_byte) is not None:
            continue
        ranges = ValueRanges.of_file(parsed)
        bound = _bound(ranges, given[1])
        if bound:
            place = span(given[1])
            spelled = text(given[1]).decode("latin-1")
            use = parsed.named_use(spelled, place)
            words = {"name": name.decode("latin-1"), "distance": spelled, "bound": bound}
            yield Hit("warp/wide-distance", use, words)


def _name(parsed: ParsedFile, call: Node) -> bytes:
    """The shuffle that a call is, by a distance or a mask; empty for others."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return text(function) if text(function) in _OF_PYTORCH else b""
    group, name = text(function.child_by_field_name("argument")), text(function.child_by_field_name("field"))
    return name if name in _MEMBERS and groups(parsed).kind(group, call.start_byte) == "tile" else b""


def _bound(ranges: ValueRanges, distance: Node) -> str:
    """What is wrong with the bounds of a distance, in words; empty where nothing is."""
    found = ranges.of(distance)
    if found.within(0, 31):
        return ""
    if found.low is not None and found.high is not None and _is_shown(found):
        return "leaves 0 to 31"
    return "" if _is_bounded_elsewhere(ranges, distance) else "nothing keeps within 0 to 31"


def _is_shown(found: Range) -> bool:
    assert found.low is not None and found.high is not None
    return -_LARGEST_SHOWN <= found.low <= found.high <= _LARGEST_SHOWN


def _is_bounded_elsewhere(ranges: ValueRanges, distance: Node) -> bool:
    """Whether what it comes from, or is compared with, is a template's or another file's number."""
    waiting, seen = [distance], set[tuple[int, bytes]]()
    while waiting:
        for name in _variables(waiting.pop()):
            declared = ranges.scope(name)
            if declared is None or declared[0].type == "template_declaration":
                return True
            scope, begun = declared
            if (scope.id, text(name)) not in seen:
                seen.add((scope.id, text(name)))
                waiting += [begun, *ranges.writes.assignments(scope, text(name)), *_conditions(name, scope)]
    return False


def _variables(node: Node) -> Iterator[Node]:
    """The variables that an expression or a declaration reads."""
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    if node.type == "identifier" and text(node).decode("latin-1") not in kinds():
        yield node
    for child in node.named_children:
        if child != callee or child.type == "field_expression":
            yield from _variables(child)


def _conditions(name: Node, scope: Node) -> Iterator[Node]:
    """The conditions around a place that ask for a variable."""
    for around in tree_sitter_nodes.ancestors(name):
        test = around.child_by_field_name("condition")
        if test is not None and text(name) in identifiers(test):
            yield test
        if around == scope:
            break
