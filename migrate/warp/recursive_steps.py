"""Steps through shared memory of which a function takes one and calls itself for the next, at half the distance.

`Reduce<T, offset / 2>::run(s)` is a loop that the compiler unrolls: what a step reads, other lanes wrote in the one
before. A barrier holds the steps where each of them comes by it; one behind a condition on the distance does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import CLASSES
from cudamigrate.warp.warp_synchronous_steps import ELEMENTS, place_of, squeezed

_HALVED = rb"\b(?:%b)\s*<[^;{}]*?\b(?P<by>[A-Za-z_]\w*)\s*(?:/\s*2|>>\s*1)\b[^;{}]*?>\s*(?:::\s*\w+\s*)?\("
"""A call of the same template with half a parameter: `Reduce<T, offset / 2>::run(`, `step<n >> 1>(`."""
_LOOKED_FOR = re.compile(rb"/\s*2\b|>>\s*1\b")
_SYNC = re.compile(rb"\b__(?:sync|barrier_sync)\w*\s*\(|(?:\.|::)sync\s*\(")
_BRANCHES = ("if_statement", "conditional_expression", "switch_statement", "while_statement", "for_statement")
_DEFINITIONS = ("function_definition", "lambda_expression")


def recursive_steps(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The step of each such function that no barrier holds at every distance, and its array."""
    for function in parsed.functions if _LOOKED_FOR.search(parsed.data) else ():
        if function.scope == "device" and parsed.hip(function.body.start) is None:
            yield from _steps(parsed, function)


def _steps(parsed: ParsedFile, function: Function) -> Iterator[tuple[Span, str]]:
    body = parsed.data[function.body.start : function.body.end]
    if _LOOKED_FOR.search(body) is None:
        return
    names = {function.name.encode(), *_classes(parsed, function)} - {b""}
    halved = re.compile(_HALVED % b"|".join(map(re.escape, sorted(names)))).search(body)
    if halved is None or _is_held(parsed, function, halved["by"]):
        return
    for access in ELEMENTS.below(parsed.tree.root_node):
        place = place_of(access) if function.body.start <= access.start_byte < function.body.end else None
        if place is None or place[2][1:] != halved["by"] or b"threadIdx" not in _made_of(parsed, function, place[1]):
            continue
        written = _written(access)
        if written is not None and squeezed(written) == place[0] + b"[" + squeezed(place[1]) + b"]":
            statement = access
            while statement.parent is not None and statement.type != "expression_statement":
                statement = statement.parent
            yield Span(statement.start_byte, statement.end_byte), place[0].decode("utf-8", "replace")
            return


def _classes(parsed: ParsedFile, function: Function) -> Iterator[bytes]:
    """The names of the classes around a function."""
    node = node_at(parsed, function.body.start, function.body.end)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in CLASSES:
            yield text(around.child_by_field_name("name")).partition(b"<")[0].strip()


def _is_held(parsed: ParsedFile, function: Function, by: bytes) -> bool:
    """Whether every step comes by a barrier: one behind no condition on the distance."""
    for match in parsed.lexed.matches(_SYNC, b"sync"):
        if not function.body.start <= match.start() < function.body.end:
            continue
        node: Node | None = parsed.tree.root_node.descendant_for_byte_range(match.start(), match.start() + 1)
        around = (
            [one for one in tree_sitter_nodes.ancestors(node) if one.type in (*_BRANCHES, *_DEFINITIONS)]
            if node
            else []
        )
        inside = [one for one in around if function.body.start <= one.start_byte and one.type in _BRANCHES]
        conditions = (text(one.child_by_field_name("condition")) for one in inside)
        if not any(re.search(rb"\b%b\b" % re.escape(by), one) for one in conditions):
            return True
    return False


def _made_of(parsed: ParsedFile, function: Function, index: Node) -> bytes:
    """An index, with what the function gives the variable that it is."""
    spelled = text(index)
    given = rb"\b%b\s*=(?!=)[^;{}]*;" % re.escape(spelled)
    found = (
        re.search(given, parsed.data[function.body.start : function.body.end]) if index.type == "identifier" else None
    )
    return spelled if found is None else spelled + found[0]


def _written(access: Node) -> Node | None:
    """The place that the assignment around a read writes."""
    for around in tree_sitter_nodes.ancestors(access):
        if around.type == "assignment_expression":
            left = around.child_by_field_name("left")
            return None if left is None or left.start_byte <= access.start_byte < left.end_byte else left
        if around.type in ("expression_statement", *_DEFINITIONS):
            return None
    return None
