"""Elements of `volatile` shared memory that a lane writes and others read, with no barrier in between.

Not the steps of a reduction, whose places are a number of lanes apart, but any others: a sort that moves keys up, a
lane that lets the others know what it has. What is read in the next turn of a loop counts as well. `volatile` says that
lanes are meant to see each other's writes at once; other memory without a barrier is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span
from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import THREAD
from cudamigrate.warp.folded_halves import changes, folded_by
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator, evaluator_of
from cudamigrate.warp.volatile_memory import SharedElement, VolatileMemory
from cudamigrate.warp.warp_synchronous import barrier_between, runs

_Pair = tuple[Expression, Expression]
_Path = tuple[Expression, ...]


class _Element(NamedTuple):
    """An element of an array: its indices, where it is used, and the conditions there."""

    of: SharedElement
    start: int
    guards: frozenset[int]


def passed_elements(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first write of each function whose value other lanes read without a barrier, and its array."""
    if b"volatile" not in parsed.data or b"__shared__" not in parsed.data:
        return
    evaluator, known = evaluator_of(parsed), runs(parsed)
    for place in evaluator.places:
        routine = place.routine
        memory = VolatileMemory(parsed, place) if parsed.hip(routine.start) is None else None
        if not memory:
            continue
        own = (one.array.partition("[")[0] for one in known if one.function.span.start == routine.start)
        stepped = set(map(memory.root, own))
        writes, reads = (list(each(place, memory, stepped)) for each in (_written, _read))
        passed = (one for one in writes if any(_passes(parsed, evaluator, place, one, other) for other in reads))
        if (first := next(passed, None)) is not None:
            yield _statement(parsed, first.start), first.of.array


def _written(place: Place, memory: VolatileMemory, stepped: Set[str]) -> Iterator[_Element]:
    for one in place.routine.definitions:
        if one.name != "*" and one.place and (found := memory.element(one.place)) and found.array not in stepped:
            yield _Element(found, one.start, frozenset(one.guards))


def _read(place: Place, memory: VolatileMemory, stepped: Set[str]) -> Iterator[_Element]:
    """What a routine reads, but for what a loop waits for."""
    routine = place.routine
    said = [(one.value, one.start, one.guards) for one in routine.definitions if one.name != "*"]
    said += [(one.test, one.start, ()) for one in routine.conditions]
    said += [(one.arguments, one.start, one.guards) for one in routine.sites if one.kind == "call"]
    waits = [(one.start, one.end) for one in routine.sites if one.kind != "call"]
    for what, start, guards in said:
        if not any(first <= start < last for first, last in waits):
            for one in below(what):
                if (found := memory.element(one)) and found.array not in stepped:
                    yield _Element(found, start, frozenset(guards))


def _passes(parsed: ParsedFile, evaluator: Evaluator, place: Place, one: _Element, other: _Element) -> bool:
    """Whether a value that one lane writes is read by another one of its warp before they meet."""
    if one.of.array != other.of.array or _are_parts(evaluator, place, one.of.base, other.of.base):
        return False
    apart = [pair for pair in zip(one.of.indices, other.of.indices, strict=True) if pair[0] != pair[1]]
    if not apart or not _is_followed(
        parsed, place, one.start, other.start, _folded(evaluator, place, one, other, apart)
    ):
        return False
    if not any(evaluator.value(place, each).level >= THREAD for each in one.of.indices):
        return False
    if not any(evaluator.value(place, each).level >= THREAD for pair in apart for each in pair):
        return False  # elements of other warps
    # a number is the distance of a step, or that of two rows
    return all(evaluator.value(place, ("o", "-", *pair)).value is None for pair in apart)


def _are_parts(evaluator: Evaluator, place: Place, one: _Path, other: _Path) -> bool:
    """Whether two pointers cut an array in parts, as they begin apart alike in all lanes: `b = a + n * n`."""
    if not one or not other:
        return False
    pairs = (pair for pair in zip_longest(one, other, fillvalue=("n", 0)) if pair[0] != pair[1])
    between = [_between(*pair) for pair in pairs]
    return bool(between) and all(evaluator.value(place, each).level < THREAD for each in between)


def _between(one: Expression, other: Expression) -> Expression:
    """What is between two indices: what one of them adds to the other, if it does."""
    for first, last in ((one, other), (other, one)):
        if last[:2] == ("o", "+") and len(last) > 3 and last[2] == first:
            added: Expression = last[3]
            return added
    return ("o", "-", one, other)


def _folded(evaluator: Evaluator, place: Place, one: _Element, other: _Element, apart: Sequence[_Pair]) -> str:
    """The variable by which two elements of a row are apart, as halves that a reduction folds; else empty."""
    if len(apart) != 1:
        return ""
    return folded_by(evaluator, place, (apart[0][0], one.start), (apart[0][1], other.start))


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
