"""What one turn of a loop does: what it calls, what decides on one more, and what it gives to variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.special_registers import writes_memory, written
from cudamigrate.warp.turn_values import is_of_registers
from cudamigrate.warp.turn_variables import begun, own_arrays

_BREAK = "break_statement"
_LEAVES = (_BREAK, "return_statement")
_BROKEN = ("for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement")
"""What a `break` ends, the nearest around it."""
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_TAKING = tree_sitter_nodes.Kinds(
    "cuda", "assignment_expression", "update_expression", "init_declarator", "gnu_asm_expression", "call_expression"
)
_JUMP = "goto_statement"
JUMPS = tree_sitter_nodes.Kinds("cuda", *_LEAVES, _JUMP)
PART = "abstract_array_declarator"
"""What the parser takes `a[i]` in `int v(a[i]);` for, as it takes `v` for a function."""
_PARTS = tree_sitter_nodes.Kinds("cuda", PART)
_DECLARATORS = ("pointer_declarator", "reference_declarator", "init_declarator")
_FIXED = ("number_literal", "true", "false", "char_literal")
"""What is given without being fetched: a loop that gives it ends itself, or what decides on it does."""
KEEPING = (b"=", b"|=", b"&=")
"""Assignments by which a variable gets no further than what is assigned."""


class Step(NamedTuple):
    """How a variable is counted on: by a value, itself or what it reaches, by an assignment that only fills it."""

    name: bytes
    value: Node | None
    is_plain: bool
    is_fill: bool


class Body:
    """What a turn does: calls, what decides on one more, and what it gives to variables.

    `values` has what a turn gives each variable, `steps` those that it counts on, `stepped` how, `fixed` the conditions
    around constants that it gives. `label` is that of a loop made by jumps, `again` the call of one made by recursion.
    `is_partial` says that what gets the loop further is left out.
    """

    is_partial = False

    def __init__(self, tests: list[Node], loop: Node, label: bytes = b"", again: Node | None = None) -> None:
        self.tests, self.loop, self.label, self.again = tests, loop, label, again
        self.calls: list[Node] = []
        self.values: dict[bytes, list[Node]] = {}
        self.steps: set[bytes] = set()
        self.stepped: list[Step] = []
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
            around = list(conditions(value, self.loop))
            self.fixed.setdefault(name, []).extend(around)
            block = next((one for one in tree_sitter_nodes.ancestors(value) if one.type == "compound_statement"), None)
            done = [] if block is None or not around else block.named_children
            self.is_bare = self.is_bare and sum(one.type != "comment" for one in done) <= 1
        else:
            self.values.setdefault(name, []).append(value)

    def steps_on(self, step: Step, _write: Node) -> None:
        """A turn counts a variable on."""
        self.steps.add(step.name)
        self.stepped.append(step)

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
                waiting += self.branches(node)
                continue
            self.calls += [node] if node.type == "call_expression" and node != self.again else []
            waiting += self.inside(node)
        return all(self._takes(one) for test in self.tests for one in (test, *_TAKING.below(test)))

    def inside(self, node: Node) -> Sequence[Node]:
        """What a node of a turn holds; of a body that ends the loop, no more than what begins the next turn before."""
        held = node.named_children
        if node != self.loop.child_by_field_name("body") or not held or not self.leaves(held[-1]):
            return held
        again = [at for at, one in enumerate(held) if goes_on(one)]
        if not again:
            return held
        asked = (held[at].child_by_field_name("condition") for at in again)
        self.tests += [one for one in asked if one is not None]
        rest = held[again[-1] + 1 :]
        self.is_bare = self.is_bare and all(map(self._is_bare, rest))
        return held[: again[-1] + 1]

    def _takes(self, node: Node) -> bool:
        """Take what a node gives to variables and memory; False where it is not seen by which variable."""
        if node.type == "call_expression" and node != self.again and not is_of_registers(node):
            given = tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
            self.handed |= {text(one).lstrip(b"& ") for one in given}
        if node.type in ("assignment_expression", "update_expression"):
            (name, is_plain), value = changed(node), node.child_by_field_name("right")
            sign = text(node.child_by_field_name("operator"))
            if not name:
                return False
            if value is None or sign not in KEEPING or not is_plain:
                self.steps_on(Step(name, value, is_plain, sign == b"="), node)
            else:
                self.gets(name, value)
        value = node.child_by_field_name("value") if node.type == "init_declarator" else None
        given = [value] if value is not None and value.type not in _FIXED else []
        given += _PARTS.below(node) if node.type == "function_declarator" else []
        for name in declared(node) if given or node.type == "function_declarator" else ():
            self.values.setdefault(name, []).extend(given)
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
            if goes_to(one, self.label):
                yield one
            elif one != test and not self._is_bare(one):
                self.is_bare = False

    def branches(self, node: Node) -> list[Node]:
        """The branches of an `if` that are no way out, and its condition where that decides anything but a pause."""
        test = node.child_by_field_name("condition")
        parts = [one for one in node.named_children if one != test]
        left = [one for one in parts if self.leaves(one) and not self._is_again(one)]
        if test is not None and any(JUMPS.below(one) for one in parts):
            self.tests.append(test)
        elif test is not None:
            parts.append(test)
        self.is_bare = self.is_bare and all(map(self._is_bare, left))
        return [one for one in parts if one not in left]

    def leaves(self, node: Node) -> bool:
        """Whether a branch ends the loop."""
        last = node.named_children[-1] if node.type == "compound_statement" and node.named_child_count else node
        if last.type == _BREAK and not self._is_left_by(last):
            return False
        return last.type in _LEAVES or (last.type == _JUMP and bool(self.label) and not goes_to(last, self.label))

    def _is_left_by(self, jump: Node) -> bool:
        """Whether a `break` ends the loop itself: no loop or choice that a turn has within."""
        around = (one for one in tree_sitter_nodes.ancestors(jump) if one.type in _BROKEN or one == self.loop)
        return next(around, self.loop) == self.loop

    def _is_again(self, node: Node) -> bool:
        """Whether a branch has the call that makes the next turn."""
        return self.again is not None and node.start_byte <= self.again.start_byte < node.end_byte

    def _is_bare(self, branch: Node) -> bool:
        """Whether a branch that leaves does nothing else."""
        held = branch.named_children if branch.type == "compound_statement" else [branch]
        return all(one.type in ("comment", _JUMP, *_LEAVES) and not _CALLS.below(one) for one in held)


def conditions(node: Node, within: Node) -> Iterator[Node]:
    """The conditions around a node, in a loop or function."""
    for around in tree_sitter_nodes.ancestors(node):
        if around == within:
            return
        test = None if around.type.startswith("preproc_") else around.child_by_field_name("condition")
        if test is not None:
            yield test


def statements(branch: Node) -> Sequence[Node]:
    """What a branch of an `if` does, one after the other."""
    inner = branch.named_children[0] if branch.type == "else_clause" and branch.named_child_count else branch
    return inner.named_children if inner.type == "compound_statement" else [inner]


def goes_on(statement: Node) -> bool:
    """Whether a statement is an `if` that begins the next turn, and has no `else`."""
    taken = statement.child_by_field_name("consequence") if statement.type == "if_statement" else None
    if taken is None or statement.child_by_field_name("alternative") is not None:
        return False
    return any(one.type == "continue_statement" for one in statements(taken)[-1:])


def goes_to(node: Node, label: bytes) -> bool:
    """Whether a node has a jump to a label."""
    return any(text(one.child_by_field_name("label")) == label for one in JUMPS.below(node))


def declared(node: Node) -> list[bytes]:
    """The variable that a declarator is of, be it a pointer or a reference; those of a structured binding."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type in _DECLARATORS:
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children[-1:]), None)
    if inner is not None and inner.type == "structured_binding_declarator":
        return [text(one) for one in inner.named_children]
    return [text(inner)]


def changed(node: Node) -> tuple[bytes, bool]:
    """The variable that an assignment changes, or what it reaches memory by; and whether it is the variable itself."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    is_plain = target is not None and target.type == "identifier"
    while target is not None and target.type not in ("identifier", "this"):
        inner = target.child_by_field_name("argument")
        target = inner or (target.named_children[0] if target.type == "parenthesized_expression" else None)
    return text(target), is_plain
