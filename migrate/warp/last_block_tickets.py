"""Tickets by which a block learns that it is the last, drawn behind a fence with none after: its reads can be old."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import Local, declared, parameters, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.model.warp_graph import Site
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import below
from cudamigrate.warp.places import Place
from cudamigrate.warp.shared_accesses import Accesses, named, root
from cudamigrate.warp.transfer import evaluator_of, place_around
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

    What only that block runs then reads memory that is not `volatile`, and not all of what was written before is.
    """
    for function in parsed.functions:
        if function.scope != "device":
            continue
        ticket = _ticket(parsed, function)
        if ticket is not None and not _is_volatile(parsed, function, ticket) and _reads_on(parsed, function, ticket):
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


def _reads_on(parsed: ParsedFile, function: Function, ticket: Span) -> bool:
    """Whether a routine reads memory that other blocks see behind a ticket, or hands such to a function that may.

    What is declared `volatile` is read past the caches.
    """
    place = place_around(parsed, ticket.start)
    if place is None:
        return True
    fresh = {
        name.decode("latin-1") for name, one in _declared(parsed, function).items() if b"volatile" in one.qualifiers
    }
    calls = [one for one in place.routine.sites if one.kind == "call" and one.start >= ticket.end]
    calls = [one for one in calls if one.arguments and not one.callee.startswith(_BUILT_IN)]
    if any(_hands(parsed, place, one, fresh) for one in calls):
        return True
    handed = {one.start for one in calls}
    reads = (one for one in Accesses.of(parsed, place).reads() if one.start >= ticket.end and one.start not in handed)
    return any(root(one.what) not in fresh for one in reads)


def _hands(parsed: ParsedFile, place: Place, call: Site, fresh: set[str]) -> bool:
    """Whether a call hands a function memory by which that may read what is old, or reads such for it."""
    routine = place.routine
    own = {*fresh, *routine.held, *routine.templates, *(name.partition("#")[0] for name in routine.shared)}
    for number, argument in enumerate(call.arguments):
        whole = root(argument)  # what is not of one variable may be of any that it names
        parts = [part for part in below(argument) if not whole or part[0] in ("m", "i")]
        names = {whole, *map(root, parts)} - {""} - own
        if names and not (names == {whole} and _only_stores(parsed, call.callee, number)):
            return True
    return False


def _only_stores(parsed: ParsedFile, callee: str, number: int) -> bool:
    """Whether a function of the file reads nothing by a parameter that is a pointer, and passes it on to none."""
    found = [one for one in evaluator_of(parsed).places if one.routine.name == callee and one.routine.end]
    if len(found) != 1 or number >= len(found[0].routine.parameters):
        return False
    routine, name = found[0].routine, found[0].routine.parameters[number]
    node = parsed.tree.root_node.descendant_for_byte_range(routine.start, routine.end - 1)
    pointed = [one is not None and one.rank > 0 for one in parameters(node)] if node is not None else []
    if pointed[number : number + 1] != [True] or name in routine.taken:
        return False
    passed = (one for one in routine.sites if one.kind == "call" and not one.callee.startswith(_BUILT_IN))
    if any(named(part) == name for one in passed for argument in one.arguments for part in below(argument)):
        return False
    kept = (one.value for one in routine.definitions if one.name != "*")
    is_kept = any(root(value) == name and value[0] not in ("m", "i") for value in kept)
    return not is_kept and all(root(one.what) != name for one in Accesses.of(parsed, found[0]).reads())


def _declared(parsed: ParsedFile, function: Function) -> dict[bytes, Local]:
    """What a function declares, by name."""
    top = parsed.tree.root_node
    node = top.descendant_for_byte_range(function.span.start, function.span.end - 1)
    return dict(declared(node, top)) if node is not None else {}


def _is_volatile(parsed: ParsedFile, function: Function, ticket: Span) -> bool:
    """Whether all memory that a function writes before it draws its ticket is read past the caches: it is `volatile`.

    clang loads such as it loads atomics, with `glc` on gfx90a and `sc0 sc1` on gfx942.
    """
    known, found = _declared(parsed, function), set[bytes]()
    for one in _WRITES.below(parsed.tree.root_node):
        left = one.child_by_field_name("left")
        if function.body.start <= one.start_byte < ticket.start and left is not None and left.type in _MEMORY:
            inner = left.child_by_field_name("argument")
            found.add(text(inner) if inner is not None and inner.type == "identifier" else b"")
    in_memory = [known.get(name) for name in found]
    return bool(in_memory) and all(one is not None and b"volatile" in one.qualifiers for one in in_memory)


def _asks(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether what an atomic at a place returns is compared, there or by a variable: with another number than none."""
    top = parsed.tree.root_node
    call: Node | None = top.descendant_for_byte_range(start, start + 1)
    around = [] if call is None else list(expressions_around(call))
    if any(_compares(parsed, one) for one in around):
        return True
    name = b"" if call is None else made(call)
    tests = (one for one in OPERATIONS.below(top) if name and start < one.start_byte < end)
    return any(name in identifiers(one) and _compares(parsed, one) for one in tests)


def _compares(parsed: ParsedFile, node: Node) -> bool:
    if text(node.child_by_field_name("operator")) not in COMPARISONS:
        return False
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    return all(one is not None and Values.of(parsed).constant(one) != 0 for one in sides)
