"""How many lanes of a wavefront come to a place: the conditions around it, worked out for each thread of a block.

The threads of the blocks that a kernel is launched with are put in one by one. What is the same for all threads of a
block (`blockIdx`, a kernel's parameters) has one value that nobody knows; a condition that needs anything else leaves
out nobody. No name says which thread it stands for.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from tree_sitter import Node

from cudamigrate.analysis.builtin_wave import is_builtin
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.analysis.launched_blocks import blocks
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.special_registers import STATEMENTS, read, written
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.variable_writes import VariableWrites

Condition = tuple[Node, bool]
"""An expression, and whether it is true at the place."""

_ROW: tuple[tuple[int, int], ...] = ((256, 1),)
_PLANES = ((16, 16), (32, 8), (8, 32))
"""Blocks that are tried where no launch is seen: of one dimension, or of two where a second index is asked for."""
_SECOND = (b"threadIdx.y", b"threadIdx.z", b"blockDim.y", b"blockDim.z")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_LEAVES = ("return_statement", "continue_statement", "break_statement")
CALCULATED: dict[bytes, Callable[[int, int], int]] = {
    b"+": operator.add, b"-": operator.sub, b"*": operator.mul, b"/": operator.floordiv, b"%": operator.mod,
    b"&": operator.and_, b"|": operator.or_, b"^": operator.xor, b"<<": operator.lshift, b">>": operator.rshift,
    b"==": operator.eq, b"!=": operator.ne,
    b"<": operator.lt, b"<=": operator.le, b">": operator.gt, b">=": operator.ge,
    b"&&": lambda left, right: bool(left) and bool(right), b"||": lambda left, right: bool(left) or bool(right),
}  # fmt: skip
"""What the operators of two numbers that C++ has make of them."""
_EQUALITIES = {b"==": True, b"!=": False}
_SUMS = (b"+", b"-")
_NUMERIC = (*_SUMS, b"*")
_CASTS = (b"static_cast", b"int", b"unsigned", b"uint32_t", b"size_t", b"long")
_EXTREMES = {b"min": min, b"max": max}
_WARP, _THREADS = 32, 1024
_LARGEST, _LONGEST = 1 << 40, 40
_DEPTH = 24


def one_lane(parsed: ParsedFile, place: Node, wave: int) -> bool:
    """Whether at most one lane of each wavefront of `wave` lanes comes to a place of device code."""
    conditions = [one for condition in _around(place, parsed.once(_Leaving)) for one in _parts(*condition)]
    if not conditions:
        return False
    return all(_Threads(parsed, shape, wave).is_lone(conditions) for shape in _shapes(parsed, place))


def is_alone(parsed: ParsedFile, offset: int) -> bool:
    """Whether at most one lane of each wavefront of the target's GPUs comes to what begins at an offset."""
    place = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    return place is not None and one_lane(parsed, place, 64 if any_wide(parsed.target.arch) else 32)


def _shapes(parsed: ParsedFile, place: Node) -> tuple[tuple[int, int], ...]:
    """The blocks that the function around a place may run in: those of its launches, else usual ones."""
    function = parsed.function(place.start_byte)
    if function is None:
        return _PLANES
    seen = {one.shape for one in blocks(parsed) if one.kernel == function.name}
    if seen and None not in seen:
        return tuple(shape for shape in seen if shape is not None and shape[0] * shape[1] <= _THREADS)
    asked = parsed.data[function.span.start : function.span.end]
    return _PLANES if any(word in asked for word in _SECOND) else _ROW


class _Leaving:
    """The statements of blocks that leave on a condition, looked for once in each block."""

    def __init__(self, _parsed: ParsedFile) -> None:
        self._of = dict[int, list[tuple[int, Node]]]()

    def before(self, block: Node, start: int) -> Iterator[Node]:
        """The conditions of those of a block that are before a place."""
        known = self._of.get(block.id)
        if known is None:
            found = ((one.start_byte, _leaving(one)) for one in block.named_children)
            known = self._of[block.id] = [(at, condition) for at, condition in found if condition is not None]
        return (condition for at, condition in known if at < start)


def _around(place: Node, leaving: _Leaving) -> Iterator[Condition]:
    """What holds at a place: conditions of the branches that it is in, and of those that left before it."""
    inner = place
    for around in tree_sitter_nodes.ancestors(place):
        if around.type == "if_statement":
            condition = around.child_by_field_name("condition")
            taken = around.child_by_field_name("consequence") == inner
            if condition is not None and condition != inner:
                yield condition, taken
        if around.type == "compound_statement":
            for condition in leaving.before(around, inner.start_byte):
                yield condition, False
        if around.type in ("function_definition", "lambda_expression"):
            return
        inner = around


