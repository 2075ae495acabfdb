"""Kernels for warps of 32 lanes that may be written for the whole wave, whatever its size: the proof, and the changes.

Comes in: a parsed file and the functions with lane code that belong together. Goes out: what to write in place of each
32, or why it may not be done. Proved are reductions: every warp brings its lanes to one value, and what the warps bring
is brought together in the block or by an atomic operation of the same kind, so that nobody sees how many warps there
were. Whatever is not understood is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from migrate import reductions, trees
from migrate.blocks import widths
from migrate.model import Edit, Span
from migrate.parsed import Function, ParsedFile
from migrate.reductions import Refused, Walk
from migrate.values import Values, node_at

_WORD = re.compile(rb"[A-Za-z_]\w*")
_KERNEL = re.compile(rb"\b__global__\b")


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes some functions follow the wave: edits of single places by where they start, or why there are none."""

    functions: frozenset[str] = frozenset()
    edits: tuple[Edit, ...] = ()
    refused: str = ""

    def within(self, span: Span) -> list[Edit]:
        """The edits in a range."""
        return [edit for edit in self.edits if span.start <= edit.span.start < span.end]


def plan(
    parsed: ParsedFile, values: Values, names: Sequence[str], counts: Sequence[Span], calls: Sequence[int]
) -> Plan:
    """The plan for functions with lane code, all those that call them included.

    `counts` are the places that count 32 lanes in them, `calls` where lane functions are called: all must be known.
    """
    try:
        if not all(names):
            raise Refused("lane code outside of functions is not followed")
        made, known = _proved(parsed, values, names)
        for at in calls:
            if at not in known:
                raise Refused(f"{_quoted(parsed, at)} is no step of a reduction over a whole warp")
        for span in counts:
            if not made.within(span) and not _is_size(parsed, span):
                raise Refused(f"{_quoted(parsed, span.start, span.end)} is not followed")
        return made
    except Refused as refusal:
        return Plan(frozenset(names), (), str(refusal))


def _quoted(parsed: ParsedFile, start: int, end: int = 0) -> str:
    line = parsed.data[start : end or parsed.data.find(b"\n", start)].decode("utf-8", "replace")
    return f"`{' '.join(line.split())[:60]}`"


def _is_size(parsed: ParsedFile, span: Span) -> bool:
    """Whether a place gives an array its size: one for as many warps of 32 holds fewer waves too."""
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, span.start + 1)
    around = trees.ancestors(node) if node is not None else ()
    return any(one.type == "array_declarator" and one.start_byte < span.start for one in around)


def _proved(parsed: ParsedFile, values: Values, names: Sequence[str]) -> tuple[Plan, set[int]]:
    if not parsed.source.path.endswith(".cu"):
        raise Refused("other files may call it")
    functions = _callers(parsed, names)
    nodes: dict[bytes, Node] = {}
    for function in functions:
        node = node_at(parsed, function.span.start, function.span.end)
        if node is None or node.type != "function_definition":
            raise Refused(f"`{function.name}` is not understood by the parser")
        nodes[function.name.encode()] = node
    for function in functions:
        head = parsed.data[function.span.start : function.body.start]
        if _KERNEL.search(head) is not None:
            _check_launches(parsed, values, function)
        elif not _is_called(parsed, function, functions):
            raise Refused(f"the callers of `{function.name}` are not all seen")
    made: dict[bytes, reductions.Result] = {}
    edits: list[Edit] = []
    known: set[int] = set()
    for function in _inner_first(parsed, functions):
        walk = Walk(values, nodes, made)
        made[function.name.encode()] = walk.function(nodes[function.name.encode()])
        edits += walk.edits
        known |= walk.shapes.calls
    unique = {edit.span: edit for edit in edits}
    ordered = tuple(sorted(unique.values(), key=lambda edit: edit.span.start))
    return Plan(frozenset(function.name for function in functions), ordered), known


def _callers(parsed: ParsedFile, names: Sequence[str]) -> list[Function]:
    """The named functions of a file, and all that mention them, directly or not."""
    wanted = {name.encode() for name in names}
    words = [
        (function, set(_WORD.findall(parsed.data, function.span.start, function.span.end)))
        for function in parsed.functions
        if function.scope == "device" and function.name
    ]
    grown = True
    while grown:
        more = {function.name.encode() for function, said in words if not said.isdisjoint(wanted)} - wanted
        wanted |= more
        grown = bool(more)
    found = [function for function, _ in words if function.name.encode() in wanted]
    if len({function.name for function in found}) != len(found):
        raise Refused("functions of one name are not told apart")
    if {function.name.encode() for function in found} != wanted:
        raise Refused("a function with lane code is not found")
    return found


def _inner_first(parsed: ParsedFile, functions: Sequence[Function]) -> list[Function]:
    """Functions after those that they call."""
    waiting = {
        function: {
            other.name
            for other in functions
            if other is not function
            and other.name.encode() in _WORD.findall(parsed.data, function.body.start, function.body.end)
        }
        for function in functions
    }
    ordered: list[Function] = []
    while waiting:
        done = {function.name for function in ordered}
        ready = [function for function, needs in waiting.items() if needs <= done]
        if not ready:
            raise Refused("the functions call each other in a circle")
        ordered += ready
        waiting = {function: needs for function, needs in waiting.items() if function not in ready}
    return ordered


def _is_called(parsed: ParsedFile, function: Function, functions: Sequence[Function]) -> bool:
    name = function.name.encode()
    bodies = (parsed.data[other.body.start : other.body.end] for other in functions if other is not function)
    return any(name in _WORD.findall(body) for body in bodies)


def _check_launches(parsed: ParsedFile, values: Values, kernel: Function) -> None:
    """Refuse a kernel whose blocks are not seen, all of them, to be whole waves of 64 lanes."""
    launches = [use for use in parsed.uses if use.kind == "launch" and use.name == kernel.name]
    known = [width for name, width in widths(parsed, values) if name == kernel.name]
    name = kernel.name.encode()
    mentioned = list(parsed.lexed.matches(re.compile(rb"\b" + re.escape(name) + rb"\b")))
    if not launches or len(known) != len(launches) or len(mentioned) != len(launches) + 1:
        raise Refused(f"the size of the blocks of `{kernel.name}` is not seen wherever it is launched")
    narrow = [width for width in known if width % 64 or width <= 0]
    if narrow:
        raise Refused(f"blocks of {narrow[0]} threads are not made of whole waves of 64")
