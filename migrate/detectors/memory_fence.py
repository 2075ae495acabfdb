"""The last block adds up what the others wrote, with a fence on the writers' side only."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import COMPARISONS, OPERATIONS, expressions_around, identifiers, made

WORDS = (b"__threadfence",)

_FENCE = re.compile(rb"\b__threadfence(?:_system)?\s*\(\s*\)")
"""A fence for the device or the system: `__threadfence()`, `__threadfence_system()`. The one of a block is no match."""
_TICKET = re.compile(rb"\batomic(?:Inc|Add)\s*\([^;]*;")
_MET = re.compile(rb"\b__syncthreads\s*\(|\bsync\s*\(")
_NEAR = 500
_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_MEMORY = ("subscript_expression", "pointer_expression")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """A fence, a ticket drawn with an atomic and compared with the number of blocks, then a barrier and no fence."""
    for function in parsed.functions:
        if function.scope != "device":
            continue
        ticket = _ticket(parsed, function)
        if ticket is not None and not _is_volatile(parsed, function, ticket):
            use = Use("name", "__threadfence", ticket, ticket, (), "device", parsed.certainty(ticket.start))
            yield Hit("memory/last-block", use, {"name": "__threadfence"})


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
