"""What the integers of a file measure: indices and numbers of threads, lanes and warps, as values flow.

Forward from `threadIdx`, `blockDim` and library calls through arithmetic, variables and parameters of one file;
backward from what a value is compared with, divided by or indexed with. A name is asked only where no value is seen.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, Local, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.sources import results
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.vocabulary import NAMES, Quantity, Vocabulary

_INDEX = Quantity.THREAD | Quantity.LANE | Quantity.WARP
_WHOLE = Quantity.THREAD | Quantity.THREADS
_COUNTS = Quantity.THREADS | Quantity.WARPS
_OF_CALLS = {"thread": Quantity.THREAD, "warp": Quantity.WARP}
_SUMS, _QUOTIENTS = (b"+", b"-"), (b"/", b">>")
_REMAINDERS = (b"%", b"&")
MEETINGS = frozenset((b"*", b"/", b"%", b"<", b"<=", b">", b">=", b"==", b"!="))
_ROUNDING = frozenset(("div", "cdiv", "ceil", "round", "up", "align", "roundup"))
_FIRST_LANES = (~31, 0xFFFFFFE0)
_DEPTH = 12


@dataclass(slots=True)
class FunctionUses:
    """How one function uses its variables: values they are given later, what they meet, what indexes them, names."""

    assigned: dict[bytes, list[Node]] = field(default_factory=dict)
    moved: set[bytes] = field(default_factory=set)
    met: dict[bytes, list[tuple[bytes, Node]]] = field(default_factory=dict)
    indexed: dict[bytes, list[Node]] = field(default_factory=dict)
    aliases: dict[bytes, list[bytes]] = field(default_factory=dict)


class Quantities:
    """The quantities of one file, worked out for what is asked."""

    def __init__(self, parsed: ParsedFile, names: Vocabulary = NAMES) -> None:
        self.parsed, self.values, self.names = parsed, Values.of(parsed), names
        self._outer = parsed.outer
        self._starts = [function.span.start for function in self._outer]
        self._known: dict[tuple[int, bytes], Quantity] = {}
        self._uses: dict[int, FunctionUses] = {}
        self._calls: tuple[list[int], list[int]] | None = None
        self._relations: tuple[list[int], list[Node]] | None = None

    @classmethod
    def of_file(cls, parsed: ParsedFile, names: Vocabulary = NAMES) -> Quantities:
        """The quantities of a file, for all who ask."""
        return parsed.once(cls) if names is NAMES else cls(parsed, names)

    def of(self, node: Node | None, depth: int = _DEPTH) -> Quantity:
        """What an expression measures; NONE where nothing is known."""
        node = bare(node)
        if node is None or depth == 0:
            return Quantity.NONE
        kind, child = node.type, node.child_by_field_name
        if kind == "identifier":
            return self._variable(node, depth)
        if kind == "binary_expression":
            return self._operation(node, depth)
        if kind == "field_expression":
            return self._member(node)
        if kind in ("cast_expression", "unary_expression"):
            return self.of(child("value") or child("argument"), depth - 1)
        if kind == "conditional_expression":
            return self.of(child("consequence"), depth - 1) | self.of(child("alternative"), depth - 1)
        if kind == "qualified_identifier":
            return self.names.suspected(text(node))
        return self._result(node, depth) if kind == "call_expression" else Quantity.NONE

    def _member(self, node: Node) -> Quantity:
        spelled = text(node)
        if spelled in (b"threadIdx.x", b"blockDim.x"):
            return Quantity.THREAD if spelled == b"threadIdx.x" else Quantity.THREADS
        return (
            Quantity.NONE
            if spelled.endswith((b".x", b".y", b".z"))
            else self.names.suspected(text(node.named_children[-1]))
        )

    def _operation(self, node: Node, depth: int) -> Quantity:
        sign = text(node.child_by_field_name("operator"))
        sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
        left, right = (self.of(side, depth - 1) for side in sides)
        number = self.values.constant(sides[1])
        if sign in _SUMS:
            return _sum(sign, left, right)
        if sign in (b"*", b"<<"):
            known = self.values.constant(sides[0])
            times = (1 << number if number is not None and 0 <= number < 32 else None) if sign == b"<<" else number
            return self._product(left | right, times if times is not None else known)
        if sign in _QUOTIENTS:
            return self._quotient(left, (32 if number == 5 else None) if sign == b">>" else number)
        if sign in _REMAINDERS:
            return self._remainder(left, sign, number)
        return Quantity.NONE

    def _product(self, other: Quantity, times: int | None) -> Quantity:
        """A number of warps or blocks keeps its kind; 32 of them are threads; a multiple of an index is none."""
        if times == 1:
            return other
        made = other & (Quantity.WARPS | Quantity.THREADS)
        made |= Quantity.SPREAD if other & Quantity.LANE else Quantity.NONE
        if times is not None and times % 32 == 0 and times > 0:
            made &= ~Quantity.WARPS
            made |= Quantity.THREADS if other & Quantity.WARPS else Quantity.NONE
            made |= Quantity.THREAD if other & Quantity.WARP and times == 32 else Quantity.NONE
        return made

    def _quotient(self, whole: Quantity, by: int | None) -> Quantity:
        if by != 32 or whole & Quantity.RUNS:
            return Quantity.NONE
        index = Quantity.WARP if whole & (Quantity.THREAD | Quantity.PLACE) else Quantity.NONE
        return index | (Quantity.WARPS if whole & Quantity.THREADS else Quantity.NONE)

    def _remainder(self, whole: Quantity, sign: bytes, by: int | None) -> Quantity:
        if sign == b"&" and by in _FIRST_LANES:
            return whole & _WHOLE
        if by in (32, 31) and whole & (_WHOLE | Quantity.LANE | Quantity.PLACE):
            return Quantity.LANE
        group = (by or 0) + (sign == b"&")
        place = by is None or (group > 32 and group % 32 == 0)
        return Quantity.PLACE if place and whole & (Quantity.THREAD | Quantity.PLACE) else Quantity.NONE

    def _result(self, node: Node, depth: int) -> Quantity:
        """What a call gives: of a library as its facts say, of a cast or minimum what goes in, else by its name."""
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name = plain_name(function)
        given = tree_sitter_nodes.elements(arguments)
        if self.names.votes(name):
            return Quantity.MASK
        found = self.names.suspected(name)
        known = results().get(name.decode("latin-1"))
        if known in _OF_CALLS:
            return _OF_CALLS[known] | (found & Quantity.LANE)
        if name in (b"min", b"max") or (len(given) == 1 and is_cast(function)):
            return _union([self.of(one, depth - 1) for one in given])
        if len(given) == 2 and _ROUNDING & set(self.names.words(name)) and self.values.constant(given[1]) == 32:
            whole = self.of(given[0], depth - 1)
            return self._quotient(whole, 32) if "div" in "".join(self.names.words(name)) else whole & _WHOLE
        return found & _INDEX if not given or found & Quantity.LANE else Quantity.NONE

    def _variable(self, node: Node, depth: int) -> Quantity:
        name, at = text(node), self.function_at(node.start_byte)
        key = (-1 if at is None else at.span.start, name)
        if key not in self._known:
            self._known[key] = Quantity.NONE
            self._known[key] = self._named(node, name, at, depth)
        return self._known[key]

    def _named(self, node: Node, name: bytes, at: Function | None, depth: int) -> Quantity:
        found = self.values.locals(node.start_byte).get(name, []) if at is not None else []
        if any(local.rank for local in found):
            return Quantity.NONE
        uses = self.uses(node.start_byte)
        made = _union([self._initial(node, local, depth) for local in found])
        given = uses.assigned.get(name, [])
        made |= _union([self.of(value, depth - 1) for value in given])
        if not made:
            computed = any(_is_computed(one) for one in [*(local.value for local in found), *given])
            made = self.names.suspected(name) & (_COUNTS if computed else ~Quantity.NONE)
        elif made & Quantity.THREAD:
            made |= self.names.suspected(name) & Quantity.LANE  # a block of one warp
        return made | (Quantity.RUNS if name in uses.moved and made & Quantity.THREAD else Quantity.NONE)

    def _initial(self, node: Node, local: Local, depth: int) -> Quantity:
        if local.value is not None:
            return self.of(local.value, depth - 1)
        given = [self.of(one, depth - 1) for one in self.values.given(node)]
        return _union(given) if given and all(given) else Quantity.NONE

    def function_at(self, offset: int) -> Function | None:
        """The outermost function around an offset."""
        at = bisect_right(self._starts, offset) - 1
        return self._outer[at] if at >= 0 and offset < self._outer[at].span.end else None

    def uses(self, offset: int) -> FunctionUses:
        """How the function around an offset uses its variables."""
        at = self.function_at(offset)
        key = -1 if at is None else at.span.start
        if key not in self._uses:
            self._uses[key] = FunctionUses() if at is None else self._read(at)
        return self._uses[key]

    def _read(self, function: Function) -> FunctionUses:
        made = FunctionUses()
        if self._relations is None:
            every = _RELATIONS.below(self.parsed.tree.root_node)
            self._relations = [node.start_byte for node in every], every
        starts, nodes = self._relations
        for node in nodes[bisect_left(starts, function.span.start) : bisect_left(starts, function.span.end)]:
            _READERS[node.type](made, node)
        for name, found in self.values.locals(function.body.start).items():
            for local in found:
                if local.value is not None and local.value.type == "qualified_identifier":
                    made.aliases.setdefault(text(local.value).rpartition(b"::")[2], []).append(name)
        return made

    def meets(self, name: bytes, offset: int, wanted: Quantity) -> bool:
        """Whether a variable is compared with, divided by or multiplied with something of a quantity."""
        return any(self.of(other) & wanted for sign, other in self.met_by(name, offset) if sign in MEETINGS)

    def met_by(self, name: bytes, offset: int) -> Iterator[tuple[bytes, Node]]:
        """What a variable is set against in its function; what is declared outside, in all functions, renamed too."""
        for uses in self._scopes(name, offset):
            for known in (name, *uses.aliases.get(name, ())):
                yield from uses.met.get(known, ())

    def indexed_by(self, array: bytes, offset: int) -> list[Quantity]:
        """What the indices of an array measure, where it is known."""
        return [self.of(index) for uses in self._scopes(array, offset) for index in uses.indexed.get(array, ())]

    def _scopes(self, name: bytes, offset: int) -> Iterator[FunctionUses]:
        if self.function_at(offset) is not None:
            yield self.uses(offset)
            return
        graph = CallGraph.of(self.parsed)
        for function in self._outer:
            if name in graph.words(function.span):
                yield self.uses(function.span.start)

    def template_arguments(self, name: bytes) -> set[int | None]:
        """The numbers that the file gives a template of some name as arguments."""
        found: set[int | None] = set()
        for node in self.parsed.once(_templates).get(name, ()):
            listed = node.child_by_field_name("arguments")
            found.update(self.values.constant(one) for one in (listed.named_children if listed is not None else ()))
        return found

    def works_within(self, start: int, end: int) -> bool:
        """Whether a range calls what uses warp-level operations, by CUDA's names or by a name that says so."""
        return self._any_call(0, start, end)

    def shuffles_within(self, start: int, end: int) -> bool:
        """Whether a range shuffles."""
        return self._any_call(1, start, end)

    def _any_call(self, which: int, start: int, end: int) -> bool:
        if self._calls is None:
            called = (node.child_by_field_name("function") for node in CALLS.below(self.parsed.tree.root_node))
            named = [(node.start_byte, plain_name(node)) for node in called if node is not None]
            works = sorted(at for at, name in named if self.names.works_across(name))
            self._calls = works, sorted(at for at, name in named if self.names.shuffles(name))
        places = self._calls[which]
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end


