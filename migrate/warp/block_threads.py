"""What expressions are worth for each thread of a block: its threads are put in one by one.

What is the same for all threads of a block (`blockIdx`, a kernel's parameters) has one value that nobody knows. No name
says which thread it stands for.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple
from zlib import crc32

from tree_sitter import Node

from cudamigrate.analysis.builtin_wave import NAME, is_builtin
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.special_registers import STATEMENTS, read, written
from cudamigrate.warp.tree_queries import bare, identifiers, plain_name
from cudamigrate.warp.variable_writes import VariableWrites

_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
CALCULATED: dict[bytes, Callable[[int, int], int]] = {
    b"+": operator.add, b"-": operator.sub, b"*": operator.mul, b"/": operator.floordiv, b"%": operator.mod,
    b"&": operator.and_, b"|": operator.or_, b"^": operator.xor, b"<<": operator.lshift, b">>": operator.rshift,
    b"==": operator.eq, b"!=": operator.ne,
    b"<": operator.lt, b"<=": operator.le, b">": operator.gt, b">=": operator.ge,
    b"&&": lambda left, right: bool(left) and bool(right), b"||": lambda left, right: bool(left) or bool(right),
}  # fmt: skip
"""What the operators of two numbers that C++ has make of them."""
_SUMS = (b"+", b"-")
_NUMERIC = (*_SUMS, b"*")
_CASTS = (b"static_cast", b"int", b"unsigned", b"uint32_t", b"size_t", b"long")
_EXTREMES = {b"min": min, b"max": max}
_WARP = 32
_LARGEST, _LONGEST = 1 << 40, 40
_DEPTH = 24


class Number(NamedTuple):
    """What an expression is worth for a thread; whether it differs by thread, and whether it rests on the block."""

    value: int
    own: bool = False
    of_block: bool = False


def joined(value: int, parts: Iterable[Number]) -> Number:
    """A value that is made of several."""
    parts = list(parts)
    return Number(value, any(one.own for one in parts), any(one.of_block for one in parts))


@dataclass(slots=True)
class BlockThreads:
    """The threads of one block of a shape, width and height; expressions are worked out for one after the other.

    `warp` is what `warpSize` is worth: 32 in code for CUDA, and what the GPU has in code that is for AMD alone.
    """

    parsed: ParsedFile
    shape: tuple[int, int]
    warp: int = _WARP
    thread: int = 0
    values: Values = field(init=False)
    writes: VariableWrites = field(init=False)
    _known: dict[tuple[int, int], Number | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values, self.writes = Values.of(self.parsed), VariableWrites.of_file(self.parsed)

    def turn_to(self, thread: int) -> None:
        """Work out what follows for a thread, by its number in the block."""
        self.thread = thread
        self._known.clear()

    def number(self, node: Node | None, depth: int = _DEPTH) -> Number | None:
        """What an expression is worth for the thread; None where that is not seen, or is no number from 0."""
        node = bare(node)
        if node is None or depth == 0:
            return None
        key = node.id, depth
        if key not in self._known:  # parameters lead to all calls of their function, and these to those of theirs
            known = self._constant(node)
            found = Number(known) if known is not None else self._worked(node, depth - 1)
            self._known[key] = found if found is not None and 0 <= found.value < _LARGEST else None
        return self._known[key]

    def _constant(self, node: Node) -> int | None:
        """What an expression is for all threads of all blocks; constants are worth what CUDA gives `warpSize`."""
        if self.warp == _WARP:
            return self.values.constant(node)
        is_leaf = node.type not in ("binary_expression", "conditional_expression", "identifier", "call_expression")
        return self.values.constant(node) if is_leaf or not self._is_of_wave(node) else None

    def _is_of_wave(self, node: Node) -> bool:
        """Whether `warpSize` is in an expression, or in what its local variables are given."""
        if NAME in text(node):
            return True
        named = self.values.locals(node.start_byte)
        begun = (one.value for name in identifiers(node) for one in named.get(name, ()))
        return any(value is not None and NAME in text(value) for value in begun)

    def _worked(self, node: Node, depth: int) -> Number | None:
        child = node.child_by_field_name
        if node.type == "binary_expression":
            return self._operation(node, depth)
        if node.type == "field_expression":
            return self._coordinate(text(node))
        if is_builtin(self.parsed, node):
            return Number(self.warp)
        if node.type == "identifier":
            return self._variable(node, depth)
        if node.type == "call_expression":
            return self._call(node, depth)
        if node.type == "cast_expression":
            return self.number(child("value"), depth)
        if node.type == "unary_expression" and text(child("operator")) == b"!":
            inner = self.number(child("argument"), depth)
            return None if inner is None or inner.of_block else Number(int(not inner.value), inner.own)
        if node.type == "conditional_expression":
            taken = self.number(child("condition"), depth)
            known = taken is not None and not taken.of_block
            value = self.number(child("consequence" if taken and taken.value else "alternative"), depth)
            return value._replace(own=True) if known and value is not None else None
        return {"true": Number(1), "false": Number(0)}.get(node.type)

    def _operation(self, node: Node, depth: int) -> Number | None:
        sign = text(node.child_by_field_name("operator"))
        left = self.number(node.child_by_field_name("left"), depth)
        right = self.number(node.child_by_field_name("right"), depth)
        if left is None or right is None or sign not in CALCULATED:
            return None
        if (sign in (b"/", b"%") and not right.value) or (sign in (b"<<", b">>") and right.value > _LONGEST):
            return None
        made = joined(int(CALCULATED[sign](left.value, right.value)), (left, right))
        # A sum keeps the distances between threads, whatever the block adds; a product or remainder need not.
        return None if made.of_block and sign not in _SUMS and (made.own or sign not in _NUMERIC) else made

    def _coordinate(self, spelled: bytes) -> Number | None:
        width, height = self.shape
        sizes = {b"blockDim.x": width, b"blockDim.y": height, b"blockDim.z": 1}
        own = {b"threadIdx.x": self.thread % width, b"threadIdx.y": self.thread // width, b"threadIdx.z": 0}
        if spelled in own:
            return Number(own[spelled], own=True)
        if spelled in sizes:
            return Number(sizes[spelled])
        return _of_block(spelled) if spelled.startswith((b"blockIdx.", b"gridDim.")) else None

    def _variable(self, node: Node, depth: int) -> Number | None:
        """What a variable is given, where that is once; of a parameter, what all calls in the file hand over."""
        name = text(node)
        function = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)
        found = self.values.locals(node.start_byte).get(name, [])
        if function is None or len(found) != 1 or found[0].rank:
            return None
        writes, value = self.writes.assignments(function, name), found[0].value
        if value is None and len(writes) == 1 and text(writes[0].child_by_field_name("operator")) == b"=":
            return self.number(writes[0].child_by_field_name("right"), depth)
        if writes:
            return None
        if value is None and (register := self._register(function, name)) is not None:
            return register
        if value is not None:
            exposed = value.parent is None or self.writes.is_exposed(function, value.parent, name)
            return None if exposed else self.number(value, depth)
        if b"__global__" in self.parsed.data[function.start_byte : node.start_byte]:
            return _of_block(name)
        handed = {self.number(one, depth) for one in self.values.given(node)}
        return handed.pop() if len(handed) == 1 else None

    def _register(self, function: Node, name: bytes) -> Number | None:
        """What a variable is worth that assembly reads from one special register, and nothing else writes."""
        inside = STATEMENTS.within(self.parsed.tree.root_node, function)
        found = {read(one) for one in inside if name in text(one) and name in written(one)}
        variable, register = found.pop() or (b"", b"") if len(found) == 1 else (b"", b"")
        if register == b"laneid" and variable == name:
            return Number(self.thread % _WARP, own=True)
        return self._coordinate(register) if variable == name else None

    def _call(self, node: Node, depth: int) -> Number | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name = plain_name(function)
        if name == b"thread_rank" and function is not None and function.type == "field_expression":
            return self._rank(function.child_by_field_name("argument"))
        given = [] if arguments is None else arguments.named_children
        if function is not None and function.type == "identifier" and not given:
            return self.number(self.parsed.once(_results).get(name), depth)
        numbers = [one for one in (self.number(each, depth) for each in given) if one is not None]
        if len(numbers) != len(given) or (any(one.of_block for one in numbers) and len(given) != 1):
            return None
        if name in _CASTS and len(numbers) == 1:
            return numbers[0]
        if name in _EXTREMES and len(numbers) == 2:
            return joined(_EXTREMES[name](one.value for one in numbers), numbers)
        return None

    def _rank(self, group: Node | None) -> Number | None:
        """The number of the thread in a group of CUDA's: in its block or its tile."""
        known, name, offset = groups(self.parsed), text(group), group.start_byte if group is not None else 0
        kind = "block" if name.endswith(b"this_thread_block()") else known.kind(name, offset)
        if kind == "block":
            return Number(self.thread, own=True)
        size = self.values.spelled(known.size(name, offset)) if kind == "tile" else None
        return Number(self.thread % size, own=True) if size else None


def _results(parsed: ParsedFile) -> dict[bytes, Node]:
    """What functions return, by name: of those that a file defines once, and that have one `return`."""
    defined = Counter(one.name for one in parsed.functions)
    found: dict[str, list[Node]] = {}
    for one in _RETURNS.below(parsed.tree.root_node):
        function = parsed.function(one.start_byte)
        if function is not None and defined[function.name] == 1 and one.named_children:
            found.setdefault(function.name, []).append(one.named_children[0])
    return {name.encode("latin-1"): values[0] for name, values in found.items() if len(values) == 1}


def _of_block(spelled: bytes) -> Number:
    """Some value for what all threads of a block have alike."""
    return Number(crc32(spelled) % 1_000_003, of_block=True)
