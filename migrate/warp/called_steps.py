"""Steps through shared memory of which a function takes one at each call: `halve(s, t, t + 16); halve(s, t, t + 8);`.

What one call reads, other lanes wrote in the call before. The function has the place of the other lane (`t + 16`), the
distance, or the element itself (`s[t + 16]`), and writes the lane's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.model.warp_graph import Routine
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.transfer import evaluator_of, place_around
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.warp_synchronous import barrier_between, is_of_lanes
from cudamigrate.warp.warp_synchronous_steps import (
    DISTANCES,
    ELEMENTS,
    assignments,
    base,
    place_of,
    squeezed,
    statement_of,
)

_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_FEWEST = 3
"""So many calls by halves or doubles are no coincidence."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call with a distance: what is called, the other arguments, and which ones are the lane's own and another's."""

    node: Node
    callee: bytes
    rest: tuple[bytes, ...]
    distance: int
    kind: str
    own: int
    other: int


def called_steps(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first call of each row with no barrier between two of them, and the array that they pass values on in."""
    if b"__shared__" not in parsed.data and b"volatile" not in parsed.data:
        return
    row: list[_Call] = []
    for call in _calls(parsed):
        if row and not _goes_on(parsed, row[-1], call):
            yield from _judged(parsed, row)
            row = []
        row.append(call)
    yield from _judged(parsed, row)


def _calls(parsed: ParsedFile) -> Iterator[_Call]:
    macros = {
        parsed.lexed.text(name)
        for one in parsed.lexed.directives
        if one.name == "define" and (name := parsed.lexed.token(one.rest)) is not None
    }
    for node in sorted(_CALLS.below(parsed.tree.root_node), key=lambda one: one.start_byte):
        function = node.child_by_field_name("function")
        if function is None or function.type == "field_expression" or plain_name(function) in macros:
            continue
        found = _with_distance(node, plain_name(function))
        if found is not None and parsed.scope(node.start_byte) == "device" and parsed.hip(node.start_byte) is None:
            yield found


def _with_distance(node: Node, callee: bytes) -> _Call | None:
    """A call that is given the place or the element of another lane, or a distance."""
    given = [bare(one) for one in tree_sitter_nodes.elements(node.child_by_field_name("arguments"))]
    spelled = [squeezed(one) for one in given]
    for at, one in enumerate(given):
        place, kind = (_index(one), "index") if one is not None else (None, "")
        element = one.child_by_field_name("argument") if one is not None and one.type == "pointer_expression" else one
        if place is None and element is not None and element.type == "subscript_expression":
            made, kind = place_of(element), "element"
            sign = b"&" if element is not one else b""
            place = None if made is None else (sign + made[0] + b"[" + squeezed(made[1]) + b"]", made[2])
        if place is None and one is not None and one.type == "number_literal" and spelled[at] in DISTANCES:
            place, kind = (b"", b"+" + spelled[at]), "distance"
        if place is None or not place[1][1:].isdigit() or (kind != "distance" and place[0] not in spelled):
            continue
        rest = tuple(spelled[:at] + spelled[at + 1 :])
        return _Call(node, callee, rest, int(place[1][1:]), kind, spelled.index(place[0]) if place[0] else -1, at)
    return None


def _index(node: Node | None) -> tuple[bytes, bytes] | None:
    """The own index and the signed distance of `t + 16`."""
    if node is None or node.type != "binary_expression":
        return None
    sign, right = text(node.child_by_field_name("operator")), bare(node.child_by_field_name("right"))
    distance = text(right).rstrip(b"uU")
    fits = sign in (b"+", b"-", b"^") and distance in DISTANCES
    return (squeezed(bare(node.child_by_field_name("left"))), sign + distance) if fits else None


def _goes_on(parsed: ParsedFile, before: _Call, call: _Call) -> bool:
    """Whether a call is the next of a row: of the same function with the same arguments, with no barrier between."""
    same = (before.callee, before.rest, before.kind) == (call.callee, call.rest, call.kind)
    one = parsed.function(before.node.start_byte) == parsed.function(call.node.start_byte)
    return same and one and not barrier_between(parsed, before.node.end_byte, call.node.start_byte)


def _judged(parsed: ParsedFile, row: Sequence[_Call]) -> Iterator[tuple[Span, str]]:
    """A row, where it is one of lanes: by halves or doubles, 16 among them, through memory that they share."""
    distances = [one.distance for one in row]
    if len(row) < _FEWEST or 16 not in distances or {max(pair) / min(pair) for pair in pairwise(distances)} != {2}:
        return
    first = row[0]
    if barrier_between(parsed, first.node.start_byte, first.node.end_byte):
        return  # the function itself has one
    own = [one.routine for one in evaluator_of(parsed).by_name.get(first.callee.decode("latin-1"), ())]
    if not own and first.kind != "index":
        return
    given = [bare(one) for one in tree_sitter_nodes.elements(first.node.child_by_field_name("arguments"))]
    places = {at for one in own for at in _stepped(parsed, one, first)} if own else _remembered(parsed, first, given)
    array = next((name for at in sorted(places) if (name := _array(parsed, first, given, at))), b"")
    if array:
        yield Span(first.node.start_byte, first.node.end_byte), array.decode("latin-1")


def _remembered(parsed: ParsedFile, call: _Call, given: Sequence[Node | None]) -> set[int]:
    """Which arguments of a function that the file does not show are shared memory, or read from memory each time."""
    start = call.node.start_byte
    around, known = place_around(parsed, start), Quantities.of_file(parsed).values.locals(start)
    found: set[int] = set()
    for at, one in enumerate(given):
        name = squeezed(one) if one is not None and one.type == "identifier" else b""
        volatile = any(b"volatile" in local.qualifiers for local in known.get(name, ()))
        if volatile or (around is not None and name.decode("latin-1") in around.routine.shared):
            found.add(at)
    return found


def _array(parsed: ParsedFile, call: _Call, given: Sequence[Node | None], at: int) -> bytes:
    """The array of an argument, where lanes share it and go by their number."""
    one = given[at] if at < len(given) else None
    if one is None:
        return b""
    if call.kind == "element":
        element = next(iter(ELEMENTS.below(one)), None)
        lanes = [] if element is None else [squeezed(element.child_by_field_name("indices"))[1:-1]]
        array = b"" if element is None else base(element)
    else:
        array, lanes = squeezed(one), [squeezed(other) for other in given if other is not None and other is not one]
        lanes = [squeezed(given[call.own])] if call.kind == "index" else lanes
    return array if any(is_of_lanes(parsed, call.node.start_byte, array, lane) for lane in lanes) else b""


def _stepped(parsed: ParsedFile, routine: Routine, call: _Call) -> set[int]:
    """The parameters of a function in which it reads the place of another lane and writes the lane's own."""
    names = [one.encode("latin-1") for one in routine.parameters]
    root = parsed.tree.root_node
    body = root.descendant_for_byte_range(routine.start, routine.end - 1)
    if max(call.own, call.other) >= len(names) or body is None:
        return set()
    other, own = names[call.other], names[call.own]
    inside = [one for one in ELEMENTS.below(root) if routine.start <= one.start_byte < routine.end]
    if call.kind == "distance":
        steps = [(one, place) for one in inside if (place := place_of(one)) is not None and place[2][1:] == other]
        arrays = {base(one) for one, place in steps if statement_of(one, place[0], place[1])[0] is not None}
        return {at for at, name in enumerate(names) if name in arrays}
    written = [to for one in assignments(body) if (to := one.child_by_field_name("left")) is not None]
    if call.kind == "element":
        leads = re.search(rb"[&*]\s*(?:__restrict__\s*)?%b\s*[,)]" % re.escape(own), text(body))  # a copy leads nowhere
        wrote = {squeezed(one).lstrip(b"*").removesuffix(b"[0]") for one in written}
        return {call.own} if leads is not None and own in wrote else set()
    targets = [one for one in inside if any(_covers(to, one) for to in written)]
    own_places = {base(one) for one in targets if squeezed(one.child_by_field_name("indices")) == b"[%b]" % own}
    others = (one for one in inside if one not in targets)
    read = {base(one) for one in others if squeezed(one.child_by_field_name("indices")) == b"[%b]" % other}
    return {at for at, name in enumerate(names) if name in own_places & read}


def _covers(node: Node, inner: Node) -> bool:
    return node.start_byte <= inner.start_byte and inner.end_byte <= node.end_byte
