"""Shapes of code that count on a warp: lane numbers, first lanes, loops of shuffles; what makes each follow the wave.

Comes in: nodes of one function, and what expressions are worth. Goes out: which shape a node has, and edits that put
the size of the wave where 32 stands in it. A shape that is not listed is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from migrate.model import Edit, Span
from migrate.values import Values
from migrate.variables import text

_SHUFFLES = re.compile(rb"__shfl_(?:down|xor)(?P<sync>_sync)?")
_BROADCASTS = re.compile(rb"__shfl(?P<sync>_sync)?")
_COMBINED = {b"+=": "+", b"*=": "*", b"&=": "&", b"|=": "|", b"^=": "^"}
_SIGNS = {b"+": "+", b"*": "*", b"&": "&", b"|": "|", b"^": "^"}
_NAMED = {**dict.fromkeys((b"max", b"fmax", b"fmaxf"), "max"), **dict.fromkeys((b"min", b"fmin", b"fminf"), "min")}
_HALVED = re.compile(rb"(\w+)\s*(?:>>=\s*1|/=\s*2|=\s*\1\s*(?:>>\s*1|/\s*2))")
_DOUBLED = re.compile(rb"(\w+)\s*(?:<<=\s*1|\*=\s*2|=\s*\1\s*(?:<<\s*1|\*\s*2))")
_NEXT = re.compile(rb"(?:\+\+\s*(\w+)|(\w+)\s*\+\+|(\w+)\s*\+=\s*1)")
_ABOVE = re.compile(rb"(\w+)\s*(?:>\s*0|>=\s*1|!=\s*0)|(\w+)")
_HALF_WAVE = re.compile(rb"\(?\s*warpSize\s*(?:/\s*2|>>\s*1)\s*\)?")
_LAST_LANE = re.compile(rb"\(?\s*warpSize\s*-\s*1\s*\)?")
_BUILT_IN = (b"blockIdx", b"gridDim", b"blockDim", b"warpSize")
_IMPURE = ("call_expression", "subscript_expression", "pointer_expression", "lambda_expression")
_FULL = (0xFFFFFFFF, -1)


@dataclass(frozen=True, slots=True)
class Reduction:
    """A loop of shuffles: the variables it brings together with their operations, and its edits."""

    values: tuple[tuple[bytes, str], ...]
    edits: tuple[Edit, ...]


class Shapes:
    """What the names of one function mean, and the edits of all shapes that were recognised in it."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.threads: set[bytes] = set()
        self.kinds: dict[bytes, str] = {}
        self.uniform: set[bytes] = set()
        self.shared: set[bytes] = set()
        self.edits: list[Edit] = []
        self.calls: set[int] = set()
        self.source = b""
        self.declared: dict[bytes, int] = {}

    @property
    def names(self) -> set[bytes]:
        """Variables that number lanes or warps."""
        return set(self.kinds)

    def learn(self, function: Node) -> None:
        """Read the variables of a function that are set once."""
        self.source = text(function)
        changed = {text(left) for left, _, _ in assignments(function)}
        table = self.values.locals(function.start_byte)
        self.declared = {name: len(found) for name, found in table.items()}
        kernel = b"__global__" in text(function).partition(b"{")[0]
        self.shared = {name for name in table if _is_shared(function, name)}
        fixed = {name: found[0] for name, found in table.items() if len(found) == 1 and name not in changed}
        self.threads = {name for name, local in fixed.items() if text(local.value) == b"threadIdx.x"}
        for name, local in fixed.items():
            kind = self.kind(local.value) if local.value is not None and local.rank == 0 else ""
            if kind:
                self.kinds[name] = kind
            elif local.rank == 0 and (kernel if local.value is None else self.is_uniform(local.value)):
                self.uniform.add(name)

    def is_one(self, name: bytes) -> bool:
        """Whether a name stands for one variable, which is reached by that name alone."""
        taken = re.search(rb"&\s*" + re.escape(name) + rb"\b", self.source)
        return taken is None and self.declared.get(name, 0) == 1

    def names_lanes(self, name: bytes) -> bool:
        """Whether a variable numbers lanes or warps."""
        return name in self.kinds

    def kind(self, node: Node | None) -> str:
        """`lane`, `warp` or `number` (of warps in a block) for an expression that is one; else nothing."""
        node = bare(node)
        if node is None:
            return ""
        if node.type == "identifier":
            return self.kinds.get(text(node), "")
        if node.type != "binary_expression":
            return ""
        sign, left, right = text(_of(node, "operator")), bare(_of(node, "left")), _of(node, "right")
        whole = (sign == b"/" and self._is_32(right)) or (sign == b">>" and self.values.constant(right) == 5)
        if self._is_thread(left):
            lane = (sign == b"%" and self._is_32(right)) or (sign == b"&" and self._is_31(right))
            return "lane" if lane else "warp" if whole else ""
        return "number" if whole and self._is_block(left) else ""

    def counts_lanes(self, node: Node) -> bool:
        """Whether a lane or warp is numbered anywhere in a piece of code."""
        return any(inner.type == "binary_expression" and bool(self.kind(inner)) for inner in below(node))

    def write(self, node: Node | None) -> None:
        """Put the size of the wave into an expression that numbers lanes or warps."""
        node = bare(node)
        if node is None or node.type != "binary_expression" or not self.kind(node):
            return
        sign, right, left = _of(node, "operator"), _of(node, "right"), bare(_of(node, "left"))
        if text(sign) == b">>" and sign is not None and right is not None:
            self.edits.append(Edit(Span(sign.start_byte, right.end_byte), b"/ warpSize"))
        else:
            self._replace(right, b"(warpSize - 1)" if text(sign) == b"&" else b"warpSize")
        if left is not None and left.type == "binary_expression":
            self._replace(_of(left, "right"), b"warpSize - 1")

    def guard(self, term: Node) -> str:
        """What a condition on lane, warp or thread chooses; its size of a warp is written as that of a wave."""
        node = bare(term)
        if node is None:
            return ""
        if node.type == "unary_expression" and text(_of(node, "operator")) == b"!":
            return self._first(_of(node, "argument"))
        if node.type != "binary_expression":
            return ""
        sign, left, right = text(_of(node, "operator")), _of(node, "left"), _of(node, "right")
        if sign == b"==":
            zero = [side for side in (left, right) if text(side) == b"0"]
            return self._first(right if zero and zero[0] == left else left) if zero else ""
        if sign != b"<":
            return ""
        if self._is_thread(bare(left)) and self._is_32(right):
            self._replace(right, b"warpSize")
            return "wave0"
        if self.is_lane_or_thread(left) and self.kind(right) == "number":
            self.write(left)
            self.write(right)
            return "within"
        return ""

    def _first(self, node: Node | None) -> str:
        kind = "thread" if self._is_thread(bare(node)) else self.kind(node)
        self.write(node)
        return {"lane": "lane0", "warp": "wave0", "thread": "thread0"}.get(kind, "")

    def is_warp(self, node: Node) -> bool:
        """Whether an expression numbers the warps of a block."""
        return self.kind(node) == "warp"

    def is_lane_or_thread(self, node: Node | None) -> bool:
        """Whether an expression numbers lanes, or the threads of a block."""
        return self._is_thread(bare(node)) or self.kind(node) == "lane"

    def is_uniform(self, node: Node, more: frozenset[bytes] = frozenset()) -> bool:
        """Whether all threads of a block see the same value."""
        known = self.values.constants()
        for inner in below(node):
            if inner.type in _IMPURE:
                return False
            if inner.type == "identifier":
                name = text(inner)
                local = name in self.values.locals(node.start_byte)
                if name in self.uniform or name in more or name in _BUILT_IN or (not local and name in known):
                    continue
                return False
        return True

    def is_uniform_in(self, head: Node, loop: Node) -> bool:
        """The same for a part of a loop's head, whose own variable goes in step."""
        begun = _of(loop, "initializer")
        declared = begun.children_by_field_name("declarator") if begun is not None else []
        own = frozenset(text(_of(one, "declarator")) for one in declared if one.type == "init_declarator")
        return self.is_uniform(head, own)

    def index(self, subscript: Node) -> Node | None:
        """The one index of an element of an array."""
        indices = _of(subscript, "indices")
        return indices.named_children[0] if indices is not None and indices.named_child_count == 1 else None

    def broadcast(self, node: Node) -> bytes | None:
        """The variable whose value in lane 0 a call hands to all lanes."""
        arguments = self._shuffled(node, _BROADCASTS)
        if arguments is None or self.values.constant(arguments[1]) != 0 or arguments[0].type != "identifier":
            return None
        self.calls.add(node.start_byte)
        return text(arguments[0])

    def run_through(self, node: Node) -> tuple[bytes, str, bytes] | None:
        """`for (int i = 0; i < warps; ++i) sum += parts[i];`: the variable, the operation and the array."""
        name, begin, condition, update = _head(node)
        if not name or text(begin) != b"0" or condition is None or update is None:
            return None
        step = _NEXT.fullmatch(text(update))
        if step is None or name not in step.groups() or text(_of(condition, "left")) != name:
            return None
        right, body = _of(condition, "right"), _statements(node)
        if text(_of(condition, "operator")) != b"<" or self.kind(right) != "number" or len(body) != 1:
            return None
        for inner in below(body[0]):
            index = self.index(inner) if inner.type == "subscript_expression" else None
            if index is not None and text(index) == name:
                found = combined(body[0], lambda part, element=inner: part == element)
                if found is not None:
                    self.write(right)
                    return found[0], found[1], text(_of(inner, "argument"))
        return None

    def shuffle(self, node: Node, step: bytes) -> bytes | None:
        """The variable that a call shuffles by the step of a loop, among all lanes of a warp."""
        arguments = self._shuffled(node, _SHUFFLES)
        if arguments is None or text(arguments[1]) != step or arguments[0].type != "identifier":
            return None
        if not self.values.is_arithmetic(arguments[0]):
            return None
        self.calls.add(node.start_byte)
        return text(arguments[0])

    def _shuffled(self, node: Node, names: re.Pattern[bytes]) -> list[Node] | None:
        """Value and lane of a shuffle by all lanes of a warp, with no width but that of the warp."""
        match = names.fullmatch(text(_of(node, "function"))) if node.type == "call_expression" else None
        arguments = _of(node, "arguments")
        if match is None or arguments is None:
            return None
        listed = [one for one in arguments.named_children if one.type != "comment"]
        if match["sync"] is not None:
            if not listed or self.values.constant(listed[0]) not in _FULL:
                return None
            listed = listed[1:]
        return listed[:2] if len(listed) == 2 or (len(listed) == 3 and self._is_32(listed[2])) else None

    def _is_thread(self, node: Node | None) -> bool:
        return text(node) == b"threadIdx.x" or text(node) in self.threads

    def _is_block(self, node: Node | None) -> bool:
        if node is not None and node.type == "binary_expression" and text(_of(node, "operator")) == b"+":
            return text(_of(node, "left")) == b"blockDim.x" and self._is_31(_of(node, "right"))
        return text(node) == b"blockDim.x"

    def _is_32(self, node: Node | None) -> bool:
        return self.values.constant(node) == 32 or text(node) == b"warpSize"

    def _is_31(self, node: Node | None) -> bool:
        return self.values.constant(node) == 31 or _LAST_LANE.fullmatch(text(node)) is not None

    def _replace(self, node: Node | None, new: bytes) -> None:
        if node is not None and b"warpSize" not in text(node):
            self.edits.append(Edit(Span(node.start_byte, node.end_byte), new))

    def steps(self, node: Node) -> tuple[bytes, tuple[Edit, ...]] | None:
        """The variable of a loop that halves from half a warp, or doubles up to one, and edits that make it follow."""
        name, begin, condition, update = _head(node)
        if not name or begin is None or condition is None or update is None:
            return None
        halved, doubled = _HALVED.fullmatch(text(update)), _DOUBLED.fullmatch(text(update))
        above = _ABOVE.fullmatch(text(condition))
        if halved is not None and halved[1] == name and above is not None and name in above.groups():
            if _HALF_WAVE.fullmatch(text(begin)) is not None:
                return name, ()
            edit = Edit(Span(begin.start_byte, begin.end_byte), b"warpSize / 2")
            return (name, (edit,)) if self.values.constant(begin) == 16 else None
        if doubled is None or doubled[1] != name or text(begin) != b"1" or text(_of(condition, "left")) != name:
            return None
        bound = _of(condition, "right")
        if text(_of(condition, "operator")) != b"<" or bound is None or not self._is_32(bound):
            return None
        edit = Edit(Span(bound.start_byte, bound.end_byte), b"warpSize")
        return name, () if text(bound) == b"warpSize" else (edit,)


