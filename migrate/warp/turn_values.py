"""What variables are worth from turn to turn of a loop: fetched again, counted on, or led on by what was fetched.

A list is walked, `node = node->next`, where what a turn fetches decides at which place the next one looks: the loop
goes on by itself. `seen |= ready(flag)` or a shuffle of what one lane has read leads nowhere: the same place is asked.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_MEETS = (b"|", b"&", b"||", b"&&", b"or", b"and")
_EXTREMES = (b"max", b"min")
_FIRST_OR_LAST = re.compile(rb"\b__(?:ffs|clz)\s*\(\s*(\w+)\s*\)")
"""How code asks for a lane of a mask, and the mask."""
_NONE = (b"0", b"0u", b"0U")
_BRACKETS = ("parenthesized_expression", "condition_clause", "cast_expression", "argument_list")


class Flow:
    """Answers for the variables of one loop: `values` that a turn gives, `steps` counted on, conditions of `fixed`.

    What each turn begins again, `begun`, leads to nothing by itself.
    """

    def __init__(
        self,
        values: Mapping[bytes, Sequence[Node]],
        steps: set[bytes],
        fixed: Mapping[bytes, Sequence[Node]],
        begun: Container[bytes] = (),
    ) -> None:
        self.values, self.fixed = values, fixed
        self._ends = {name for name, around in fixed.items() if not around and name not in values}
        self._led = steps | self._ends | {name for name in (*values, *fixed) if name not in begun and self._leads(name)}

    def decided(self, test: Node, seen: frozenset[bytes] = frozenset()) -> Iterator[Node]:
        """The parts of a condition; for a variable that is given constants, the conditions that decide on them."""
        for part in parts(test):
            names = [text(one) for one in _VARIABLES.below(part)]
            given = [name for name in names if self.fixed.get(name)]
            if not given:
                yield part
            for name in given:
                for around in self.fixed[name] if name not in seen else ():
                    yield from self.decided(around, seen | {name})

    def advances(self, test: Node) -> bool:
        """Whether a condition rests on what a turn leads on."""
        return any(True for _ in self.advancing(test))

    def advancing(self, test: Node) -> Iterator[bytes]:
        """The variables that a condition rests on and a turn leads on."""
        return (name for name in self.below(test) if name in self._led)

    def below(self, test: Node) -> Iterator[bytes]:
        """The variables that a condition rests on."""
        waiting, seen = [text(one) for one in _VARIABLES.below(test)], set[bytes]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            yield name
            if name not in self._led:
                waiting += [other for other, _ in self._before(name)]

    def is_settled_there(self, test: Node, loop: Node) -> bool:
        """Whether a condition compares a value with that of a lane among those that ask: that lane knows the answer.

        `k == __shfl_sync(act, k, __ffs(act) - 1)`, with `act` from `__activemask()`, has one more lane leave each turn.
        So has a vote that the loop goes on by, `while ((act = __ballot_sync(all, !served)) != 0)`.
        """
        sides = [test.child_by_field_name(part) for part in ("left", "right")]
        if test.type != "binary_expression" or text(test.child_by_field_name("operator")) not in (b"==", b"!="):
            return False
        return any(
            one is not None and other is not None and self._is_passed_by_one_there(self._value(one), other, loop)
            for one, other in (sides, sides[::-1])
        )

    def _is_passed_by_one_there(self, value: Node, own: Node, loop: Node) -> bool:
        """Whether a value is the thread's own as the first or last lane of those that are there has it."""
        given = tree_sitter_nodes.elements(value.child_by_field_name("arguments"))
        if text(value.child_by_field_name("function")) != b"__shfl_sync" or len(given) != 3:
            return False
        found = _FIRST_OR_LAST.search(text(self._value(given[2])))
        masks = self.values.get(found[1], ()) if found is not None else ()
        if found is None or text(given[1]) != text(own) or len({text(one) for one in masks}) != 1:
            return False
        made = text(masks[0].child_by_field_name("function"))
        return made == b"__activemask" or (made == b"__ballot_sync" and _goes_on_by(masks[0], found[1], loop))

    def _value(self, node: Node) -> Node:
        """What a variable is given, where a turn gives it one value; anything else as it is."""
        given = self.values.get(text(node), ()) if node.type == "identifier" else ()
        return given[0] if len(given) == 1 else node

    def _leads(self, name: bytes) -> bool:
        """Whether what a variable is leads to what it is in the next turn."""
        waiting, seen = [(name, False)], set[tuple[bytes, bool]]()
        while waiting:
            at, worked = waiting.pop()
            for other, is_moved in self._before(at):
                state = other, worked or not is_moved
                if state == (name, True):
                    return True
                waiting += [state] if state not in seen else []
                seen.add(state)
        return False

    def _before(self, name: bytes) -> Iterator[tuple[bytes, bool]]:
        """What a variable rests on: its values, and what decides on its constants but by itself, as a state does."""
        for value in self.values.get(name, ()):
            yield from _rests(value)
        for test in self.fixed.get(name, ()):
            yield from ((other, False) for one in _VARIABLES.below(test) if (other := text(one)) != name)


