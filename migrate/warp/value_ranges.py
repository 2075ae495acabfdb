"""Between which bounds the integers of a function lie: of a shuffle's lane, distance or mask, for one.

A range is shown by what a variable is declared as, given and compared with, through loops that halve, double or count.
What is not shown has no bound: a name says nothing. CUDA's own limits are facts: a warp has 32 threads, a block 1024,
and a shuffle's width is 1 to 32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, declared_name, identifiers, plain_name

_DEPTH = 10
_COORDINATES = {b"threadIdx": (0, 1023), b"blockDim": (1, 1024), b"blockIdx": (0, None), b"gridDim": (1, None)}
_UNSIGNED = frozenset(b"unsigned uint uint8_t uint16_t uint32_t uint64_t size_t uchar ushort ulong".split())
_SCOPES = ("compound_statement", "for_statement", "function_definition", "lambda_expression", "template_declaration")
_BODIES = {"for_statement": "body", "while_statement": "body", "do_statement": "body", "if_statement": "consequence"}
_BITS = (b"__popc", b"__ffs", b"__clz", b"__popcll")


class Range(NamedTuple):
    """The smallest and the largest value, both included; None where there is no bound."""

    low: int | None
    high: int | None

    def within(self, low: int, high: int) -> bool:
        """Whether all values lie between two bounds, both included."""
        return self.low is not None and self.high is not None and low <= self.low and self.high <= high


ANY = Range(None, None)


class ValueRanges:
    """The ranges of one file, worked out for what is asked."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self._open: set[tuple[int, bytes]] = set()
        self._writes: dict[tuple[int, bytes], list[Node]] = {}

    @classmethod
    def of_file(cls, parsed: ParsedFile) -> ValueRanges:
        """The ranges of a file, for all who ask."""
        return parsed.once(cls)

    def of(self, node: Node | None, depth: int = _DEPTH) -> Range:
        """The range of an expression at its place."""
        node = bare(node)
        if node is None or depth == 0:
            return ANY
        kind, child = node.type, node.child_by_field_name
        if kind == "identifier" and (declared := self._scope(node)) is not None:
            return self._variable(node, *declared, depth)
        value = 32 if text(node) == b"warpSize" else self.values.constant(node)
        if value is not None:
            return Range(value, value)
        if kind == "binary_expression":
            sides = (self.of(child("left"), depth - 1), self.of(child("right"), depth - 1))
            return operate(text(child("operator")), *sides)
        if kind == "conditional_expression":
            return _union([self.of(child(part), depth - 1) for part in ("consequence", "alternative")])
        if kind == "field_expression":
            return Range(*_COORDINATES.get(text(child("argument")), ANY))
        if kind == "cast_expression":
            return _cast(text(child("type")), self.of(child("value"), depth - 1))
        return self._call(node, depth) if kind == "call_expression" else ANY

    def _call(self, node: Node, depth: int) -> Range:
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        given = tree_sitter_nodes.elements(listed)
        name = plain_name(function)
        if name in (b"min", b"max") and len(given) == 2:
            left, right = (self.of(one, depth - 1) for one in given)
            return _least(left, right) if name == b"min" else _most(left, right)
        if name in _BITS:
            return Range(0, 64 if name == b"__popcll" else 32)
        if len(given) == 1 and function is not None and function.type == "primitive_type":
            return _cast(text(function), self.of(given[0], depth - 1))
        if len(given) == 1 and name.endswith(b"_cast"):
            return _cast(text(function).partition(b"<")[2].rstrip(b"> "), self.of(given[0], depth - 1))
        return ANY

    def _variable(self, node: Node, scope: Node, begun: Node, depth: int) -> Range:
        """All that a variable is given in its scope, between the bounds that hold where it is read."""
        name = text(node)
        key = (scope.id, name)
        if key in self._open:
            return ANY
        self._open.add(key)
        whole = self._given(node, name, scope, begun, depth)
        if _is_unsigned(begun) and (whole.low is None or whole.low < 0):
            whole = Range(0, None)
        whole = self._refined(node, name, scope, whole, depth)
        self._open.discard(key)
        return whole

    def _given(self, node: Node, name: bytes, scope: Node, begun: Node, depth: int) -> Range:
        """What a variable starts as, and what its assignments make of it."""
        writes = self._written(scope, name)
        first = self._initial(node, begun, depth)
        if not writes:
            return Range(1, 32) if not first.within(1, 32) and name in self._widths(scope) else first
        if begun.type == "declaration":  # without a value: what it is given is all it has
            plain = [one for one in writes if text(one.child_by_field_name("operator")) == b"="]
            first = _union([self._written_by(one, name, ANY, depth) for one in plain]) if plain else ANY
        return _union([first, *(self._written_by(write, name, first, depth) for write in writes)])

    def _written_by(self, write: Node, name: bytes, first: Range, depth: int) -> Range:
        """What an assignment makes of a variable that was in `first`, however often it runs."""
        if write.type == "pointer_expression":
            return ANY
        if write.type == "update_expression":
            moved = b"++" in text(write)
            return Range(first.low, None) if moved else Range(None, first.high)
        sign, right = text(write.child_by_field_name("operator")).rstrip(b"="), write.child_by_field_name("right")
        inner = bare(right)
        if not sign and inner is not None and inner.type == "binary_expression":
            left = bare(inner.child_by_field_name("left"))
            if text(left) == name:
                sign, right = text(inner.child_by_field_name("operator")), inner.child_by_field_name("right")
        if not sign:
            return ANY if right is None or name in identifiers(right) else self.of(right, depth - 1)
        return _repeated(sign, first, first if text(bare(right)) == name else self.of(right, depth - 1))

    def _initial(self, node: Node, begun: Node, depth: int) -> Range:
        if begun.type == "init_declarator":
            return self.of(begun.child_by_field_name("value"), depth - 1)
        given = self.values.given(node) if begun.type != "declaration" and self._is_local(node) else []
        return _union([self.of(one, depth - 1) for one in given]) if given else ANY

    def _is_local(self, node: Node) -> bool:
        """Whether no other file can call the function around: a template, inline or static one of a source file."""
        if not self.parsed.source.path.endswith((".cu", ".cpp", ".cc")):
            return False
        around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)
        head = text(around).partition(b"(")[0]
        if around is None or b"__global__" in head:
            return False
        template = around.parent is not None and around.parent.type == "template_declaration"
        return template or any(word in head for word in (b"static", b"inline"))

    def _widths(self, scope: Node) -> set[bytes]:
        """Names that shuffles of a function are given as their width: CUDA allows 1 to 32."""
        found = set()
        for call in CALLS.below(scope):
            name, listed = text(call.child_by_field_name("function")), call.child_by_field_name("arguments")
            given = tree_sitter_nodes.elements(listed)
            if name.startswith(b"__shfl") and len(given) == (4 if name.endswith(b"_sync") else 3):
                found.add(text(bare(given[-1])))
        return found

    def _written(self, scope: Node, name: bytes) -> list[Node]:
        """The assignments to a variable in its scope; one through its address has no bounds."""
        key = (scope.id, name)
        if key not in self._writes:
            self._writes[key] = [one for one in _WRITES.below(scope) if text(bare(_target(one))) == name]
        return self._writes[key]

    def _scope(self, node: Node) -> tuple[Node, Node] | None:
        """The statement in which a name is known, and what declares it there; None where nothing does."""
        name, child = text(node), node
        for around in tree_sitter_nodes.ancestors(node):
            if around.type in _SCOPES:
                found = _declares(around, name, child)
                if found is not None:
                    return around, found
            child = around
        return None

    def _refined(self, node: Node, name: bytes, scope: Node, whole: Range, depth: int) -> Range:
        """The range with the conditions that hold at a place: of loops and branches around it, not yet overtaken."""
        child = node
        for around in tree_sitter_nodes.ancestors(node):
            body = around.child_by_field_name(_BODIES[around.type]) if around.type in _BODIES else None
            if body is not None and body == child and around.type != "do_statement":
                whole = self._held(around, name, node, whole, depth)
            if around == scope:
                break
            child = around
        return whole

    def _held(self, around: Node, name: bytes, node: Node, whole: Range, depth: int) -> Range:
        test = bare(around.child_by_field_name("condition"))
        test = bare(test.child_by_field_name("value")) if test is not None and test.type == "condition_clause" else test
        body = around.child_by_field_name(_BODIES[around.type])
        if test is None or body is None or self._overtaken(body, name, node):
            return whole
        if test.type == "assignment_expression" and text(test.child_by_field_name("left")) == name:
            sign = text(test.child_by_field_name("operator")).rstrip(b"=")
            return operate(sign, whole, self.of(test.child_by_field_name("right"), depth - 1)) if sign else whole
        for one in _conjuncts(test):
            whole = self._compared(one, name, whole, depth)
        return whole

    def _overtaken(self, body: Node, name: bytes, node: Node) -> bool:
        """Whether a variable is given something else in the body before it is read."""
        return any(write.start_byte < node.start_byte for write in _WRITES.below(body) if text(_target(write)) == name)

    def _compared(self, test: Node, name: bytes, whole: Range, depth: int) -> Range:
        if test.type == "identifier" and text(test) == name:
            return whole._replace(low=1) if whole.low == 0 else whole
        if test.type != "binary_expression":
            return whole
        sign = text(test.child_by_field_name("operator"))
        left, right = bare(test.child_by_field_name("left")), bare(test.child_by_field_name("right"))
        if text(right) == name:
            left, right, sign = right, left, {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<="}.get(sign, sign)
        if text(left) != name:
            return whole
        bound = self.of(right, depth - 1)
        if sign in (b"<", b"<=") and bound.high is not None:
            return _least(whole, Range(None, bound.high - (sign == b"<")), whole.low)
        if sign in (b">", b">=") and bound.low is not None:
            return _most(whole, Range(bound.low + (sign == b">"), None), whole.high)
        return whole


_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")


def _target(write: Node) -> Node | None:
    """What is written: `*p` writes no variable that could be named, `&v` may."""
    if write.type == "pointer_expression" and text(write.child_by_field_name("operator")) != b"&":
        return None
    return write.child_by_field_name("left") or write.child_by_field_name("argument")


def _declares(scope: Node, name: bytes, before: Node) -> Node | None:
    """What declares a name right in a scope before a place: a declarator, a declaration without value, a parameter."""
    for one in _declarations(scope):
        if one.start_byte > before.end_byte:
            break
        if one.type in ("parameter_declaration", "optional_parameter_declaration"):
            if declared_name(one) == name:
                return one
            continue
        for declarator in one.children_by_field_name("declarator"):
            if declarator.type == "init_declarator" and text(declarator.child_by_field_name("declarator")) == name:
                return declarator
            if declarator.type == "identifier" and text(declarator) == name:
                return one
    return None


def _declarations(scope: Node) -> Iterator[Node]:
    if scope.type == "for_statement":
        first = scope.child_by_field_name("initializer")
        yield from (first,) if first is not None and first.type == "declaration" else ()
        return
    holder: Node | None = scope
    if scope.type != "compound_statement":
        while holder is not None and holder.child_by_field_name("parameters") is None:
            holder = holder.child_by_field_name("declarator")
        holder = holder.child_by_field_name("parameters") if holder is not None else None
    yield from holder.named_children if holder is not None else ()


def _is_unsigned(declared: Node) -> bool:
    owner = declared if declared.child_by_field_name("type") is not None else declared.parent
    kind = text(owner.child_by_field_name("type")) if owner is not None else b""
    return not _UNSIGNED.isdisjoint(kind.replace(b"::", b" ").split())


def _conjuncts(test: Node) -> Iterator[Node]:
    """The parts of a condition that all hold where it holds."""
    inner = bare(test)
    if inner is not None and inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) == b"&&":
        for side in (inner.child_by_field_name("left"), inner.child_by_field_name("right")):
            yield from _conjuncts(side) if side is not None else ()
    elif inner is not None:
        yield inner