def _templates(parsed: ParsedFile) -> Mapping[bytes, Sequence[Node]]:
    """The templates that a file gives arguments, by name."""
    named: dict[bytes, list[Node]] = {}
    for node in _TEMPLATES.below(parsed.tree.root_node):
        named.setdefault(text(node.child_by_field_name("name")), []).append(node)
    return named


def _sum(sign: bytes, left: Quantity, right: Quantity) -> Quantity:
    """A sum keeps its parts; a difference of indices is none; `tid - (threads - 32)` is a lane of the last warp."""
    if sign == b"-" and left & Quantity.THREAD and right & Quantity.THREADS:
        return Quantity.LANE
    if sign == b"-" and right & _INDEX:
        return Quantity.NONE
    both = left | right
    return both if left & right & Quantity.WARPS else both & ~Quantity.WARPS


def _is_computed(value: Node | None) -> bool:
    """Whether a value is arithmetic, so that no name is asked what it measures."""
    inner = bare(value)
    return inner is not None and inner.type == "binary_expression"


def _union(found: list[Quantity]) -> Quantity:
    made = Quantity.NONE
    for one in found:
        made |= one
    return made


def _meet(uses: FunctionUses, node: Node) -> None:
    sign = text(node.child_by_field_name("operator"))
    left, right = bare(node.child_by_field_name("left")), bare(node.child_by_field_name("right"))
    for one, other in ((left, right), (right, left)):
        if (
            one is not None
            and other is not None
            and one.type in ("identifier", "qualified_identifier", "number_literal")
        ):
            uses.met.setdefault(text(one).rpartition(b"::")[2], []).append((sign, other))


