"""Between which bounds the integers of a function lie: of a shuffle's lane, distance or mask, for one.

A range is shown by what a variable is declared as, given and compared with, through loops that halve, double or count.
What is not shown has no bound: a name says nothing. CUDA's own limits are facts: a warp has 32 threads, a block 1024,
and a shuffle's width is 1 to 32.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.builtin_wave import is_builtin
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.analysis.shown_values import shown
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import integer_literals, tree_sitter_nodes
from cudamigrate.warp import lane_group_widths
from cudamigrate.warp.element_types import element, member
from cudamigrate.warp.integer_ranges import (
    ANY,
    INT,
    INT_MAX,
    LONG,
    UINT,
    UINT_MAX,
    ULONG,
    Integer,
    Range,
    converted,
    integer_type,
    is_signed,
    joined,
    least,
    most,
    operate,
    repeated,
    union,
    wrapped,
)
from cudamigrate.warp.tree_queries import bare, declared_name, identifiers, plain_name
from cudamigrate.warp.type_names import TypeNames
from cudamigrate.warp.variable_writes import VariableWrites

_DEPTH = 10
_COORDINATES = {b"threadIdx": (0, 1023), b"blockDim": (1, 1024), b"blockIdx": (0, None), b"gridDim": (1, None)}
_SCOPES = ("compound_statement", "for_statement", "function_definition", "lambda_expression", "template_declaration")
_BODIES = {"for_statement": "body", "while_statement": "body", "do_statement": "body", "if_statement": "consequence"}
_BITS = (b"__popc", b"__ffs", b"__clz", b"__popcll")
_SIZES = (b"size", b"num_threads")
_COMPARING = (b"<", b">", b"<=", b">=", b"==", b"!=", b"&&", b"||")


class ValueRanges:
    """The ranges of one file, worked out for what is asked."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self.writes, self.types = VariableWrites.of_file(parsed), parsed.once(TypeNames)
        self._open: set[tuple[int, bytes]] = set()
        self._cut = False  # whether something was asked for that depends on itself
        self._known: dict[tuple[int, bytes, int, int], Range] = {}
        self._known_widths: dict[tuple[int, int], set[bytes]] = {}

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
        if kind == "identifier" and (declared := self.scope(node)) is not None:
            return self._variable(node, *declared, depth)
        value = 32 if is_builtin(self.parsed, node) else shown(self.values, node)
        if value is not None:
            return Range(value, value)
        if kind == "binary_expression":
            sides = (self.of(child("left"), depth - 1), self.of(child("right"), depth - 1))
            return wrapped(operate(text(child("operator")), *sides), self.rank(node, depth))
        if kind == "conditional_expression":
            return self._choice([child("consequence"), child("alternative")], depth)
        if kind == "field_expression":
            return Range(*_COORDINATES.get(text(child("argument")), ANY))
        if kind == "cast_expression":
            return self._cast(text(child("type")), child("value"), depth)
        return self._call(node, depth) if kind == "call_expression" else ANY

    def _call(self, node: Node, depth: int) -> Range:
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        given = tree_sitter_nodes.elements(listed)
        name = plain_name(function)
        if name in (b"min", b"max") and len(given) == 2:
            left, right = (self.of(one, depth - 1) for one in given)
            if not is_signed(self.rank(node, depth)) and not (left.is_natural and right.is_natural):
                return ANY
            return least(left, right) if name == b"min" else most(left, right)
        if name in _SIZES and groups(self.parsed).kind(_receiver(function), node.start_byte) == "tile":
            return Range(1, 32)
        if name in _BITS:
            return Range(0, 64 if name == b"__popcll" else 32)
        kind = _cast_to(node)
        return self._cast(kind, given[0], depth) if kind and len(given) == 1 else ANY

    def _choice(self, parts: list[Node | None], depth: int) -> Range:
        """The range of one of several values, in the type that all are brought to."""
        found = union(self.of(one, depth - 1) for one in parts)
        return wrapped(found, joined(self.rank(one, depth - 1) for one in parts))

    def _cast(self, kind: bytes, value: Node | None, depth: int) -> Range:
        return converted(self.of(value, depth - 1), integer_type(kind), self.rank(value, depth - 1))

    def rank(self, node: Node | None, depth: int) -> int | None:
        """The type that an expression is worked out in; None where it is not seen."""
        node = bare(node)
        if node is None or depth == 0:
            return None
        child, kind = node.child_by_field_name, node.type
        if kind == "number_literal":
            return _rank_of_number(text(node))
        if kind == "identifier":
            return self._rank_of_name(node, depth)
        if kind == "field_expression" and text(child("argument")) in _COORDINATES:
            return UINT
        if kind == "binary_expression":
            if text(child("operator")) in _COMPARING:
                return INT
            shifts = text(child("operator")) in (b"<<", b">>")
            return joined(self.rank(child(part), depth - 1) for part in (("left",) if shifts else ("left", "right")))
        if kind in ("unary_expression", "conditional_expression"):
            parts = ("argument",) if kind == "unary_expression" else ("consequence", "alternative")
            return joined(self.rank(child(part), depth - 1) for part in parts)
        if kind == "call_expression" and plain_name(child("function")) in (b"min", b"max"):
            return joined(self.rank(one, depth - 1) for one in tree_sitter_nodes.elements(child("arguments")))
        return _rank_of_made(node, self.types, self.values)

    def _rank_of_name(self, node: Node, depth: int) -> int | None:
        declared = self.scope(node)
        if declared is None:
            return INT if is_builtin(self.parsed, node) else None
        kind = _declared_type(declared[1])
        if kind == b"auto":
            return self.rank(declared[1].child_by_field_name("value"), depth - 1)
        found = self.types.integer(kind)
        return None if found is None else found.rank

    def _variable(self, node: Node, scope: Node, begun: Node, depth: int) -> Range:
        """All that a variable is given in its scope, between the bounds that hold where it is read."""
        name = text(node)
        key = (scope.id, name)
        if key in self._open:
            self._cut = True
            return ANY
        self._open.add(key)
        if self.writes.is_exposed(scope, begun, name):
            whole = converted(ANY, _integer(begun), None)
        else:
            whole = self._given_once(node, name, scope, begun, depth)
            if not self.writes.is_written_by_lambda(scope, name, node):
                whole = self._refined(node, name, scope, whole, depth)
        self._open.discard(key)
        return whole

    def _given_once(self, node: Node, name: bytes, scope: Node, begun: Node, depth: int) -> Range:
        """What a variable is given; worked out again only where it depends on itself."""
        key = scope.id, name, begun.start_byte, depth
        if key not in self._known:
            before, self._cut = self._cut, False
            found = self._given(node, name, scope, begun, depth)
            cut, self._cut = self._cut, self._cut or before
            if cut:
                return found
            self._known[key] = found
        return self._known[key]

    def _given(self, node: Node, name: bytes, scope: Node, begun: Node, depth: int) -> Range:
        """What a variable starts as, and what its assignments make of it."""
        writes = self.writes.assignments(scope, name)
        first = self._initial(node, begun, depth)
        if not writes:
            return Range(1, 32) if not first.within(1, 32) and name in self._widths(scope) else first
        if begun.type == "declaration":  # without a value: what it is given is all it has
            plain = [one for one in writes if text(one.child_by_field_name("operator")) == b"="]
            first = union([self._written_by(one, name, ANY, begun, depth) for one in plain]) if plain else ANY
        return union([first, *(self._written_by(write, name, first, begun, depth) for write in writes)])

    def _written_by(self, write: Node, name: bytes, first: Range, begun: Node, depth: int) -> Range:
        """What an assignment makes of a variable that was in `first`, however often it runs."""
        kind = _integer(begun)
        if write.type == "pointer_expression":
            return converted(ANY, kind, None)
        if write.type == "update_expression":
            moved = Range(first.low, None) if b"++" in text(write) else Range(None, first.high)
            return self._stored(moved, begun, INT, depth)
        sign, right = text(write.child_by_field_name("operator")).rstrip(b"="), write.child_by_field_name("right")
        inner = bare(right)
        if not sign and inner is not None and inner.type == "binary_expression":
            left = bare(inner.child_by_field_name("left"))
            if text(left) == name:
                sign, right = text(inner.child_by_field_name("operator")), inner.child_by_field_name("right")
        if not sign:
            found = ANY if right is None or name in identifiers(right) else self.of(right, depth - 1)
            return self._stored(found, begun, self.rank(right, depth - 1), depth)
        by = first if text(bare(right)) == name else self.of(right, depth - 1)
        return self._stored(repeated(sign, first, by), begun, INT, depth)

    def _stored(self, found: Range, begun: Node, rank: int | None, depth: int) -> Range:
        """A value as a variable holds it; one that says `auto` has the type of what it starts as."""
        if _declared_type(begun) != b"auto":
            return converted(found, _integer(begun), rank)
        return wrapped(found, self.rank(begun.child_by_field_name("value"), depth - 1))

    def _initial(self, node: Node, begun: Node, depth: int) -> Range:
        """What a variable starts as, or a parameter is given."""
        if begun.type == "init_declarator":
            value = begun.child_by_field_name("value")
            return self._stored(self.of(value, depth - 1), begun, self.rank(value, depth - 1), depth)
        given = self.values.given(node) if begun.type != "declaration" and self._is_local(node) else []
        found = [self._stored(self.of(one, depth - 1), begun, self.rank(one, depth - 1), depth) for one in given]
        return union(found) if found else converted(ANY, _integer(begun), None)

    def _is_local(self, node: Node) -> bool:
        """Whether no other file can call the function around: a template, inline or static one of a source file."""
        if not self.parsed.source.path.endswith((".cu", ".hip", ".cpp", ".cc")):
            return False
        around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)
        head = text(around).partition(b"(")[0]
        if around is None or b"__global__" in head:
            return False
        template = around.parent is not None and around.parent.type == "template_declaration"
        return template or any(word in head for word in (b"static", b"inline"))

    def _widths(self, scope: Node) -> set[bytes]:
        """Names that shuffles of a function are given as their width, or tiles as their size: CUDA allows 1 to 32."""
        key = scope.start_byte, scope.end_byte
        if key not in self._known_widths:
            self._known_widths[key] = lane_group_widths.names(scope, self.parsed)
        return self._known_widths[key]

    def scope(self, node: Node) -> tuple[Node, Node] | None:
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
        if test is None or body is None or self.writes.changed_before(body, name, node):
            return whole
        if test.type == "assignment_expression" and text(test.child_by_field_name("left")) == name:
            sign = text(test.child_by_field_name("operator")).rstrip(b"=")
            return operate(sign, whole, self.of(test.child_by_field_name("right"), depth - 1)) if sign else whole
        if self.writes.assignments(test, name):
            return whole
        for one in _conjuncts(test):
            whole = self._compared(one, name, whole, depth)
        return whole

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
        signed = is_signed(self.rank(left, depth - 1)) and is_signed(self.rank(right, depth - 1))
        if sign in (b"<", b"<=") and bound.high is not None and (signed or bound.is_natural):
            return least(whole, Range(None, bound.high - (sign == b"<")), whole.low)
        if sign in (b">", b">=") and bound.low is not None and (signed or whole.is_natural):
            return most(whole, Range(bound.low + (sign == b">"), None), whole.high)
        return whole


