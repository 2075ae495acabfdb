"""Steps that the lanes of a warp take through shared memory without a barrier: `s[t] += s[t + 16]` and its kin.

A step reads the place of another lane and writes the lane's own; a run is a row of steps of one function with no
barrier between them, or one step that a loop takes several times. All of it comes from the syntax tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.vocabulary import NAMES, Quantity
from cudamigrate.warp.warp_synchronous_steps import (
    DISTANCES,
    ELEMENTS,
    LOOPS,
    Place,
    assignments,
    base,
    in_other_branch,
    is_read_always,
    place_of,
    squeezed,
    statement_of,
    with_members,
)

_HALF_WARP = (b"warpSize/2", b"warpSize>>1")
_SCALING = (b">>", b"<<", b"/", b"*")
_SYNC = re.compile(rb"\b__(?:sync|barrier_sync)|\b(?:bar|barrier)(?:\.\w+)*\.sync\b|\bsync\s*\(")
"""What makes lanes wait for each other: CUDA's `__sync...`, PTX's `bar.sync`, `group.sync()` and `cg::sync(group)`."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_SAID = re.compile(rb"volatile|16[uU]? ?[\])+]|\[ ?16|(?:>>|<<)= ?1\b|[*/]= ?2\b|= ?\w+ ?(?:>> ?1|/ ?2) ?[;)]")
"""What a file with such steps says: an index with a distance of 16, a loop that halves or doubles one."""
_NUMBERS = Quantity.THREAD | Quantity.LANE
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration", "parameter_declaration")
_STATEMENTS = tree_sitter_nodes.Kinds("cuda", "call_expression", "expression_statement", "assignment_expression")
_FEWEST = 3
"""Steps by halves or doubles that an array without `volatile` must be seen to take."""


@dataclass(slots=True)
class Step:
    """A statement that reads what other lanes hold in `array` and writes the lane's own place, `after` it for two.

    `reads` are the places of other lanes in it, by their source; `problem` says that it cannot be synchronised.
    """

    statement: Node
    array: bytes
    index: Node
    distance: bytes
    reads: dict[bytes, list[Node]] = field(default_factory=dict)
    after: Node | None = None
    problem: bool = False

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.statement.start_byte

    @property
    def end(self) -> int:
        """Where its last statement ends."""
        return (self.after or self.statement).end_byte


@dataclass(slots=True)
class Run:
    """Steps of a function with no barrier between them; `loop` is around the one that is taken several times."""

    function: Function
    steps: list[Step]
    loop: Node | None = None
    held: bool = False

    @property
    def first(self) -> Span:
        """Where the first step stands."""
        return Span(self.steps[0].start, self.steps[0].end)

    @property
    def array(self) -> str:
        """The array of the first step as the source spells it."""
        return self.steps[0].array.decode("utf-8", "replace")


def runs(parsed: ParsedFile) -> list[Run]:
    """Every run of a file, in its order, worked out once."""
    return parsed.once(_in_order)


def is_of_lanes(parsed: ParsedFile, offset: int, array: bytes, index: bytes) -> bool:
    """Whether names at a place in a function are an array that lanes may share and a thread's or lane's number."""
    function, finder = parsed.function(offset), parsed.once(_Finder)
    if function is None or not finder.is_shared(function, array):
        return False
    named = (at for at in parsed.lexed.words(frozenset((index,))) if function.span.start <= at < function.span.end)
    nodes = (node_at(parsed, at, at + len(index)) for at in named)
    return index.startswith(b"threadIdx.") or any(one is not None and finder.is_lane(one) for one in nodes)


def is_of_shared(parsed: ParsedFile, function: Function, array: bytes) -> bool:
    """Whether a name in a function is an array in shared memory, or a pointer that may lead there."""
    return parsed.once(_Finder).is_shared(function, array)


def is_volatile(parsed: ParsedFile, function: Function, access: Node) -> bool:
    """Whether an element is of an array that a function sees as `volatile`."""
    return parsed.once(_Finder).kind(access, function) is True


