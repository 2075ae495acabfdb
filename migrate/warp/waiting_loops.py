"""Loops that only another thread can end: they change nothing that they look at. Jumps back to a label loop too."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.constant_values import COORDINATES
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.loop_turns import JUMPS, KEEPING, PART, Body, changed, conditions, goes_to
from cudamigrate.warp.moving_turns import StandingTurn, fetches, stays_by
from cudamigrate.warp.sources import atomics
from cudamigrate.warp.turn_values import Flow, is_of_registers, parts
from cudamigrate.warp.voted_turns import get_further

_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_type", "template_function")
_SETS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_OWN = ("identifier", "field_expression")
"""How a function names itself: with other numbers, or in another class, it is another one."""
_LOOKS = (
    *("call_expression", "subscript_expression", "pointer_expression", "field_expression", "gnu_asm_expression"),
    PART,
)
_PLACES = tree_sitter_nodes.Kinds("cuda", "subscript_expression")
_NEVER = (b"0", b"false")
"""What a block that is written as a loop, to be left by `break`, asks for at its end."""
_CLOCK = re.compile(rb"\bclock(?:64)?\s*\(|%(?:clock|globaltimer)|\bmov\.")
"""What changes by itself: clocks, and registers that assembly reads."""
Memory = Callable[[str, bool, bool], bool]
"""Whether others may write what a name stands for: by its declaration, where a call is given it, where any is made."""


class Waiting(NamedTuple):
    """A loop that only waits: the calls in its body and what decides whether it goes on.

    `rests` are the variables that this depends on, `is_bare` says that nothing is done before it is left, `is_partial`
    that other turns get it further.
    """

    calls: list[Node]
    tests: list[Node]
    rests: set[bytes]
    is_bare: bool
    is_partial: bool = False


def counts_only(loop: Node, root: Node) -> bool:
    """Whether a loop is a `for` that counts on what it asks, has no other way out, and sets nothing that it asks.

    Such a loop ends by itself, whatever it does. `root` is that of the tree.
    """
    test, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if loop.type != "for_statement" or test is None or update is None or any(part != test for part in parts(test)):
        return False
    sign = b"" if update.type == "update_expression" else text(update.child_by_field_name("operator"))
    counts = update.type in ("update_expression", "assignment_expression") and sign not in KEEPING
    counted, is_plain = changed(update) if counts else (b"", False)
    read_as_types = {text(one.child_by_field_name("name")) for one in _TEMPLATES.below(test)}  # `i < Log2<N>::value`
    asked = {text(one) for one in _VARIABLES.below(test)} | read_as_types
    if not is_plain or counted not in asked or JUMPS.within(root, loop):
        return False
    by = update.child_by_field_name("right")
    if stays_by(update, counted) is not None or (by is not None and fetches(by)):
        return False
    return asked.isdisjoint(changed(one)[0] for one in _SETS.within(root, loop) if one != update)


def waits(loop: Node, is_memory: Memory, constants: Container[str] = ()) -> Waiting | None:
    """What a loop asks and calls that changes nothing it looks at; None for a loop that does.

    What it declares or fetches is new in each turn, and what it does right before it leaves is done once. A variable
    that no condition mentions may change. `is_memory` says of a name whether others may write what it stands for.

    A loop that gives up after so many turns, and does nothing in them but count, waits too; and so does one that goes
    from one wait to the next, `while (k < n) { if (flags[k]) ++k; }`, where a turn asks memory once
    that is not of those to which `constants` point; not where a warp goes on until no lane of it gets further.
    """
    test, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if loop.type == "for_range_loop" or (loop.type == "do_statement" and text(test).strip(b"() ") in _NEVER):
        return None
    held, label = loop.child_by_field_name("body"), text(loop.child_by_field_name("label"))
    turn = _turn(loop, label) if label else [one for one in (held, update) if one is not None]
    if label and not turn:
        return None
    body = Body([] if test is None else [test], loop, label)
    if body.read(turn) and (found := _judged(body, is_memory)) is not None:
        return found
    if label:
        return None
    still = StandingTurn([] if test is None else [test], loop, constants)
    stands = still.read(turn) and still.is_partial and not get_further(loop, still.values)
    return _judged(still, is_memory) if stands else None


def waits_again(function: Node, call: Node, parameters: Sequence[str], is_memory: Memory) -> Waiting | None:
    """What a function asks that calls itself until memory changes, as a loop would; None for any other recursion.

    `call` is that of itself: what it is given is what the next turn begins with.
    """
    held, given = (
        function.child_by_field_name("body"),
        tree_sitter_nodes.elements(call.child_by_field_name("arguments")),
    )
    called = call.child_by_field_name("function")
    if held is None or len(given) != len(parameters) or called is None or called.type not in _OWN:
        return None
    body = Body([], function, again=call)
    for name, value in zip(parameters, given, strict=True):
        if text(value) != name.encode("latin-1"):
            body.gets(name.encode("latin-1"), value, is_step=_is_step(value, name.encode("latin-1")))
    body.tests += conditions(call, function)
    return _judged(body, is_memory) if body.read([held]) and body.tests else None


def _judged(body: Body, is_memory: Memory) -> Waiting | None:
    """The waiting loop that a body is; None where it goes on by itself."""
    expected = {name for name in body.fixed.keys() - body.values.keys() - body.steps if _is_expected(name, body)}
    fixed = {name: around for name, around in body.fixed.items() if name not in expected}
    flow = Flow(body.values, body.steps, fixed)
    if any(flow.advances(one) for test in body.tests for one in flow.decided(test)):
        body.begins_again()
        flow = Flow(body.values, body.steps, fixed, body.begun)
    tests = [one for test in body.tests for one in flow.decided(test)]
    counts = [one for one in tests if flow.advances(one)]
    if counts:
        changed = {name for one in counts for name in flow.advancing(one)}
        works = any(not _is_idle(one, body.fetched()) for one in body.calls) or _visits(body, flow)
        counted = changed <= body.steps | fixed.keys()
        if works or not counted or any(_looks(one, flow, body, is_memory) for one in counts):
            return None
    others = [one for one in tests if one not in counts and not _is_timed(one, flow)]
    tests = [one for one in others if not flow.is_settled_there(one, body.loop)]
    looking = [one for one in tests if _looks(one, flow, body, is_memory)]
    looks = body.is_asked_once(looking) if isinstance(body, StandingTurn) else bool(looking)
    rests = {name for one in tests for name in flow.below(one)}
    return Waiting(body.calls, tests, rests, body.is_bare, body.is_partial) if looks else None


def _visits(body: Body, flow: Flow) -> bool:
    """Whether a turn looks at a place in memory that the next turn does not look at: it searches while it counts."""
    places = (one for part in body.turn for one in _PLACES.below(part))
    return any(flow.advances(one) for one in places)


def _is_expected(name: bytes, body: Body) -> bool:
    """Whether a variable is only ever what an atomic exchange expects, set again where that wrote what it found."""
    nodes = [one for test in (*body.tests, *body.fetched()) for one in _VARIABLES.below(test) if text(one) == name]
    lists = [one.parent for one in nodes if one.parent is not None and one.parent.type == "argument_list"]
    calls = [one.parent.child_by_field_name("function") for one in lists if one.parent is not None]
    names = {text(one.child_by_field_name("field")).decode("latin-1") for one in calls if one is not None}
    return len(lists) == len(nodes) > 0 and all(atomics().get(one) == "compare" for one in names)


def _is_timed(test: Node, flow: Flow) -> bool:
    """Whether a condition rests on a clock, which goes on by itself."""
    values = (value for name in flow.below(test) for value in flow.values.get(name, ()))
    return any(_CLOCK.search(text(one)) is not None for one in (test, *values))


def _is_step(value: Node, name: bytes) -> bool:
    """Whether a value is a variable counted on by a number."""
    names = [text(one) for one in _VARIABLES.below(value)]
    return value.type == "binary_expression" and names == [name]


def _is_idle(call: Node, fetched: Iterable[Node]) -> bool:
    """Whether a call in a loop does nothing but ask or pause."""
    asks = any(one.start_byte <= call.start_byte and call.end_byte <= one.end_byte for one in fetched)
    return asks or text(call.child_by_field_name("function")).startswith(b"__")


def _turn(labeled: Node, label: bytes) -> list[Node]:
    """The statements from a label to the last jump back to it, as far as they are in one block."""
    listed, at = [one for one in labeled.named_children if one.type != "statement_identifier"], labeled
    last = len(listed) if any(goes_to(one, label) for one in listed) else 0
    while (after := at.next_named_sibling) is not None:
        listed.append(after)
        last, at = len(listed) if goes_to(after, label) else last, after
    return listed[:last]


def _looks(test: Node, flow: Flow, body: Body, is_memory: Memory, seen: frozenset[bytes] = frozenset()) -> bool:
    """Whether a condition reads memory or calls something, as a number by itself never changes."""
    if test.type == "call_expression" and is_of_registers(test):
        return any(_looks(one, flow, body, is_memory, seen) for one in test.named_children[1:])
    if test.type == "field_expression" and text(test.child_by_field_name("argument")) in COORDINATES:
        return False
    if test.type in _LOOKS:
        return _CLOCK.search(text(test)) is None
    if test.type == "update_expression":
        return False
    if test.type == "identifier":
        name = text(test)
        if name in seen:
            return False
        values = [*flow.values.get(name, ()), *flow.fixed.get(name, ())]
        others = not values and is_memory(name.decode("latin-1"), name in body.handed, bool(body.calls))
        return others or any(_looks(one, flow, body, is_memory, seen | {name}) for one in values)
    return any(_looks(one, flow, body, is_memory, seen) for one in test.named_children)