def _cast(kind: bytes, inner: Range) -> Range:
    if not _UNSIGNED.isdisjoint(kind.replace(b"::", b" ").split()) and (inner.low is None or inner.low < 0):
        return Range(0, None)
    return inner


def _union(found: list[Range]) -> Range:
    lows, highs = [one.low for one in found], [one.high for one in found]
    return Range(
        None if None in lows else min(one for one in lows if one is not None),
        None if None in highs else max(one for one in highs if one is not None),
    )


def _least(left: Range, right: Range, low: int | None = None) -> Range:
    """The range of the smaller of two; `low` is a bound known otherwise."""
    highs = [one for one in (left.high, right.high) if one is not None]
    lows = None if left.low is None or right.low is None else min(left.low, right.low)
    return Range(low if low is not None else lows, min(highs) if highs else None)


def _most(left: Range, right: Range, high: int | None = None) -> Range:
    lows = [one for one in (left.low, right.low) if one is not None]
    highs = None if left.high is None or right.high is None else max(left.high, right.high)
    return Range(max(lows) if lows else None, high if high is not None else highs)


def _repeated(sign: bytes, first: Range, by: Range) -> Range:
    """What an operation makes of a value that may go through it any number of times."""
    if first.low is None or first.low < 0:
        return operate(sign, ANY, by)
    if sign in (b">>", b"/") and by.low is not None and by.low >= (sign == b"/"):
        return Range(0, first.high)
    if sign == b"&" or sign == b"%":
        return _union([first, operate(sign, Range(0, None), by)])
    if sign in (b"<<", b"*", b"+") and by.low is not None and by.low >= 0:
        return Range(first.low if sign != b"*" or by.low else 0, None)
    return Range(None, first.high) if sign == b"-" and by.low is not None and by.low >= 0 else ANY