def reduction(shapes: Shapes, node: Node) -> Reduction | None:
    """A loop in which lanes bring values together, or None."""
    found = shapes.steps(node) if node.type == "for_statement" else None
    if found is None:
        return None
    step, edits = found
    fetched: dict[bytes, bytes] = {}
    values: list[tuple[bytes, str]] = []
    for statement in _statements(node):
        if statement.type == "declaration":
            declarator = _of(statement, "declarator")
            value = _of(declarator, "value") if declarator is not None else None
            name = shapes.shuffle(value, step) if value is not None else None
            if name is None or declarator is None:
                return None
            fetched[text(_of(declarator, "declarator"))] = name
            continue
        given: list[bytes] = []

        def comes(part: Node, given: list[bytes] = given) -> bool:
            name = fetched.get(text(part)) if part.type == "identifier" else shapes.shuffle(part, step)
            if name is not None:
                given.append(name)
            return name is not None

        made = combined(statement, comes)
        if made is None or given != [made[0]]:
            return None
        values.append(made)
    return Reduction(tuple(values), edits) if values and len(dict(values)) == len(values) else None


def combined(statement: Node, is_other: object) -> tuple[bytes, str] | None:
    """A variable that is brought together with something else, and by which operation: `a += b`, `a = max(a, b)`."""
    assert callable(is_other)
    node = statement.named_children[0] if statement.type == "expression_statement" else statement
    if node.type != "assignment_expression":
        return None
    left, sign, right = _of(node, "left"), text(_of(node, "operator")), bare(_of(node, "right"))
    if left is None or left.type != "identifier" or right is None:
        return None
    if sign in _COMBINED:
        return (text(left), _COMBINED[sign]) if is_other(right) else None
    if sign != b"=":
        return None
    if right.type == "binary_expression":
        parts, by = [_of(right, "left"), _of(right, "right")], _SIGNS.get(text(_of(right, "operator")), "")
    elif right.type == "call_expression":
        arguments = _of(right, "arguments")
        parts = list(arguments.named_children) if arguments is not None else []
        by = _NAMED.get(text(_of(right, "function")).rpartition(b"::")[2], "")
    else:
        return None
    others = [part for part in parts if text(part) != text(left)]
    fits = by and len(parts) == 2 and len(others) == 1 and others[0] is not None and is_other(others[0])
    return (text(left), by) if fits else None