def _leaving(statement: Node) -> Node | None:
    """The condition under which a statement leaves the block that it is in: `if (tid) return;`."""
    if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
        return None
    body = statement.child_by_field_name("consequence")
    while body is not None and body.type == "compound_statement" and body.named_child_count:
        body = body.named_children[-1]
    return statement.child_by_field_name("condition") if body is not None and body.type in _LEAVES else None


def _parts(condition: Node, holds: bool) -> Iterator[Condition]:
    """The conditions that must all hold for one to hold."""
    waiting: list[Condition] = [(condition, holds)]
    while waiting:
        node, wanted = waiting.pop()
        while node.type in ("parenthesized_expression", "condition_clause") and node.named_child_count == 1:
            node = node.named_children[0]
        sign = text(node.child_by_field_name("operator"))
        if node.type == "unary_expression" and sign == b"!":
            waiting += [(one, not wanted) for one in node.named_children]
        elif node.type == "binary_expression" and sign == (b"&&" if wanted else b"||"):
            waiting += [(one, wanted) for one in node.named_children]
        else:
            yield node, wanted


class _Number(NamedTuple):
    """What an expression is worth for a thread; whether it differs by thread, and whether it rests on the block."""

    value: int
    own: bool = False
    of_block: bool = False


def _joined(value: int, parts: Iterable[_Number]) -> _Number:
    parts = list(parts)
    return _Number(value, any(one.own for one in parts), any(one.of_block for one in parts))