def operate(sign: bytes, left: Range, right: Range) -> Range:
    """The range of an operation on two ranges."""
    if sign == b"&":
        bounds = [one.high for one in (left, right) if one.low is not None and one.low >= 0 and one.high is not None]
        positive = any(one.low is not None and one.low >= 0 for one in (left, right))
        return Range(0 if positive else None, min(bounds) if bounds else None)
    if sign == b"+":
        return Range(_both(left.low, right.low, 1), _both(left.high, right.high, 1))
    if sign == b"-":
        return Range(_both(left.low, right.high, -1), _both(left.high, right.low, -1))
    if left.low is None or left.low < 0 or right.low is None or right.low < 0:
        return ANY
    return _of_positive(sign, left, right)


def _both(left: int | None, right: int | None, sign: int) -> int | None:
    return None if left is None or right is None else left + sign * right


def _of_positive(sign: bytes, left: Range, right: Range) -> Range:
    """The range of an operation on two values that are not negative."""
    assert left.low is not None and right.low is not None
    high = left.high
    if sign in (b"|", b"^"):
        known = high is not None and right.high is not None
        return Range(0, (1 << max(high or 0, right.high or 0).bit_length()) - 1 if known else None)
    if sign == b"%":
        bounds = [one for one in (high, right.high - 1 if right.high else None) if one is not None]
        return Range(0, min(bounds) if bounds else None)
    if sign == b"/":
        return Range(0, None if high is None else high // max(1, right.low))
    if sign == b">>":
        return Range(0, None if high is None else high >> min(right.low, 64))
    if sign == b"*":
        return Range(left.low * right.low, None if high is None or right.high is None else high * right.high)
    if sign == b"<<":
        known = high is not None and right.high is not None and right.high < 64
        return Range(left.low << min(right.low, 64), (high or 0) << (right.high or 0) if known else None)
    return ANY