def parts(test: Node) -> Iterator[Node]:
    """What a condition is put together of by `&&` and `||`, without what is around."""
    inner = test.child_by_field_name("argument") if test.type == "unary_expression" else None
    if inner is not None and text(test.child_by_field_name("operator")) == b"!":
        yield from parts(inner)
    elif test.type in ("parenthesized_expression", "condition_clause") and test.named_child_count == 1:
        yield from parts(test.named_children[0])
    elif test.type == "binary_expression" and text(test.child_by_field_name("operator")) in (b"&&", b"||"):
        for side in test.named_children:
            yield from parts(side)
    else:
        yield test


def _rests(value: Node) -> Iterator[tuple[bytes, bool]]:
    """The variables that a value rests on, and whether it is no further on than they are: a copy, a maximum, a vote."""
    if value.type == "identifier":
        yield text(value), True
    elif value.type in _BRACKETS or _meets(value) or is_of_registers(value):
        inner = value.named_children[1:] if value.type == "call_expression" else value.named_children
        for one in inner:
            yield from _rests(one)
    else:
        read = value.child_by_field_name("input_operands") if value.type == "gnu_asm_expression" else value
        yield from ((text(one), False) for one in _VARIABLES.below(read)) if read is not None else ()


def _meets(value: Node) -> bool:
    if value.type == "call_expression":
        return text(value.child_by_field_name("function")).rpartition(b"::")[2] in _EXTREMES
    return value.type == "binary_expression" and text(value.child_by_field_name("operator")) in _MEETS


def _goes_on_by(vote: Node, mask: bytes, loop: Node) -> bool:
    """Whether a loop goes on while lanes say yes in a vote, or where this lane does: `while (mask != 0)`."""
    asked = tree_sitter_nodes.elements(vote.child_by_field_name("arguments"))[-1:]
    test = _plain(loop.child_by_field_name("condition"))
    if any(text(_plain(one)) == text(test) for one in asked):
        return True
    if test is not None and text(test.child_by_field_name("operator")) in (b"!=", b">"):
        test = _plain(test.child_by_field_name("left")) if text(test.child_by_field_name("right")) in _NONE else None
    if test is not None and test.type == "assignment_expression":
        test = test.child_by_field_name("left")
    return test is not None and text(test) == mask


def _plain(node: Node | None) -> Node | None:
    while node is not None and node.type in _BRACKETS[:2] and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def is_of_registers(call: Node) -> bool:
    """Whether a call is of a function of CUDA's that reads no memory: `__any_sync`, `__shfl_sync`, `__popc`."""
    name = text(call.child_by_field_name("function")) if call.type == "call_expression" else b""
    reads = name.startswith(b"__ld") or any(word in name for word in (b"load", b"atomic", b"builtin"))
    return name.startswith(b"__") and not reads