def _receiver(function: Node | None) -> bytes:
    """The object whose member is called."""
    return text(function.child_by_field_name("argument")) if function is not None else b""


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


def _conjuncts(test: Node) -> Iterator[Node]:
    """The parts of a condition that all hold where it holds."""
    inner = bare(test)
    if inner is not None and inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) == b"&&":
        for side in (inner.child_by_field_name("left"), inner.child_by_field_name("right")):
            yield from _conjuncts(side) if side is not None else ()
    elif inner is not None:
        yield inner


def _declared_type(declared: Node) -> bytes:
    """The type that a declaration spells, qualifiers left out; nothing for pointers, references and arrays."""
    owner = declared if declared.child_by_field_name("type") is not None else declared.parent
    kind = owner.child_by_field_name("type") if owner is not None else None
    inner = declared.child_by_field_name("declarator")
    return text(kind) if inner is None or inner.type == "identifier" else b""


def _integer(declared: Node) -> Integer | None:
    return integer_type(_declared_type(declared))


def _cast_to(call: Node) -> bytes:
    """The type that a cast in the form of a call spells; nothing for other calls."""
    function = call.child_by_field_name("function")
    if function is not None and function.type == "primitive_type":
        return text(function)
    is_cast = plain_name(function) == b"static_cast"
    return text(function).partition(b"<")[2].rstrip(b"> ") if is_cast else b""


def _rank_of_made(node: Node, types: TypeNames, values: Values) -> int | None:
    """The type of a cast, of a member, or of what a function of CUDA makes."""
    if node.type == "call_expression" and plain_name(node.child_by_field_name("function")) in _BITS:
        return INT
    spelled = text(node.child_by_field_name("type")) if node.type == "cast_expression" else b""
    found = (
        element(node, types)
        or member(node, values, types)
        or types.integer(_cast_to(node) if node.type == "call_expression" else spelled)
    )
    return None if found is None else found.rank


def _rank_of_number(spelled: bytes) -> int | None:
    """The type of an integer as it is spelled: `1`, `1u`, `0xffffffff`, `1l`."""
    value = integer_literals.value(spelled)
    if value is None:  # a floating-point number
        return None
    suffix = spelled.lower()[len(spelled.rstrip(b"uUlLzZ")) :]
    decimal = not spelled.lstrip(b"+-").startswith(b"0")
    large = value > UINT_MAX or b"l" in suffix
    unsigned = b"u" in suffix or (value > INT_MAX and not decimal)
    if large:
        return ULONG if unsigned else LONG
    return UINT if unsigned else LONG if value > INT_MAX else INT