@dataclass(slots=True)
class _Threads:
    """The threads of one block; expressions are worked out for one after the other."""

    parsed: ParsedFile
    shape: tuple[int, int]
    wave: int
    thread: int = 0
    values: Values = field(init=False)
    writes: VariableWrites = field(init=False)
    _known: dict[tuple[int, int], _Number | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values, self.writes = Values.of(self.parsed), VariableWrites.of_file(self.parsed)

    def is_lone(self, conditions: list[Condition]) -> bool:
        """Whether the conditions leave no two threads of a wavefront."""
        left = {thread: [thread // self.wave] for thread in range(self.shape[0] * self.shape[1])}
        for node, wanted in conditions:
            found = self._distances(node, wanted, list(left))
            for thread, one in found.items():
                if one.value and not one.of_block:
                    del left[thread]
                else:
                    left[thread].append(one.value)
        return max(Counter(map(tuple, left.values())).values(), default=0) <= 1

    def _distances(self, node: Node, wanted: bool, threads: list[int]) -> dict[int, _Number]:
        """For each thread a number that is 0 where a condition holds; none for a condition that is not understood.

        Two threads whose numbers differ are never both left, also where the numbers rest on the block.
        """
        is_compared = node.type == "binary_expression"
        equal = _EQUALITIES.get(text(node.child_by_field_name("operator"))) if is_compared else None
        found = {}
        for self.thread in threads:
            self._known.clear()
            sides = [self._number(one, _DEPTH) for one in (node.named_children[:2] if equal == wanted else (node,))]
            numbers = [one for one in sides if one is not None]
            if len(numbers) != len(sides):
                return {}
            if len(numbers) == 2:
                number = _joined(numbers[0].value - numbers[1].value, numbers)
            else:
                number = numbers[0]._replace(value=int(not numbers[0].value)) if wanted else numbers[0]
                if number.of_block and wanted:
                    return {}
            found[self.thread] = number
        return found

    def _number(self, node: Node | None, depth: int) -> _Number | None:
        """What an expression is worth for the thread; None where that is not seen, or is no number from 0."""
        node = bare(node)
        if node is None or depth == 0:
            return None
        key = node.id, depth
        if key not in self._known:  # parameters lead to all calls of their function, and these to those of theirs
            known = self.values.constant(node)
            found = _Number(known) if known is not None else self._worked(node, depth - 1)
            self._known[key] = found if found is not None and 0 <= found.value < _LARGEST else None
        return self._known[key]

    def _worked(self, node: Node, depth: int) -> _Number | None:
        child = node.child_by_field_name
        if node.type == "binary_expression":
            return self._operation(node, depth)
        if node.type == "field_expression":
            return self._coordinate(text(node))
        if is_builtin(self.parsed, node):
            return _Number(_WARP)
        if node.type == "identifier":
            return self._variable(node, depth)
        if node.type == "call_expression":
            return self._call(node, depth)
        if node.type == "cast_expression":
            return self._number(child("value"), depth)
        if node.type == "unary_expression" and text(child("operator")) == b"!":
            inner = self._number(child("argument"), depth)
            return None if inner is None or inner.of_block else _Number(int(not inner.value), inner.own)
        if node.type == "conditional_expression":
            taken = self._number(child("condition"), depth)
            known = taken is not None and not taken.of_block
            value = self._number(child("consequence" if taken and taken.value else "alternative"), depth)
            return value._replace(own=True) if known and value is not None else None
        return {"true": _Number(1), "false": _Number(0)}.get(node.type)

    def _operation(self, node: Node, depth: int) -> _Number | None:
        sign = text(node.child_by_field_name("operator"))
        left = self._number(node.child_by_field_name("left"), depth)
        right = self._number(node.child_by_field_name("right"), depth)
        if left is None or right is None or sign not in CALCULATED:
            return None
        if (sign in (b"/", b"%") and not right.value) or (sign in (b"<<", b">>") and right.value > _LONGEST):
            return None
        made = _joined(int(CALCULATED[sign](left.value, right.value)), (left, right))
        # A sum keeps the distances between threads, whatever the block adds; a product or remainder need not.
        return None if made.of_block and sign not in _SUMS and (made.own or sign not in _NUMERIC) else made

    def _coordinate(self, spelled: bytes) -> _Number | None:
        width, height = self.shape
        sizes = {b"blockDim.x": width, b"blockDim.y": height, b"blockDim.z": 1}
        own = {b"threadIdx.x": self.thread % width, b"threadIdx.y": self.thread // width, b"threadIdx.z": 0}
        if spelled in own:
            return _Number(own[spelled], own=True)
        if spelled in sizes:
            return _Number(sizes[spelled])
        return _of_block(spelled) if spelled.startswith((b"blockIdx.", b"gridDim.")) else None

    def _variable(self, node: Node, depth: int) -> _Number | None:
        """What a variable is given, where that is once; of a parameter, what all calls in the file hand over."""
        name = text(node)
        function = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)
        found = self.values.locals(node.start_byte).get(name, [])
        if function is None or len(found) != 1 or found[0].rank:
            return None
        writes, value = self.writes.assignments(function, name), found[0].value
        if value is None and len(writes) == 1 and text(writes[0].child_by_field_name("operator")) == b"=":
            return self._number(writes[0].child_by_field_name("right"), depth)
        if writes:
            return None
        if value is None and (register := self._register(function, name)) is not None:
            return register
        if value is not None:
            exposed = value.parent is None or self.writes.is_exposed(function, value.parent, name)
            return None if exposed else self._number(value, depth)
        if b"__global__" in self.parsed.data[function.start_byte : node.start_byte]:
            return _of_block(name)
        handed = {self._number(one, depth) for one in self.values.given(node)}
        return handed.pop() if len(handed) == 1 else None

    def _register(self, function: Node, name: bytes) -> _Number | None:
        """What a variable is worth that assembly reads from one special register, and nothing else writes."""
        inside = STATEMENTS.within(self.parsed.tree.root_node, function)
        found = {read(one) for one in inside if name in text(one) and name in written(one)}
        variable, register = found.pop() or (b"", b"") if len(found) == 1 else (b"", b"")
        if register == b"laneid" and variable == name:
            return _Number(self.thread % _WARP, own=True)
        return self._coordinate(register) if variable == name else None

    def _call(self, node: Node, depth: int) -> _Number | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name = plain_name(function)
        if name == b"thread_rank" and function is not None and function.type == "field_expression":
            return self._rank(function.child_by_field_name("argument"))
        given = [] if arguments is None else arguments.named_children
        if function is not None and function.type == "identifier" and not given:
            return self._number(self.parsed.once(_results).get(name), depth)
        numbers = [one for one in (self._number(each, depth) for each in given) if one is not None]
        if len(numbers) != len(given) or (any(one.of_block for one in numbers) and len(given) != 1):
            return None
        if name in _CASTS and len(numbers) == 1:
            return numbers[0]
        if name in _EXTREMES and len(numbers) == 2:
            return _joined(_EXTREMES[name](one.value for one in numbers), numbers)
        return None

    def _rank(self, group: Node | None) -> _Number | None:
        """The number of the thread in a group of CUDA's: in its block or its tile."""
        known, name, offset = groups(self.parsed), text(group), group.start_byte if group is not None else 0
        kind = "block" if name.endswith(b"this_thread_block()") else known.kind(name, offset)
        if kind == "block":
            return _Number(self.thread, own=True)
        size = self.values.spelled(known.size(name, offset)) if kind == "tile" else None
        return _Number(self.thread % size, own=True) if size else None


def _results(parsed: ParsedFile) -> dict[bytes, Node]:
    """What functions return, by name: of those that a file defines once, and that have one `return`."""
    defined = Counter(one.name for one in parsed.functions)
    found: dict[str, list[Node]] = {}
    for one in _RETURNS.below(parsed.tree.root_node):
        function = parsed.function(one.start_byte)
        if function is not None and defined[function.name] == 1 and one.named_children:
            found.setdefault(function.name, []).append(one.named_children[0])
    return {name.encode("latin-1"): values[0] for name, values in found.items() if len(values) == 1}


def _of_block(spelled: bytes) -> _Number:
    """Some value for what all threads of a block have alike."""
    return _Number(crc32(spelled) % 1_000_003, of_block=True)