def assignments(node: Node) -> Iterator[tuple[Node, bytes, Node]]:
    """Every assignment in a piece of code, steps by one included."""
    for inner in below(node):
        if inner.type == "assignment_expression":
            left, right = _of(inner, "left"), _of(inner, "right")
            if left is not None and right is not None:
                yield left, text(_of(inner, "operator")), right
        elif inner.type == "update_expression":
            argument = _of(inner, "argument")
            if argument is not None:
                yield argument, b"+=", argument


def below(node: Node) -> Iterator[Node]:
    """A node and all that is in it."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(inner.named_children)


def flattened(condition: Node) -> list[Node]:
    """The terms of a condition that must all hold."""
    node = bare(condition)
    if node is None:
        return []
    if node.type == "condition_clause":
        return [term for child in node.named_children for term in flattened(child)]
    if node.type == "binary_expression" and text(_of(node, "operator")) == b"&&":
        return [term for side in ("left", "right") if (child := _of(node, side)) for term in flattened(child)]
    return [node]


def bare(node: Node | None) -> Node | None:
    """An expression without brackets around it."""
    while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _of(node: Node | None, name: str) -> Node | None:
    return None if node is None else node.child_by_field_name(name)


def _head(node: Node) -> tuple[bytes, Node | None, Node | None, Node | None]:
    """The variable of a counting loop, its first value, its condition and its step."""
    begun = _of(node, "initializer")
    declared = begun.children_by_field_name("declarator") if begun is not None else []
    if node.type != "for_statement" or len(declared) != 1 or declared[0].type != "init_declarator":
        return b"", None, None, None
    return text(_of(declared[0], "declarator")), _of(declared[0], "value"), _of(node, "condition"), _of(node, "update")


def _statements(loop: Node) -> list[Node]:
    body = _of(loop, "body")
    if body is None:
        return []
    listed = body.named_children if body.type == "compound_statement" else [body]
    return [one for one in listed if one.type != "comment"]


def _is_shared(function: Node, name: bytes) -> bool:
    declared = re.compile(rb"\b__shared__\b[^;]*\b" + re.escape(name) + rb"\s*\[")
    return declared.search(text(function)) is not None
