"""Loops that only another thread can end: they change nothing that they look at. Jumps back to a label loop too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.sources import atomics
from cudamigrate.warp.special_registers import written

_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_LEAVES = ("break_statement", "return_statement")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_JUMP = "goto_statement"
_JUMPS = tree_sitter_nodes.Kinds("cuda", *_LEAVES, _JUMP)
_LOOKS = ("call_expression", "subscript_expression", "pointer_expression", "field_expression", "gnu_asm_expression")
_FIXED = ("number_literal", "true", "false", "char_literal")
"""What is given without being fetched: a loop that gives it ends itself."""
_STORES = (b"st.", b"red.", b"atom.")
"""Instructions that write memory."""


class Waiting(NamedTuple):
    """A loop that only waits: the calls in its body and what decides whether it goes on.

    `is_bare` says that nothing is done before it is left.
    """

    calls: list[Node]
    tests: list[Node]
    is_bare: bool


def waits(loop: Node, is_memory: Callable[[str], bool] = lambda name: False) -> Waiting | None:
    """What a loop asks and calls that changes nothing it looks at; None for a loop that does.

    What it declares or fetches is new in each turn, and what it does right before it leaves is done once. A variable
    that no condition mentions may change. `is_memory` says of a name whether others may write what it stands for.

    A loop that gives up after so many turns, and does nothing in them but count, waits too.
    """
    test, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if loop.type == "for_range_loop":
        return None
    held, label = loop.child_by_field_name("body"), text(loop.child_by_field_name("label"))
    turn = _turn(loop, label) if label else [one for one in (held, update) if one is not None]
    body = _Body([] if test is None else [test], label)
    if (label and not turn) or not body.read(turn):
        return None
    fetched = {name: one for name, (one, *more) in body.given.items() if not more and one.type not in _FIXED}
    changed = body.changed | (body.given.keys() - fetched.keys())
    made = {**body.made, **{name: one for name, one in fetched.items() if _names(one).isdisjoint(body.given)}}
    changed |= fetched.keys() - made.keys()
    changed -= {name for name in body.given.keys() - body.changed if _is_expected(name, body)}
    asked = {name for one in (*body.tests, *made.values()) for name in _names(one)}
    tests = body.tests
    if not changed.isdisjoint(asked):
        counts = _counts(tests, made, changed)
        counted = {name for one in counts for name in _names(one)}
        steps = body.changed - body.given.keys()
        works = any(not _is_idle(one, fetched.values()) for one in body.calls)
        if works or not changed <= counted & steps or any(_looks(one, made, is_memory) for one in counts):
            return None
        tests = [one for test in tests for one in _parts(test) if one not in counts]
    elif update is not None:
        return None  # what is counted is asked by nobody
    looks = any(_looks(one, made, is_memory) for one in tests)
    return Waiting(body.calls, tests, body.is_bare) if looks else None


def _is_expected(name: bytes, body: _Body) -> bool:
    """Whether a variable is only ever what an atomic exchange expects, set again where that wrote what it found."""
    nodes = [one for test in (*body.tests, *body.made.values()) for one in _VARIABLES.below(test) if text(one) == name]
    lists = [one.parent for one in nodes if one.parent is not None and one.parent.type == "argument_list"]
    calls = [one.parent.child_by_field_name("function") for one in lists if one.parent is not None]
    names = {text(one.child_by_field_name("field")).decode("latin-1") for one in calls if one is not None}
    compares = len(lists) == len(nodes) > 0 and all(atomics().get(one) == "compare" for one in names)
    return compares and all(one.type in _FIXED for one in body.given[name])


def _is_idle(call: Node, fetched: Iterable[Node]) -> bool:
    """Whether a call in a loop does nothing but ask or pause."""
    asks = any(one.start_byte <= call.start_byte and call.end_byte <= one.end_byte for one in fetched)
    return asks or text(call.child_by_field_name("function")).startswith(b"__")


def _counts(tests: list[Node], made: Mapping[bytes, Node], changed: set[bytes]) -> list[Node]:
    """The parts of conditions that rest on what a turn changes, as `turn < LIMIT` does."""
    rests = changed | {name for name, value in made.items() if not changed.isdisjoint(_names(value))}
    return [one for test in tests for one in _parts(test) if not rests.isdisjoint(_names(one))]


def _parts(test: Node) -> list[Node]:
    """What a condition is put together of by `&&` and `||`."""
    if test.type in ("parenthesized_expression", "condition_clause") and test.named_child_count == 1:
        return _parts(test.named_children[0])
    if test.type == "binary_expression" and text(test.child_by_field_name("operator")) in (b"&&", b"||"):
        return [one for side in test.named_children for one in _parts(side)]
    return [test]


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


class _Body:
    """What the body of a loop does: calls, what it asks, and the variables that it declares, fetches and changes.

    `label` is that of a loop made by jumps.
    """

    def __init__(self, tests: list[Node], label: bytes) -> None:
        self.tests, self.label = tests, label
        self.calls: list[Node] = []
        self.made: dict[bytes, Node] = {}
        self.given: dict[bytes, list[Node]] = {}
        self.changed: set[bytes] = set()
        self.is_bare = True

    def read(self, turn: Sequence[Node]) -> bool:
        """Read a turn of the loop; False for one that writes memory or leaves the function by itself."""
        waiting = [*turn[:-1], *self._again(turn[-1])] if turn else []
        while waiting:
            node = waiting.pop()
            if node.type in ("assignment_expression", "update_expression"):
                name = _changed(node)
                if not name:
                    return False
                value = node.child_by_field_name("right")
                if value is not None and text(node.child_by_field_name("operator")) == b"=":
                    self.given.setdefault(name, []).append(value)
                else:
                    self.changed.add(name)
            if node.type == "return_statement":
                return False
            if node.type == "if_statement":
                waiting += self._branches(node)
                continue
            if node.type == "init_declarator":
                name, value = text(node.child_by_field_name("declarator")), node.child_by_field_name("value")
                self.made |= {name: value} if value is not None else {}
            if node.type == "gnu_asm_expression":
                if any(word in text(node) for word in _STORES):
                    return False
                self.made |= dict.fromkeys(written(node), node)
            self.calls += [node] if node.type == "call_expression" else []
            waiting += node.named_children
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
        left = [one for one in parts if self._leaves(one)]
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

    def _is_bare(self, branch: Node) -> bool:
        """Whether a branch that leaves does nothing else."""
        held = branch.named_children if branch.type == "compound_statement" else [branch]
        return all(one.type in ("comment", _JUMP, *_LEAVES) and not _CALLS.below(one) for one in held)


def _names(node: Node) -> set[bytes]:
    """The variables of an expression."""
    return {text(one) for one in _VARIABLES.below(node)}


def _changed(node: Node) -> bytes:
    """The variable that an assignment changes; empty for memory."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    return text(target) if target is not None and target.type == "identifier" else b""


def _looks(test: Node, made: Mapping[bytes, Node], is_memory: Callable[[str], bool]) -> bool:
    """Whether a condition reads memory or calls something, as a number by itself never changes."""
    if test.type in _LOOKS:
        return True
    if test.type == "update_expression":
        return False
    if test.type == "assignment_expression":
        left, right = test.child_by_field_name("left"), test.child_by_field_name("right")
        plain = text(test.child_by_field_name("operator")) == b"="
        return plain and right is not None and text(left) not in _names(right) and _looks(right, made, is_memory)
    if test.type == "identifier":
        name = text(test)
        return _looks(made[name], {}, is_memory) if name in made else is_memory(name.decode("latin-1"))
    return any(_looks(one, made, is_memory) for one in test.named_children)