def barrier_between(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether code between two places of a file calls something that synchronises lanes."""
    return parsed.once(_Finder).has_barrier(start, end)


def is_taken_by_halves(parsed: ParsedFile, statement: Node, distance: bytes) -> bool:
    """Whether a loop without a barrier takes a statement at distances within a warp, each half or twice the last."""
    step = Step(statement, b"", statement, b"+" + distance)
    return parsed.once(_Finder).loop(step) is not None


def _in_order(parsed: ParsedFile) -> list[Run]:
    said = _SAID.search(parsed.data)
    return [] if said is None else sorted(_Finder(parsed).runs(), key=lambda run: run.first)


class _Finder:
    """Finds the runs of one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed
        self.quantities = Quantities.of_file(parsed)
        self._loose: frozenset[bytes] | None = None
        self._kinds: dict[tuple[int, bytes], bool | None] = {}
        self._declared: dict[bytes, set[Span | None]] | None = None
        self._places: list[int] | None = None
        self._writes: list[int] = []

    def runs(self) -> Iterator[Run]:
        """The runs of all functions."""
        found: dict[tuple[int, bytes, bool], list[Step]] = {}
        for access, place in self._accesses():
            function = self.parsed.function(access.start_byte)
            if function is None or function.scope != "device" or self.parsed.hip(access.start_byte) is not None:
                continue
            kind = self.kind(access, function)
            if kind is not None:
                self._add(function, access, place, kind, found)
        for (start, _, volatile), steps in found.items():
            function = self.parsed.function(start)
            for run in self._parts(steps) if function is not None else ():
                loop = None if run[0].distance[1:].isdigit() else self.loop(run[0])
                if function is not None and self._is_row(run, volatile, loop):
                    yield Run(function, run, loop, self._is_held(function, run[0]))
                elif function is not None and volatile and self._is_mixed(run):
                    for step in run:
                        step.problem = True
                    yield Run(function, run)

    def _accesses(self) -> list[tuple[Node, Place]]:
        """Elements whose index is a sum, in the order of the file."""
        found = ELEMENTS.below(self.parsed.tree.root_node)
        placed = ((one, place) for one in found if (place := place_of(one)) is not None)
        return sorted(placed, key=lambda pair: pair[0].end_byte)

    def kind(self, access: Node, function: Function) -> bool | None:
        """True for memory that is read again each time, False for other memory that lanes share, None for the rest."""
        name = base(access)
        key = (function.span.start, name)
        if key not in self._kinds:
            found = self.quantities.values.locals(access.start_byte).get(name, ())
            volatile = any(b"volatile" in local.qualifiers for local in found)
            if volatile or (not found and name in self._loose_volatile()):
                self._kinds[key] = True
            else:
                self._kinds[key] = False if self.is_shared(function, name) else None
        return self._kinds[key]

    def is_shared(self, function: Function, name: bytes) -> bool:
        """Whether a name is an array in shared memory, or a pointer that may lead there."""
        if self._declared is None:
            found = _DECLARATIONS.below(self.parsed.tree.root_node)
            self._declared = {}
            for node in found:
                around = self.parsed.function(node.start_byte)
                for one in _memory(node):
                    self._declared.setdefault(one, set()).add(None if around is None else around.span)
        spans = self._declared.get(name, set())
        return any(one is None or (function.span.start <= one.start and one.end <= function.span.end) for one in spans)

    def _loose_volatile(self) -> frozenset[bytes]:
        if self._loose is None:
            every = declared(self.parsed.tree.root_node) if b"volatile" in self.parsed.data else ()
            self._loose = frozenset(name for name, local in every if b"volatile" in local.qualifiers)
        return self._loose

    def _add(
        self,
        function: Function,
        access: Node,
        place: Place,
        volatile: bool,
        found: dict[tuple[int, bytes, bool], list[Step]],
    ) -> None:
        """An access, as part of the step that it belongs to."""
        array, index, distance = place
        statement, after = statement_of(access, array, index)
        if statement is None:
            return
        steps = found.setdefault((function.span.start, squeezed(index), volatile), [])
        if not steps or steps[-1].statement != statement:
            steps.append(Step(statement, array, index, distance, after=after, problem=statement.has_error))
        step, whole = steps[-1], with_members(access)
        step.reads.setdefault(squeezed(whole), []).append(whole)
        is_made = _WORD.fullmatch(distance, 1) is None and not distance[1:].isdigit()
        step.problem |= is_made or step.distance != distance or not is_read_always(access, statement)

    def _defined(self) -> set[bytes]:
        """The names of the file's own functions and macros."""
        functions = {function.name.encode() for function in self.parsed.functions}
        return functions | {name for name, _ in _macros(self.parsed)}

    def _barriers(self) -> list[int]:
        """Where the file calls something that synchronises lanes; macros that are defined as nothing do not."""
        if self._places is None:
            own, here = _synchronising(self.parsed), self._defined()
            found = _STATEMENTS.below(self.parsed.tree.root_node)
            named = [(one.start_byte, plain_name(one)) for one in map(_called, found) if one is not None]
            self._places = sorted(at for at, name in named if name in own or (name not in here and _is_sync(name)))
            written = (one.child_by_field_name("left") for one in found if one.type == "assignment_expression")
            self._writes = sorted(
                one.start_byte for one in written if one is not None and one.type == "subscript_expression"
            )
        return self._places

    def has_barrier(self, start: int, end: int) -> bool:
        """Whether something that synchronises lanes is called between two places."""
        at = bisect_right(self._barriers(), start - 1)
        return at < len(self._barriers()) and self._barriers()[at] < end

    def _parts(self, steps: list[Step]) -> Iterator[list[Step]]:
        """The steps on one index, parted where a barrier is between two; one that has a barrier itself goes."""
        part: list[Step] = []
        for step in steps:
            if self.has_barrier(step.start, step.end):
                continue
            if part and (
                self.has_barrier(part[-1].end, step.start)
                or in_other_branch(part[-1].statement, part[-1].end, step.statement)
            ):
                yield part
                part = []
            part.append(step)
        if part:
            yield part

    def _is_row(self, run: list[Step], volatile: bool, loop: Node | None) -> bool:
        """Whether a run is what lanes do: steps through `volatile`, or halves or doubles by a thread's number."""
        numbers = [int(step.distance[1:]) for step in run if step.distance[1:].isdigit()]
        if len(numbers) < len(run):
            plain = _WORD.fullmatch(run[0].distance, 1) is not None and self.quantities.of(run[0].index) & _NUMBERS
            return (volatile or bool(plain)) and len(run) == 1 and loop is not None
        if volatile:
            return len(run) > 1
        rows: dict[bytes, list[int]] = {}
        for step, number in zip(run, numbers, strict=True):
            rows.setdefault(step.array, []).append(number)
        return any(map(_is_halved, rows.values())) and self.is_lane(run[0].index)

    def _is_mixed(self, run: list[Step]) -> bool:
        """Whether a run of several steps has one that a loop takes by distances within a warp."""
        return len(run) > 1 and any(not one.distance[1:].isdigit() and self.loop(one) is not None for one in run)

    def is_lane(self, index: Node) -> bool:
        """Whether an index numbers threads or lanes, by its value or by its name."""
        found = self.quantities.of(index)
        if found & (Quantity.THREAD | Quantity.LANE | Quantity.PLACE):
            return True
        parts = NAMES.words(text(index))
        return parts in (("t",), ("idx",)) or any(part.startswith(("tid", "lane", "thread")) for part in parts)

    def loop(self, step: Step) -> Node | None:
        """The loop around a step whose distance changes from turn to turn within a warp, with no barrier in it."""
        by = step.distance[1:]
        around = next((one for one in tree_sitter_nodes.ancestors(step.statement) if one.type in LOOPS), None)
        if around is None or self.has_barrier(around.start_byte, around.end_byte):
            return None
        names = [name for name in _WORD.findall(by) if any(_scales(write, name) for write in assignments(around))]
        local = [one.value for name in names for one in self.quantities.values.locals(step.start).get(name, ())]
        given = [one for name in names for one in self.quantities.uses(step.start).assigned.get(name, ())]
        within = any(one is not None and self._is_distance(one) for one in (*local, *given))
        return around if within else None

    def _is_distance(self, value: Node) -> bool:
        number = self.quantities.values.constant(value)
        return squeezed(value) in _HALF_WARP or (number is not None and str(number).encode() in DISTANCES)

    def _is_held(self, function: Function, step: Step) -> bool:
        """Whether a barrier is before the first step, in the same turn of a loop, and no write behind it."""
        loop = next((one for one in tree_sitter_nodes.ancestors(step.statement) if one.type in LOOPS), None)
        begin = function.body.start
        if loop is not None and loop.start_byte > begin:
            begin = loop.start_byte
        at = bisect_right(self._barriers(), step.start - 1) - 1
        if at < 0 or self._barriers()[at] < begin:
            return False
        written = bisect_left(self._writes, self._barriers()[at])
        return written == len(self._writes) or self._writes[written] >= step.start


def _is_halved(distances: list[int]) -> bool:
    """Whether the steps that an array takes are by halves or doubles within a warp."""
    ratios = {max(pair) / min(pair) for pair in pairwise(distances)}
    return len(distances) >= _FEWEST and ratios == {2} and 16 in distances


def _scales(write: Node, name: bytes) -> bool:
    """Whether an assignment halves or doubles a variable."""
    if write.type != "assignment_expression" or text(write.child_by_field_name("left")) != name:
        return False
    sign, right = text(write.child_by_field_name("operator")), bare(write.child_by_field_name("right"))
    if sign != b"=":
        return sign[:-1] in _SCALING
    made = right is not None and text(right.child_by_field_name("operator")) in _SCALING
    return made and right is not None and text(bare(right.child_by_field_name("left"))) == name


def _is_sync(name: bytes) -> bool:
    """Whether CUDA, or a group of its, means a barrier by a name that the file gives no other meaning."""
    return name == b"sync" or _SYNC.match(name) is not None


def _synchronising(parsed: ParsedFile) -> set[bytes]:
    """Functions and macros of the file in which lanes wait for each other, or that call one; the name says nothing.

    A macro does by all of its definitions that HIP may compile: what is empty in some builds holds nothing there.
    """
    bodies: dict[bytes, list[bytes]] = {}
    for name, body in _macros(parsed, live=True):
        bodies.setdefault(name, []).append(body)
    macros = {name for name, each in bodies.items() if all(map(_SYNC.search, each))}
    macros |= {
        name
        for name, each in bodies.items()
        if all(_SYNC.search(one) is not None or not macros.isdisjoint(_WORD.findall(one)) for one in each)
    }
    graph = CallGraph.of(parsed)
    direct = {
        function.name
        for function in parsed.functions
        if _SYNC.search(parsed.data, function.body.start, function.body.end) is not None
        or not macros.isdisjoint(graph.words(function.body))
    }
    return macros | {name.encode() for name in graph.reaching(direct)}


def _macros(parsed: ParsedFile, live: bool = False) -> Iterator[tuple[bytes, bytes]]:
    """The macros of the file, each with what it stands for; with `live` without those that HIP never compiles."""
    for directive in parsed.lexed.directives:
        name = parsed.lexed.token(directive.rest) if directive.name == "define" else None
        if live and parsed.hip(directive.start) is False:
            continue
        if name is not None and name.end <= directive.end:
            yield parsed.lexed.text(name), parsed.data[name.end : directive.end]


def _memory(node: Node) -> Iterator[bytes]:
    """The names of the pointers and shared arrays that a declaration declares."""
    shared = b"__shared__" in text(node).partition(b"=")[0]
    for declarator in node.children_by_field_name("declarator"):
        inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
        if inner is not None and (shared or inner.type == "pointer_declarator"):
            yield text(inner).lstrip(b"*& ").removeprefix(b"__restrict__").partition(b"[")[0].strip()


def _called(node: Node) -> Node | None:
    """What a call names, or a name that is a whole statement, as a macro may be."""
    if node.type == "call_expression":
        return node.child_by_field_name("function")
    inner = node.named_children if node.type == "expression_statement" else []
    return inner[0] if inner and inner[0].type == "identifier" else None
