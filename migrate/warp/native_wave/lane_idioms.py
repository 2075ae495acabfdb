"""Shapes of code that count on a warp: lane numbers, first lanes, numbers of warps; what makes each follow the wave.

Comes in: nodes of one function, and what expressions are worth. Goes out: which shape a node has, and edits that put
the size of the wave where 32 stands in it. A shape that is not listed is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span

_LAST_LANE = re.compile(rb"\(?\s*warpSize\s*-\s*1\s*\)?")
BUILT_IN = (b"blockIdx", b"gridDim", b"blockDim", b"warpSize")
_IMPURE = ("call_expression", "pointer_expression", "lambda_expression")
_THREAD = re.compile(
    rb"(?:\(\s*(?:unsigned\s+)?int\s*\)|int\(|static_cast<(?:unsigned\s+)?int>\()?\s*threadIdx\.x\s*\)?"
)
"""The thread's index, maybe cast to an integer: `threadIdx.x`, `(int)threadIdx.x`, `static_cast<int>(threadIdx.x)`."""
_REAL = (b"32.f", b"32.0f", b"32.F", b"32.0", b"32.")
_CONSTANT = frozenset((b"const", b"constexpr"))
_WORD = re.compile(rb"[A-Za-z_]\w*")


class Shapes:
    """What the names of one function mean, and the edits of all shapes that were recognised in it."""

    def __init__(self, values: Values, width: int = 0, widths: frozenset[bytes] = frozenset()) -> None:
        self.values = values
        self.width, self.widths = width, widths
        self.threads: set[bytes] = set()
        self.kinds: dict[bytes, str] = {}
        self.uniform: set[bytes] = set()
        self.fixed: dict[bytes, Node] = {}
        self.warps: dict[bytes, bytes] = {}
        self.given: set[bytes] = set()
        self.places: set[bytes] = set()
        self.shared: set[bytes] = set()
        self.edits: list[Edit] = []
        self.votes: list[Edit] = []
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
        self.fixed = {name: local.value for name, local in fixed.items() if local.value is not None}
        self.threads = {name for name, value in self.fixed.items() if _THREAD.fullmatch(text(value))}
        given = set(parameters(function)) if kernel else set[bytes]()
        self.given = {name for name, local in fixed.items() if name in given and _is_read_only(local)}
        self.places = self.shared | _shared_values(function) | (given & fixed.keys())
        known = -1
        while known < (known := len(self.warps) + len(self.kinds) + len(self.uniform)):
            for name, local in fixed.items():
                self._learn(name, local, name in given)

    def _learn(self, name: bytes, local: Local, given: bool) -> None:
        """Read a variable that is set once, by what is known of others."""
        kind = self.kind(local.value) if local.value is not None and local.rank == 0 else ""
        if kind == "number" and local.qualifiers & _CONSTANT and b"blockDim" not in text(local.value):
            self.warps[name] = text(_of(bare(local.value), "left"))
        elif kind:
            self.kinds[name] = kind
        elif local.rank == 0 and (given if local.value is None else self.is_uniform(local.value)):
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
        exact = sign == b"/" and text(right) in _REAL  # a block of whole waves has no rest
        return "number" if (whole or exact) and self._is_block(left) else ""

    def counts_lanes(self, node: Node) -> bool:
        """Whether a lane or warp is numbered anywhere in a piece of code."""
        return any(inner.type == "binary_expression" and bool(self.kind(inner)) for inner in self._left(node))

    def cleared(self, node: Node) -> bytes:
        """The code of a node without what numbers the thread by its warp and lane: that is the same on any wave."""
        said = text(node)
        if b"*" in said and b"+" in said:
            for inner in below(node):
                if self._numbers_thread(inner):
                    begin, end = inner.start_byte - node.start_byte, inner.end_byte - node.start_byte
                    said = said[:begin] + b" " * (end - begin) + said[end:]
        return said

    def _left(self, node: Node) -> Iterator[Node]:
        """A node and all that is in it, but for such numbers of the thread."""
        waiting = [node]
        while waiting:
            inner = waiting.pop()
            if not self._numbers_thread(inner):
                yield inner
                waiting.extend(inner.named_children)

    def _numbers_thread(self, node: Node) -> bool:
        """`warp * 32 + lane`, its size of a warp written as that of a wave."""
        if node.type != "binary_expression" or text(_of(node, "operator")) != b"+":
            return False
        sides = [bare(_of(node, "left")), bare(_of(node, "right"))]
        for lane, block in (sides, sides[::-1]):
            if block is None or block.type != "binary_expression" or text(_of(block, "operator")) != b"*":
                continue
            factors = [bare(_of(block, "left")), _of(block, "right")]
            for warp, size in (factors, factors[::-1]):
                if self.kind(lane) == "lane" and self.kind(warp) == "warp" and self._is_32(size):
                    for part in (lane, warp):
                        self.write(part)
                    self._replace(size, b"warpSize")
                    return True
        return False

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
        if left is not None and text(_of(left, "operator")) == b"+":
            self._replace(_of(left, "right"), b"warpSize - 1")
        elif left is not None and text(_of(left, "operator")) == b"-":
            self._replace(_of(bare(_of(left, "left")), "right"), b"warpSize")

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
        if right is not None and self.is_lane_or_thread(left) and self.bounds(right):
            self.write(left)
            return "within"
        return ""

    def bounds(self, node: Node) -> bool:
        """Whether an expression is a number of warps that make whole waves; it is written as that of the waves.

        The first so many warps of 32 are the same threads as half as many waves of 64, whatever the block has.
        """
        inner = bare(node)
        if inner is not None and self.kind(inner) == "number":
            self.write(inner)
            return True
        if text(inner) in self.warps:
            self._replace(inner, self.warps[text(inner)] + b" / warpSize")
            return True
        warps = self.values.constant(inner)
        if inner is None or warps is None or warps % 2 or not 0 < warps <= 32:
            return False
        self._replace(inner, b"%d / warpSize" % (warps * 32))
        return True

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
            if inner.type == "subscript_expression" and text(_of(inner, "argument")) not in self.given:
                return False
            if inner.type == "identifier":
                name = text(inner)
                if name in self.uniform or name in self.given or name in more or name in BUILT_IN:
                    continue
                if name in self.values.locals(node.start_byte) or name not in known:
                    return False
        return True

    def is_uniform_in(self, head: Node, loop: Node) -> bool:
        """The same for a part of a loop's head, whose own variable goes in step."""
        begun = _of(loop, "initializer")
        declared = begun.children_by_field_name("declarator") if begun is not None else []
        own = frozenset(text(_of(one, "declarator")) for one in declared if one.type == "init_declarator")
        return self.is_uniform(head, own)

    def element(self, node: Node) -> tuple[bytes, Node, list[Node]] | None:
        """The array of an element, the last of its indices, and those before it."""
        indices: list[Node] = []
        inner: Node | None = node
        while inner is not None and inner.type == "subscript_expression":
            listed = _of(inner, "indices")
            if listed is None or listed.named_child_count != 1:
                return None
            indices.append(listed.named_children[0])
            inner = _of(inner, "argument")
        return (text(inner), indices[0], indices[1:]) if indices and inner is not None else None

    def is_thread(self, node: Node) -> bool:
        """Whether an expression is the number of a thread in its block, along x."""
        return self._is_thread(node)

    def _is_thread(self, node: Node | None) -> bool:
        return _THREAD.fullmatch(text(node)) is not None or text(node) in self.threads

    def _is_block(self, node: Node | None) -> bool:
        """The threads of a block, rounded up to whole warps or not; or a constant that is a number of whole waves."""
        if node is not None and node.type == "binary_expression":
            sign, left, right = text(_of(node, "operator")), bare(_of(node, "left")), _of(node, "right")
            if sign == b"+" and text(left) == b"blockDim.x":
                return self._is_31(bare(right))
            if sign == b"-" and text(right) == b"1" and left is not None and text(_of(left, "operator")) == b"+":
                return text(_of(left, "left")) == b"blockDim.x" and self._is_32(_of(left, "right"))
        threads = self.values.constant(node) or 1
        return text(node) in (b"blockDim.x", *self.widths) or (threads % 64 == 0 and 0 < threads <= 1024)

    def is_32(self, node: Node | None) -> bool:
        """Whether an expression is the size of a warp."""
        return self._is_32(node)

    def _is_32(self, node: Node | None) -> bool:
        return self.values.constant(node) == 32 or text(node) == b"warpSize"

    def _is_31(self, node: Node | None) -> bool:
        return self.values.constant(node) == 31 or _LAST_LANE.fullmatch(text(node)) is not None

    def _replace(self, node: Node | None, new: bytes) -> None:
        if node is not None and b"warpSize" not in text(node):
            self.edits.append(Edit(Span(node.start_byte, node.end_byte), new))


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


def parameters(function: Node) -> Iterator[bytes]:
    """The names of what a function is given."""
    declarator = _of(function, "declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = _of(declarator, "declarator") or declarator.named_child(0)
    listed = _of(declarator, "parameters")
    for parameter in listed.named_children if listed is not None else ():
        words = _WORD.findall(text(parameter).partition(b"=")[0])
        if parameter.type != "comment" and words:
            yield words[-1]


def _is_read_only(local: Local) -> bool:
    """A pointer through which a kernel only reads: all threads that read one place find the same there."""
    return local.value is None and local.rank == 1 and b"const" in local.qualifiers and b"volatile" not in local.words


def _shared_values(function: Node) -> set[bytes]:
    """Variables in shared memory, arrays left out."""
    return set(re.findall(rb"\b__shared__\b[^;{}\[\]]*?\b(\w+)\s*;", text(function)))


def _is_shared(function: Node, name: bytes) -> bool:
    declared = re.compile(rb"\b__shared__\b[^;]*\b" + re.escape(name) + rb"\s*\[")
    return declared.search(text(function)) is not None
