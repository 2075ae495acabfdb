"""Elements of `volatile` shared memory that a lane writes and others read, with no barrier in between.

Not the steps of a reduction, whose places are a number of lanes apart, but any others: a sort that moves keys up, a
lane that lets the others know what it has. What is read in the next turn of a loop counts as well. `volatile` says that
lanes are meant to see each other's writes at once; other memory without a barrier is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.declarators import plain
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import THREAD
from cudamigrate.warp.folded_halves import changes, folded_by
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator, evaluator_of
from cudamigrate.warp.warp_synchronous import barrier_between, runs

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")


class _Element(NamedTuple):
    """An element of an array: its index, where it is used, and the conditions there."""

    array: str
    at: Expression
    start: int
    guards: frozenset[int]


def passed_elements(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first write of each function whose value other lanes read without a barrier, and its array."""
    if b"volatile" not in parsed.data or b"__shared__" not in parsed.data:
        return
    evaluator, known = evaluator_of(parsed), {(one.function.span.start, one.array) for one in runs(parsed)}
    for place in evaluator.places:
        routine = place.routine
        arrays = _volatile(parsed, place) if routine.shared and parsed.hip(routine.start) is None else set[str]()
        arrays -= {array for start, array in known if start == routine.start}
        writes, reads = (list(one) for one in (_written(place, arrays), _read(place, arrays)))
        passed = (one for one in writes if any(_passes(parsed, evaluator, place, one, other) for other in reads))
        if (first := next(passed, None)) is not None:
            yield _statement(parsed, first.start), first.array


def _volatile(parsed: ParsedFile, place: Place) -> set[str]:
    """The arrays of a routine in shared memory that are read again each time."""
    root = parsed.tree.root_node
    found = set[str]()
    for node in _DECLARATIONS.below(root):
        if place.routine.start <= node.start_byte < place.routine.end:
            head = text(node).partition(b"=")[0]
            if b"volatile" in head and b"__shared__" in head:
                found |= {plain(one) for one in node.children_by_field_name("declarator")}
    return found & place.routine.shared


def _written(place: Place, arrays: set[str]) -> Iterator[_Element]:
    for one in place.routine.definitions:
        if one.name != "*" and one.place[:1] == ("i",) and one.place[1][0] == "v" and one.place[1][1] in arrays:
            yield _Element(one.place[1][1], one.place[2], one.start, frozenset(one.guards))


def _read(place: Place, arrays: set[str]) -> Iterator[_Element]:
    """What a routine reads, but for what a loop waits for."""
    routine = place.routine
    said = [(one.value, one.start, one.guards) for one in routine.definitions if one.name != "*"]
    said += [(one.test, one.start, ()) for one in routine.conditions]
    said += [(one.arguments, one.start, one.guards) for one in routine.sites if one.kind == "call"]
    waits = [(one.start, one.end) for one in routine.sites if one.kind != "call"]
    for what, start, guards in said:
        if arrays and not any(first <= start < last for first, last in waits):
            for one in below(what):
                if one[0] == "i" and one[1][0] == "v" and one[1][1] in arrays:
                    yield _Element(one[1][1], one[2], start, frozenset(guards))


def _passes(parsed: ParsedFile, evaluator: Evaluator, place: Place, one: _Element, other: _Element) -> bool:
    """Whether a value that one lane writes is read by another one of its warp before they meet."""
    if one.array != other.array:
        return False
    folded = folded_by(evaluator, place, (one.at, one.start), (other.at, other.start))
    if not _is_followed(parsed, place, one.start, other.start, folded):
        return False
    if evaluator.value(place, one.at).level < THREAD or one.at == other.at:
        return False
    return evaluator.value(place, ("o", "-", one.at, other.at)).value is None  # a number is the distance of a step


def _is_followed(parsed: ParsedFile, place: Place, written: int, read: int, folded: str) -> bool:
    """Whether a read comes after a write with no barrier between: in the text, or in the next turn of a loop.

    What is `folded` reads of what was written only after that variable has changed.
    """
    if written < read and not (folded and not changes(place, folded, written, read)):
        return not barrier_between(parsed, written, read)
    last, first = max(written, read), min(written, read)
    around = [one for one in place.routine.turns if one[0] <= first <= last < one[1]]
    around = [one for one in around if not folded or changes(place, folded, *one)]
    if not around or written == read:
        return False
    start, end = max(around)
    return not barrier_between(parsed, written, end) and not barrier_between(parsed, start, read)


def _statement(parsed: ParsedFile, start: int) -> Span:
    node: Node | None = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    while node is not None and node.type != "expression_statement" and node.parent is not None:
        node = node.parent
    return Span(start, start + 1) if node is None else Span(node.start_byte, node.end_byte)
