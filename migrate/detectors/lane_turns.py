"""Turns of the lanes of a warp of 32 around a lock: `if (threadIdx.x % 32 == turn) { lock(); ... unlock(); }`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, identifiers, outer, plain_name

WORDS = (b"32", b"31")

_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")
_LOOP_KINDS = ("for_statement", "while_statement", "do_statement")
_VALUES = tree_sitter_nodes.Kinds("cuda", "init_declarator", "assignment_expression")
_EXCHANGES = (b"atomicCAS", b"atomicExch")
_DEPTH = 4
_LANES = {b"%": b"32", b"&": b"31"}
"""How a number is brought to that of a lane of 32."""
_LOCKS = re.compile(rb"(?i:(?<![bc])(?<!un)lock|mutex|acquire)")
"""What a function is called that says that it takes a lock: no `unlock`, `block` or `clock`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Conditions that let one lane of 32 in, by a turn or a number, to code that takes a lock."""
    if not any_wide(parsed.target.arch):
        return
    for choice in _IFS.below(parsed.tree.root_node):
        function, condition = parsed.function(choice.start_byte), choice.child_by_field_name("condition")
        body = choice.child_by_field_name("consequence")
        if function is None or function.scope != "device" or condition is None or body is None:
            continue
        compared = _compared(condition)
        if compared is None or parsed.hip(choice.start_byte) is not None:
            continue
        if _is_turn(parsed, function, choice, compared) and _takes(parsed, body):  # the dearer question last
            span = Span(compared.start_byte, compared.end_byte)
            use = Use("name", "32", span, span, (), "device", parsed.certainty(span.start))
            yield Hit("warp/lane-turns", use)


def _takes(parsed: ParsedFile, body: Node, depth: int = _DEPTH) -> bool:
    """Whether code takes a lock: by an exchange whose result it asks for, by a function that does, or one called so.

    An exchange that nobody asks lets go of a lock, `atomicExch(&lock, 0);`.
    """
    for call in CALLS.below(body):
        name = plain_name(call.child_by_field_name("function"))
        around = outer(call)
        if name.startswith(_EXCHANGES):
            if around is None or around.type != "expression_statement":
                return True
            continue
        inside = [_body(parsed, one) for one in CallGraph.of(parsed).named.get(name.decode("latin-1"), ())]
        known = depth > 0 and any(word in text(one) for one in inside for word in _EXCHANGES)
        is_named = _LOCKS.search(name) is not None
        if any(one is not None and _takes(parsed, one, depth - 1) for one in inside) if known else is_named:
            return True
    return False


def _body(parsed: ParsedFile, function: Function) -> Node | None:
    return parsed.tree.root_node.descendant_for_byte_range(function.body.start, function.body.end - 1)


def _compared(condition: Node) -> Node | None:
    """The comparison that a condition is, without brackets around it."""
    node: Node | None = condition
    while node is not None and node.type in ("condition_clause", "parenthesized_expression"):
        node = node.named_children[0] if len(node.named_children) == 1 else None
    return node if node is not None and text(node.child_by_field_name("operator")) == b"==" else None


def _is_turn(parsed: ParsedFile, function: Function, choice: Node, compared: Node) -> bool:
    """Whether a lane's number among 32 is compared with a turn of a loop around, or with a number."""
    sides = [bare(compared.child_by_field_name(name)) for name in ("left", "right")]
    for lane, turn in (sides, sides[::-1]):
        if lane is None or turn is None or lane.type != "binary_expression":
            continue
        size = _LANES.get(text(lane.child_by_field_name("operator")))
        if size is None or text(lane.child_by_field_name("right")) != size:
            continue
        counted = turn.type == "number_literal" or (turn.type == "identifier" and _is_counted(choice, text(turn)))
        if counted and _is_of_threads(parsed, function, lane.child_by_field_name("left")):
            return True
    return False


def _is_counted(choice: Node, name: bytes) -> bool:
    """Whether a loop around counts a variable."""
    loops = (one for one in tree_sitter_nodes.ancestors(choice) if one.type in _LOOP_KINDS)
    parts = ((loop.child_by_field_name("update"), loop.child_by_field_name("condition")) for loop in loops)
    return any(name in identifiers(part) for pair in parts for part in pair if part is not None)


def _is_of_threads(parsed: ParsedFile, function: Function, number: Node | None) -> bool:
    """Whether a number is made from the thread's: by itself, or by what the function gives a variable of it."""
    if number is None or b"threadIdx" in text(number):
        return number is not None
    names = frozenset(identifiers(number))
    for value in _VALUES.below(parsed.tree.root_node):
        target = value.child_by_field_name("declarator") or value.child_by_field_name("left")
        inside = function.body.start <= value.start_byte < function.body.end
        if inside and target is not None and text(target) in names and b"threadIdx" in text(value):
            return True
    return False
