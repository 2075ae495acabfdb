"""Whether code that counts 32 threads counts the lanes of a warp: by what it calls, makes and stands beside.

A tile of 32 columns is counted alike. The warp-level operations near it, and what the count makes, tell the two apart;
a name that speaks of lanes is enough for a word in the report, which permits nothing.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_code import Lanes, Unit
from cudamigrate.warp.lane_constants import near_lane_names
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.sources import instructions, works
from cudamigrate.warp.tree_queries import (
    CLASSES,
    OPERATIONS,
    expressions_around,
    identifiers,
    is_sum,
    outer,
    plain_name,
)
from cudamigrate.warp.vocabulary import NAMES, Quantity
from cudamigrate.warp.warp_synchronous import runs

_DECLARED = tree_sitter_nodes.Kinds("cuda", "init_declarator")


def reaches_lanes(lanes: Lanes, unit: Unit) -> bool:
    """A remainder by 32 counts lanes where warp-level code is near, or where what it makes is called a lane or warp."""
    parsed, span = lanes.parsed, unit.span
    steps = any(span.start <= run.first.start < span.end for run in runs(parsed))
    if steps or unit.calls or unit.sizes or not unit.counts:
        return bool(steps or unit.calls or unit.sizes)
    places = [(one, node_at(parsed, one.start, one.end)) for one in unit.counts]
    if any(_says_lanes(parsed, one, node) for one, node in places):
        return True
    if not unit.name and span.start == span.end:
        return any(node is not None and _stands_near_lanes(parsed, node) for _, node in places)
    quantities = Quantities.of_file(parsed)
    kinds = Quantity.NONE
    for _, node in places:
        kinds |= quantities.of(node)
    if kinds & Quantity.WARP and kinds & Quantity.WARPS:
        return True
    if lanes.calls_lane_code(span):
        return True
    return _works(parsed, span) or any(one.kind == "asm" and _is_of_warp(parsed, one.extent) for one in parsed.uses)


def _works(parsed: ParsedFile, span: Span) -> bool:
    """Whether a range does the work of a warp by a library or by matrix instructions."""
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    if node is None:
        return False
    called = (plain_name(one.child_by_field_name("function")) for one in CALLS.below(node))
    if any(NAMES.works_across(name) and not name.startswith(b"__") for name in called):
        return True  # CUDA's own functions are calls of the unit, but where the code has a branch for HIP
    return any(name in works() or NAMES.says_matrix(name) for name in identifiers(node))


def _is_of_warp(parsed: ParsedFile, span: Span) -> bool:
    """Whether an `asm` has an instruction that the lanes of a warp run together."""
    return any(name in parsed.data[span.start : span.end] for name in instructions())


def _says_lanes(parsed: ParsedFile, span: Span, node: Node | None) -> bool:
    """Whether a count says by itself that it is of lanes, or its line does, or by the code around it."""
    data = parsed.data
    line = Span(data.rfind(b"\n", 0, span.start) + 1, max(span.end, data.find(b"\n", span.end)))
    if any(NAMES.says_lanes(parsed.lexed.text(token)) for token in parsed.lexed.tokens(line.start, line.end)):
        return True
    if node is None:
        return False
    return (
        _makes_thread(parsed, node)
        or _guards_barrier(node)
        or _is_wave_elsewhere(parsed, node)
        or _is_row(parsed, span)
    )


def _makes_thread(parsed: ParsedFile, node: Node) -> bool:
    """A thread's number from its lane and its warp: `threadIdx.x % 32 + (threadIdx.x / 32) * 32`."""
    quantities, around = Quantities.of_file(parsed), outer(node)
    if around is None or not is_sum(around):
        return False
    kinds = [quantities.of(side) for side in (around.child_by_field_name("left"), around.child_by_field_name("right"))]
    return any(one & Quantity.LANE for one in kinds) and any(one & Quantity.THREAD for one in kinds)


def _guards_barrier(node: Node) -> bool:
    """`if (threadIdx.x < 32) __syncthreads();`."""
    around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "if_statement"), None)
    body = around.child_by_field_name("consequence") if around is not None else None
    if body is None or body.start_byte < node.end_byte:
        return False
    while body is not None and body.type == "compound_statement" and body.named_child_count:
        body = body.named_children[0]
    return body is not None and text(body).startswith(b"__syncthreads")


def _is_wave_elsewhere(parsed: ParsedFile, node: Node) -> bool:
    """Whether another branch of the file makes a 64th of what is a 32nd here."""
    if b"/ 64" not in parsed.data or text(node.child_by_field_name("operator")) != b"/":
        return False
    return text(node.child_by_field_name("left")) in parsed.once(_parted_by_64)


def _parted_by_64(parsed: ParsedFile) -> frozenset[bytes]:
    operations = OPERATIONS.below(parsed.tree.root_node)
    by_64 = (one for one in operations if text(one.child_by_field_name("right")) == b"64")
    return frozenset(text(one.child_by_field_name("left")) for one in by_64)


def _is_row(parsed: ParsedFile, span: Span) -> bool:
    """Whether a count is of rows in a file whose lanes are `threadIdx.x` itself."""
    if parsed.data.find(b"threadIdx.y", span.start, span.end) < 0:
        return False
    return any(
        text(one.child_by_field_name("value")) == b"threadIdx.x"
        and NAMES.suspected(text(one.child_by_field_name("declarator"))) & Quantity.LANE
        for one in _DECLARED.below(parsed.tree.root_node)
    )


def _stands_near_lanes(parsed: ParsedFile, node: Node) -> bool:
    """Whether a count outside of functions is a default of a template, or is in a declaration that names lanes."""
    if any(one.type == "optional_parameter_declaration" for one in expressions_around(node)) or near_lane_names(node):
        return True
    holder = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in CLASSES), None)
    quantities = Quantities.of_file(parsed)
    return holder is not None and any(quantities.of(one) & Quantity.WARP for one in OPERATIONS.below(holder))
