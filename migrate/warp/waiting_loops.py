"""Loops that only another thread can end: they change nothing that they look at. Jumps back to a label loop too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.sources import atomics
from cudamigrate.warp.special_registers import writes_memory, written
from cudamigrate.warp.turn_values import Flow, is_of_registers, parts
from cudamigrate.warp.turn_variables import begun, own_arrays

_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_type", "template_function")
_LEAVES = ("break_statement", "return_statement")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_TAKING = tree_sitter_nodes.Kinds(
    "cuda", "assignment_expression", "update_expression", "init_declarator", "gnu_asm_expression", "call_expression"
)
_SETS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_OWN = ("identifier", "field_expression")
"""How a function names itself: with other numbers, or in another class, it is another one."""
_JUMP = "goto_statement"
_JUMPS = tree_sitter_nodes.Kinds("cuda", *_LEAVES, _JUMP)
_PART = "abstract_array_declarator"
"""What the parser takes `a[i]` in `int v(a[i]);` for, as it takes `v` for a function."""
_PARTS = tree_sitter_nodes.Kinds("cuda", _PART)
_DECLARATORS = ("pointer_declarator", "reference_declarator", "init_declarator")
_LOOKS = (
    *("call_expression", "subscript_expression", "pointer_expression", "field_expression", "gnu_asm_expression"),
    _PART,
)
_FIXED = ("number_literal", "true", "false", "char_literal")
"""What is given without being fetched: a loop that gives it ends itself, or what decides on it does."""
_NEVER = (b"0", b"false")
"""What a block that is written as a loop, to be left by `break`, asks for at its end."""
_KEEPING = (b"=", b"|=", b"&=")
"""Assignments by which a variable gets no further than what is assigned."""
_CLOCK = re.compile(rb"\bclock(?:64)?\s*\(|%(?:clock|globaltimer)|\bmov\.")
"""What changes by itself: clocks, and registers that assembly reads."""
Memory = Callable[[str, bool, bool], bool]
"""Whether others may write what a name stands for: by its declaration, where a call is given it, where any is made."""


class Waiting(NamedTuple):
    """A loop that only waits: the calls in its body and what decides whether it goes on.

    `rests` are the variables that this depends on, `is_bare` says that nothing is done before it is left.
    """

    calls: list[Node]
    tests: list[Node]
    rests: set[bytes]
    is_bare: bool


def counts_only(loop: Node, root: Node) -> bool:
    """Whether a loop is a `for` that counts on what it asks, has no other way out, and sets nothing that it asks.

    Such a loop ends by itself, whatever it does. `root` is that of the tree.
    """
    test, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if loop.type != "for_statement" or test is None or update is None or any(part != test for part in parts(test)):
        return False
    sign = b"" if update.type == "update_expression" else text(update.child_by_field_name("operator"))
    counts = update.type in ("update_expression", "assignment_expression") and sign not in _KEEPING
    counted, is_plain = _changed(update) if counts else (b"", False)
    read_as_types = {text(one.child_by_field_name("name")) for one in _TEMPLATES.below(test)}  # `i < Log2<N>::value`
    asked = {text(one) for one in _VARIABLES.below(test)} | read_as_types
    if not is_plain or counted not in asked or _JUMPS.within(root, loop):
        return False
    return asked.isdisjoint(_changed(one)[0] for one in _SETS.within(root, loop) if one != update)


def waits(loop: Node, is_memory: Memory) -> Waiting | None:
    """What a loop asks and calls that changes nothing it looks at; None for a loop that does.

    What it declares or fetches is new in each turn, and what it does right before it leaves is done once. A variable
    that no condition mentions may change. `is_memory` says of a name whether others may write what it stands for.

    A loop that gives up after so many turns, and does nothing in them but count, waits too.
    """
    test, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if loop.type == "for_range_loop" or (loop.type == "do_statement" and text(test).strip(b"() ") in _NEVER):
        return None
    held, label = loop.child_by_field_name("body"), text(loop.child_by_field_name("label"))
    turn = _turn(loop, label) if label else [one for one in (held, update) if one is not None]
    body = _Body([] if test is None else [test], loop, label)
    if (label and not turn) or not body.read(turn):
        return None
    return _judged(body, is_memory)


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
    body = _Body([], function, again=call)
    for name, value in zip(parameters, given, strict=True):
        if text(value) != name.encode("latin-1"):
            body.gets(name.encode("latin-1"), value, is_step=_is_step(value, name.encode("latin-1")))
    body.tests += _conditions(call, function)
    return _judged(body, is_memory) if body.read([held]) and body.tests else None


def _judged(body: _Body, is_memory: Memory) -> Waiting | None:
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
        works = any(not _is_idle(one, body.fetched()) for one in body.calls)
        counted = changed <= body.steps | fixed.keys()
        if works or not counted or any(_looks(one, flow, body, is_memory) for one in counts):
            return None
    tests = [one for one in tests if one not in counts and not _is_timed(one, flow)]
    looks = any(_looks(one, flow, body, is_memory) for one in tests)
    rests = {name for one in tests for name in flow.below(one)}
    return Waiting(body.calls, tests, rests, body.is_bare) if looks else None


def _is_expected(name: bytes, body: _Body) -> bool:
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


def _conditions(node: Node, within: Node) -> Iterator[Node]:
    """The conditions around a node, in a loop or function."""
    for around in tree_sitter_nodes.ancestors(node):
        if around == within:
            return
        test = None if around.type.startswith("preproc_") else around.child_by_field_name("condition")
        if test is not None:
            yield test


def _turn(labeled: Node, label: bytes) -> list[Node]:
    """The statements from a label to the last jump back to it, as far as they are in one block."""
    listed, at = [one for one in labeled.named_children if one.type != "statement_identifier"], labeled
    last = len(listed) if any(_goes_to(one, label) for one in listed) else 0
    while (after := at.next_named_sibling) is not None:
        listed.append(after)
        last, at = len(listed) if _goes_to(after, label) else last, after
    return listed[:last]


def _goes_to(node: Node, label: bytes) -> bool:
    return any(text(one.child_by_field_name("label")) == label for one in _JUMPS.below(node))


class _Step(NamedTuple):
    """How a variable is counted on: by a value, itself or what it reaches, by an assignment that only fills it."""

    name: bytes
    value: Node | None
    is_plain: bool
    is_fill: bool


class _Body:
    """What a turn does: calls, what decides on one more, and what it gives to variables.

    `values` has what a turn gives each variable, `steps` those that it counts on, `stepped` how, `fixed` the conditions
    around constants that it gives. `label` is that of a loop made by jumps, `again` the call of one made by recursion.
    """

    def __init__(self, tests: list[Node], loop: Node, label: bytes = b"", again: Node | None = None) -> None:
        self.tests, self.loop, self.label, self.again = tests, loop, label, again
        self.calls: list[Node] = []
        self.values: dict[bytes, list[Node]] = {}
        self.steps: set[bytes] = set()
        self.stepped: list[_Step] = []
        self.turn: Sequence[Node] = ()
        self.begun: set[bytes] = set()
        self.fixed: dict[bytes, list[Node]] = {}
        self.handed: set[bytes] = set()
        self.is_bare = True

    def fetched(self) -> list[Node]:
        """All values that variables are given."""
        return [one for values in self.values.values() for one in values]

    def gets(self, name: bytes, value: Node, is_step: bool = False) -> None:
        """A turn gives a variable a value; a constant is decided by the conditions around."""
        self.steps |= {name} if is_step else set()
        if value.type in _FIXED:
            around = list(_conditions(value, self.loop))
            self.fixed.setdefault(name, []).extend(around)
            block = next((one for one in tree_sitter_nodes.ancestors(value) if one.type == "compound_statement"), None)
            done = [] if block is None or not around else block.named_children
            self.is_bare = self.is_bare and sum(one.type != "comment" for one in done) <= 1
        else:
            self.values.setdefault(name, []).append(value)

    def begins_again(self) -> None:
        """Take out of what is counted on what each turn begins again, and arrays of a thread's own that it fills."""
        parts = {one.name for one in self.stepped if not one.is_plain}
        grown = {one.name for one in self.stepped if not one.is_fill}
        arrays = own_arrays(self.loop, parts)
        self.begun = begun(self.turn, self.loop, {*self.values, *self.fixed, *self.steps})
        known = {name for name in self.begun - parts | arrays if name in self.begun or name not in grown} & self.steps
        self.steps -= known
        for one in self.stepped:
            if one.name in known:
                self.values.setdefault(one.name, []).extend([] if one.value is None else [one.value])

    def read(self, turn: Sequence[Node]) -> bool:
        """Read a turn of the loop; False for one that leaves the function by itself, or writes where it is not seen."""
        self.turn = turn
        waiting = [*turn[:-1], *self._again(turn[-1])] if turn else []
        while waiting:
            node = waiting.pop()
            if not self._takes(node) or (node.type == "return_statement" and self.again is None):
                return False
            if node.type == "if_statement":
                waiting += self._branches(node)
                continue
            self.calls += [node] if node.type == "call_expression" and node != self.again else []
            waiting += node.named_children
        return all(self._takes(one) for test in self.tests for one in (test, *_TAKING.below(test)))

    def _takes(self, node: Node) -> bool:
        """Take what a node gives to variables and memory; False where it is not seen by which variable."""
        if node.type == "call_expression" and node != self.again and not is_of_registers(node):
            given = tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
            self.handed |= {text(one).lstrip(b"& ") for one in given}
        if node.type in ("assignment_expression", "update_expression"):
            (name, is_plain), value = _changed(node), node.child_by_field_name("right")
            sign = text(node.child_by_field_name("operator"))
            if not name:
                return False
            if value is None or sign not in _KEEPING or not is_plain:
                self.steps.add(name)
                self.stepped.append(_Step(name, value, is_plain, sign == b"="))
            else:
                self.gets(name, value)
        value = node.child_by_field_name("value") if node.type == "init_declarator" else None
        if value is not None and value.type not in _FIXED:
            self.values.setdefault(_declared(node), []).append(value)
        if node.type == "function_declarator":
            self.values.setdefault(_declared(node), []).extend(_PARTS.below(node))
        if node.type == "gnu_asm_expression":
            for name in written(node):
                self.values.setdefault(name, []).append(node)
            return not writes_memory(node)
        return True

    def _again(self, last: Node) -> Iterator[Node]:
        """The last statement of a turn; where an `if` there decides on one more, the branches that jump."""
        if not self.label or last.type != "if_statement":
            yield last
            return
        test = last.child_by_field_name("condition")
        self.tests += [] if test is None else [test]
        for one in last.named_children:
            if _goes_to(one, self.label):
                yield one
            elif one != test and not self._is_bare(one):
                self.is_bare = False

    def _branches(self, node: Node) -> list[Node]:
        """The branches of an `if` that are no way out, and its condition where that decides anything but a pause."""
        test = node.child_by_field_name("condition")
        parts = [one for one in node.named_children if one != test]
        left = [one for one in parts if self._leaves(one) and not self._is_again(one)]
        if test is not None and any(_JUMPS.below(one) for one in parts):
            self.tests.append(test)
        elif test is not None:
            parts.append(test)
        self.is_bare = self.is_bare and all(map(self._is_bare, left))
        return [one for one in parts if one not in left]

    def _leaves(self, node: Node) -> bool:
        """Whether a branch ends the loop."""
        last = node.named_children[-1] if node.type == "compound_statement" and node.named_child_count else node
        return last.type in _LEAVES or (last.type == _JUMP and bool(self.label) and not _goes_to(last, self.label))

    def _is_again(self, node: Node) -> bool:
        """Whether a branch has the call that makes the next turn."""
        return self.again is not None and node.start_byte <= self.again.start_byte < node.end_byte

    def _is_bare(self, branch: Node) -> bool:
        """Whether a branch that leaves does nothing else."""
        held = branch.named_children if branch.type == "compound_statement" else [branch]
        return all(one.type in ("comment", _JUMP, *_LEAVES) and not _CALLS.below(one) for one in held)


def _declared(node: Node) -> bytes:
    """The variable that a declarator is of, be it a pointer or a reference."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type in _DECLARATORS:
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children[-1:]), None)
    return text(inner)


def _changed(node: Node) -> tuple[bytes, bool]:
    """The variable that an assignment changes, or what it reaches memory by; and whether it is the variable itself."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    is_plain = target is not None and target.type == "identifier"
    while target is not None and target.type not in ("identifier", "this"):
        inner = target.child_by_field_name("argument")
        target = inner or (target.named_children[0] if target.type == "parenthesized_expression" else None)
    return text(target), is_plain


def _looks(test: Node, flow: Flow, body: _Body, is_memory: Memory, seen: frozenset[bytes] = frozenset()) -> bool:
    """Whether a condition reads memory or calls something, as a number by itself never changes."""
    if test.type == "call_expression" and is_of_registers(test):
        return any(_looks(one, flow, body, is_memory, seen) for one in test.named_children[1:])
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
