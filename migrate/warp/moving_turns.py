"""Turns of a loop that leave it where it is, though others get it further: `while (k < n) { if (flags[k]) ++k; }`.

Where a turn changes nothing that the loop ends by, the next one is the same again: the loop waits for memory to change
at that place, as one does that holds nothing else, and goes on to the next place when it has.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.loop_turns import JUMPS, Body, Step, changed, declared, goes_on, statements
from cudamigrate.warp.sources import barriers
from cudamigrate.warp.turn_variables import begun

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_PLACES = tree_sitter_nodes.Kinds(
    "cuda", "subscript_expression", "pointer_expression", "field_expression", "call_expression", "gnu_asm_expression"
)
_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")
_FETCHED = tree_sitter_nodes.Kinds("cuda", "subscript_expression", "pointer_expression", "call_expression")
_GIVEN = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "init_declarator")
_STATEMENTS = ("expression_statement", "declaration")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement", "labeled_statement")
_ADDS = (b"+=", b"-=")
_ANSWERS = {"binary_expression": (b"!=", b"==", b"<", b">", b"<=", b">=", b"&&", b"||"), "unary_expression": (b"!",)}
"""What gives 0 or 1."""
_NOTHING = (b"0", b"0u", b"0U", b"false")


class StandingTurn(Body):
    """A turn that changes nothing which its loop ends by; `is_partial` where other turns do.

    What decides that a turn is one of those is asked as the loop's own condition is.
    """

    _is_always_further = False

    def __init__(self, tests: list[Node], loop: Node, constants: Container[str] = ()) -> None:
        super().__init__(tests, loop)
        self._constants = constants

    def is_asked_once(self, tests: Sequence[Node]) -> bool:
        """Whether one of some conditions decides that a turn is of those which are read; the loop's own does not.

        Of several, `if (a[i] < b[j]) ++i; if (a[i] >= b[j]) ++j;`, one may always be the other way. Those that ask what
        `constants` point to, which nobody writes meanwhile, are the same in each turn.
        """
        own = self.loop.child_by_field_name("condition")
        inside = (one for one in tests if own is None or not own.start_byte <= one.start_byte < own.end_byte)
        return len({text(one) for one in inside if not self._is_constant(one, frozenset())}) == 1

    def _is_constant(self, asked: Node, seen: frozenset[bytes]) -> bool:
        bases = (one.child_by_field_name("argument") for one in _PLACES.below(asked))
        if not all(one is not None and text(one).decode("latin-1") in self._constants for one in bases):
            return False
        names = {text(one) for one in _NAMES.below(asked)} - seen
        if not names.isdisjoint(self.handed):
            return False
        values = (one for name in names for one in self.values.get(name, ()))
        return all(self._is_constant(one, seen | names) for one in values)

    @cached_property
    def _ends(self) -> set[bytes]:
        """The variables that the loop ends by; in the place of what each turn begins again, what that is made of."""
        made = dict[bytes, set[bytes]]()
        for one in _GIVEN.below(self.loop):
            bound = declared(one) if one.type == "init_declarator" else []
            value = one.child_by_field_name("value") or one.child_by_field_name("right")
            for name in bound or [text(one.child_by_field_name("left"))]:
                made.setdefault(name, set()).update(map(text, [] if value is None else _NAMES.below(value)))
        waiting = [text(one) for test in (*self.tests, *_ending(self.loop)) for one in _NAMES.below(test)]
        fresh, found = begun(self.turn, self.loop, {*waiting, *made}), set[bytes]()
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += made.get(name, ()) if name in fresh else ()
        return found - fresh

    def read(self, turn: Sequence[Node]) -> bool:
        """Read a turn of the loop; False where each of them gets it further too, or meets the rest of the block.

        A block that meets in each turn works together: what a thread does not change, another one has by then.
        What a call is handed is what the call fetches where the turn declares it: `int v; look(flags, k, v);`.
        """
        self.turn = turn
        if not self._ends or not super().read(turn) or self._is_always_further:
            return False
        if any(text(one.child_by_field_name("function")).decode("latin-1") in barriers() for one in self.calls):
            return False
        self.handed = begun(turn, self.loop, self.handed)
        return True

    def inside(self, node: Node) -> Sequence[Node]:
        """What a turn comes to in a block: nothing behind the last `if (...) continue;` before it gets further."""
        held = node.named_children
        if node.type != "compound_statement":
            return held
        moved = next((at for at, one in enumerate(held) if self._moves(one)), 0)
        cuts = [at for at, one in enumerate(held[:moved]) if goes_on(one) and not self._writes(one)]
        if not cuts:
            return held
        self.is_partial, self.is_bare = True, False
        asked = (held[at].child_by_field_name("condition") for at in cuts)
        self.tests += [one for one in asked if one is not None]
        return held[: cuts[-1] + 1]

    def branches(self, node: Node) -> list[Node]:
        """The branches that neither leave the loop nor get it further."""
        test = node.child_by_field_name("condition")
        if _loop(node) != self.loop:  # a `break` there ends the inner loop
            return [*node.named_children]
        left = super().branches(node)
        still = [one for one in left if one == test or not any(map(self._moves, statements(one)))]
        if len(still) == len(left) or test is None:
            return left
        self.is_partial, self.is_bare = True, False
        ways = [one for one in still if one != test and one.type != "comment" and not self._ends_with(one)]
        self._is_always_further |= node.child_by_field_name("alternative") is not None and not ways
        self.tests += [] if self.tests[-1:] == [test] else [test]
        return ways

    def steps_on(self, step: Step, write: Node) -> None:
        """Count a variable on, but for what a turn may add nothing to: then that decides."""
        asked = stays_by(write, step.name) or self._fetched(write) if step.name in self._ends else None
        if asked is None:
            super().steps_on(step, write)
            return
        self.is_partial, self.is_bare = True, False
        self.tests.append(asked)

    def _fetched(self, write: Node) -> Node | None:
        """What memory holds that a variable is counted on by, where a turn does nothing else: `k += flags[k]`."""
        value = write.child_by_field_name("right")
        counts = text(write.child_by_field_name("operator")) in _ADDS and value is not None and fetches(value)
        return value if counts and sum(len(_WRITES.below(one)) for one in self.turn) == 1 else None

    def _ends_with(self, branch: Node) -> bool:
        """Whether the last that a branch does is to leave the loop."""
        return any(map(self.leaves, statements(branch)[-1:]))

    def _moves(self, statement: Node) -> bool:
        return statement.type in _STATEMENTS and self._writes(statement)

    def _writes(self, node: Node) -> bool:
        """Whether anything in a node changes for certain what the loop ends by."""
        written = ((one, changed(one)[0]) for one in _WRITES.below(node))
        return any(name in self._ends and stays_by(one, name) is None for one, name in written)


def fetches(value: Node) -> bool:
    """Whether a value is read from memory, or by a call."""
    return bool(_FETCHED.below(value))


def _ending(loop: Node) -> Iterator[Node]:
    """The conditions of the branches in a loop that have a way out of it."""
    seen = {loop.id}
    for jump in JUMPS.below(loop):
        if jump.type == "break_statement" and _loop(jump) != loop:
            continue
        for around in tree_sitter_nodes.ancestors(jump):
            if around.id in seen:
                break
            seen.add(around.id)
            test = around.child_by_field_name("condition") if around.type == "if_statement" else None
            if test is not None:
                yield test


def _loop(node: Node) -> Node | None:
    """The loop around a node, or the `switch` that a `break` there leaves."""
    return next((one for one in tree_sitter_nodes.ancestors(node) if one.type in _LOOPS), None)


def stays_by(write: Node, name: bytes) -> Node | None:
    """What a variable stays as it is by: the conditions of `at += there ? 32 : 0` and `at += flags[at] != 0`."""
    value, sign = write.child_by_field_name("right"), text(write.child_by_field_name("operator"))
    while value is not None and value.type == "parenthesized_expression" and value.named_child_count == 1:
        value = value.named_children[0]
    if value is None:
        return None
    if value.type == "conditional_expression":
        same = _NOTHING if sign in _ADDS else (name,) if sign == b"=" else ()
        sides = (text(value.child_by_field_name(part)) for part in ("consequence", "alternative"))
        return value.child_by_field_name("condition") if any(one in same for one in sides) else None
    asks = text(value.child_by_field_name("operator")) in _ANSWERS.get(value.type, ())
    return value if sign in _ADDS and asks else None
