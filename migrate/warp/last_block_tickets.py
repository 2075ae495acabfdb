"""Tickets by which a block learns that it is the last, drawn behind a fence with none after: its reads can be old."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.shared_accesses import Accesses
from cudamigrate.warp.transfer import place_around
from cudamigrate.warp.tree_queries import COMPARISONS, OPERATIONS, expressions_around, identifiers, made

_FENCE = re.compile(rb"\b__threadfence(?:_system)?\s*\(\s*\)")
"""A fence for the device or the system: `__threadfence()`, `__threadfence_system()`. The one of a block is no match."""
_TICKET = re.compile(rb"\batomic(?:Inc|Add)\s*\([^;]*;")
_MET = re.compile(rb"\b__syncthreads\s*\(|\bsync\s*\(")
_NEAR = 500
_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_BUILT_IN = ("atomic", "__")
"""How functions of CUDA begin that read no memory, or read it past the caches."""
_MEMORY = ("subscript_expression", "pointer_expression")


def tickets(parsed: ParsedFile) -> Iterator[Span]:
    """The calls that draw them, one of a function: where the writers have a fence, and the reader none.

    What only that block runs then reads memory, and not all of what was written before is `volatile`.
    """
    for function in parsed.functions:
        if function.scope != "device":
            continue
        ticket = _ticket(parsed, function)
        if ticket is not None and not _is_volatile(parsed, function, ticket) and _reads_on(parsed, ticket):
            yield ticket


def _ticket(parsed: ParsedFile, function: Function) -> Span | None:
    """The atomic after the last fence of a function, where what follows asks who came last."""
    start, end = function.body.start, function.body.end
    fences = [match for match in _FENCE.finditer(parsed.data, start, end) if parsed.lexed.is_code(match.start())]
    if not fences:
        return None
    ticket = _TICKET.search(parsed.data, fences[-1].end(), min(end, fences[-1].end() + _NEAR))
    if ticket is None or not parsed.lexed.is_code(ticket.start()):
        return None
    signal = _MET.search(parsed.data, ticket.end(), min(end, ticket.end() + _NEAR))
    if signal is None or not _asks(parsed, ticket.start(), end):
        return None
    closing = parsed.lexed.closing(parsed.data.index(b"(", ticket.start()))
    return Span(ticket.start(), closing + 1) if closing > 0 else None


def _reads_on(parsed: ParsedFile, ticket: Span) -> bool:
    """Whether a routine reads memory that other blocks see behind a ticket, or hands something to a function."""
    place = place_around(parsed, ticket.start)
    if place is None:
        return True
    calls = (one for one in place.routine.sites if one.kind == "call" and one.start >= ticket.end)
    if any(one.arguments and not one.callee.startswith(_BUILT_IN) for one in calls):
        return True
    return any(one.start >= ticket.end for one in Accesses.of(parsed, place).reads())


def _is_volatile(parsed: ParsedFile, function: Function, ticket: Span) -> bool:
    """Whether all memory that a function writes before it draws its ticket is read past the caches: it is `volatile`.

    clang loads such as it loads atomics, with `glc` on gfx90a and `sc0 sc1` on gfx942.
    """
    root = parsed.tree.root_node
    node = root.descendant_for_byte_range(function.span.start, function.span.end - 1)
    known = dict(declared(node, root)) if node is not None else {}
    found = set[bytes]()
    for one in _WRITES.below(root):
        left = one.child_by_field_name("left")
        if function.body.start <= one.start_byte < ticket.start and left is not None and left.type in _MEMORY:
            inner = left.child_by_field_name("argument")
            found.add(text(inner) if inner is not None and inner.type == "identifier" else b"")
    in_memory = [known.get(name) for name in found]
    return bool(in_memory) and all(one is not None and b"volatile" in one.qualifiers for one in in_memory)


def _asks(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether what an atomic at a place returns is compared, there or by a variable: with another number than none."""
    root = parsed.tree.root_node
    call: Node | None = root.descendant_for_byte_range(start, start + 1)
    around = [] if call is None else list(expressions_around(call))
    if any(_compares(parsed, one) for one in around):
        return True
    name = b"" if call is None else made(call)
    tests = (one for one in OPERATIONS.below(root) if name and start < one.start_byte < end)
    return any(name in identifiers(one) and _compares(parsed, one) for one in tests)


def _compares(parsed: ParsedFile, node: Node) -> bool:
    if text(node.child_by_field_name("operator")) not in COMPARISONS:
        return False
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    return all(one is not None and Values.of(parsed).constant(one) != 0 for one in sides)