def _assign(uses: FunctionUses, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "update_expression":
        uses.moved.add(text(node.child_by_field_name("argument")))
    elif text(node.child_by_field_name("operator")) != b"=":
        uses.moved.add(text(left))
    elif left is not None and right is not None and left.type == "identifier":
        uses.assigned.setdefault(text(left), []).append(right)


def _index(uses: FunctionUses, node: Node) -> None:
    array, listed = node.child_by_field_name("argument"), node.child_by_field_name("indices")
    if listed is not None and listed.named_child_count == 1:
        while array is not None and array.type == "subscript_expression":
            array = array.child_by_field_name("argument")
        name = text(array.named_children[-1]) if array is not None and array.type == "field_expression" else text(array)
        uses.indexed.setdefault(name, []).append(listed.named_children[0])


def is_cast(function: Node | None) -> bool:
    """Whether a call only changes the type of a number."""
    if function is None:
        return False
    return function.type == "primitive_type" or plain_name(function).endswith((b"_cast", b"int", b"_t", b"unsigned"))


_READERS = {
    "binary_expression": _meet,
    "assignment_expression": _assign,
    "update_expression": _assign,
    "subscript_expression": _index,
}
_RELATIONS = tree_sitter_nodes.Kinds("cuda", *_READERS)
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_function")
