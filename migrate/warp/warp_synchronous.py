"""Steps that the lanes of a warp take through shared memory: `s[t] += s[t + 16]` and its kin.

Comes in: a parsed file. Goes out: runs of such steps with no barrier from one to the next, as far as arrays, indices
and distances tell. What would hold them is not asked here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

LANE = rb"(?:threadIdx\.x|\w*(?:tid|lane|Lane|thread|thid|idx|Idx)\w*|t)"
"""What the number of a thread or a lane is called."""
_OTHER = re.compile(rb"\b(?P<base>[A-Za-z_]\w*)\s*(?:\[[^][]*\]\s*)*(?P<at>\[)\s*[\w.]+\s*[-+^]\s*\w+\s*\]")
_BY_16 = re.compile(rb"\b(?P<base>[A-Za-z_]\w*)\s*(?:\[[^][]*\]\s*)*\[\s*" + LANE + rb"\s*[-+^]\s*16\s*\]")
_SIXTEEN = re.compile(rb"16\s*\]")
_VOLATILE = re.compile(rb"\bvolatile\b(?:\s+\w+)*?[^;(){}=]*?[&*\s](?P<name>[A-Za-z_]\w*)\s*(?=[\[,);=])")
_BARRIER = re.compile(rb"\bsync\w*\s*\(|\b__sync\w+|\b(\w*(?:[bB]arrier|SYNC|BARRIER)\w*)\b")
_EMPTY = re.compile(rb"#[ \t]*define[ \t]+(\w+)(?:\([^)]*\))?[ \t]*(?=\r?$|//)", re.M)
_DISTANCES = (b"1", b"2", b"4", b"8", b"16", b"32")
_THREAD = re.compile(LANE)
_WRITES = ("assignment_expression", "update_expression")
_LOOPS = ("for_statement", "while_statement", "do_statement")
_STATEMENTS = ("expression_statement", "if_statement", "return_statement", "declaration", *_LOOPS)
_FEWEST = 3
"""Steps by halves or doubles that an array without `volatile` must be seen to take."""


@dataclass(slots=True)
class Step:
    """A statement that reads what other lanes hold in `array` and writes the lane's own place, `after` it for two.

    `reads` are the places of other lanes in it, by their source; `problem` says that it cannot be held.
    """

    statement: Node
    array: bytes
    index: bytes
    distance: bytes
    reads: dict[bytes, list[Span]] = field(default_factory=dict)
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


def _in_order(parsed: ParsedFile) -> list[Run]:
    return sorted(_runs(parsed), key=lambda run: run.first)


def _runs(parsed: ParsedFile) -> Iterator[Run]:
    data = parsed.data
    if b"volatile" not in data and (b"__device__" not in data and b"__global__" not in data):
        return
    volatile = _declared(parsed, _VOLATILE, b"volatile")
    by_16 = parsed.lexed.matches(_BY_16) if _SIXTEEN.search(data) else ()  # most files have none
    shared = {match["base"] for match in by_16}
    shared = {name for name in shared if _is_shared(parsed, name)}
    found: dict[tuple[int, bytes, bool], list[Step]] = {}
    for match in parsed.lexed.matches(_OTHER) if volatile or shared else ():
        if match["base"] not in volatile and match["base"] not in shared:
            continue
        function = parsed.function(match.start())
        if function is not None and function.scope == "device" and parsed.hip(match.start()) is None:
            kept = _is_declared(parsed, volatile.get(match["base"], ()), function)
            if kept or match["base"] in shared:
                _add(parsed, function, match.start("at"), kept, found)
    barriers = _barriers(parsed) if found else []
    for (start, _, kept), steps in found.items():
        function = parsed.function(start)
        for run in _parts(steps, barriers):
            if function is None:
                continue
            loop = None if run[0].distance[1:].isdigit() else _loop(parsed, function, run[0], barriers)
            if _counts(run, kept, loop):
                yield Run(function, run, loop, _is_held(parsed, function, run[0], barriers))


def _add(
    parsed: ParsedFile, function: Function, bracket: int, kept: bool, found: dict[tuple[int, bytes, bool], list[Step]]
) -> None:
    """The access at a bracket, as part of the step that it belongs to."""
    access = parsed.tree.root_node.descendant_for_byte_range(bracket, bracket + 1)
    while access is not None and access.type != "subscript_expression":
        access = access.parent
    place = _place(access)
    if access is None or place is None:
        return
    array, index, distance = place
    statement, after = _statement(access, array, index)
    if statement is None:
        return
    steps = found.setdefault((function.span.start, index, kept), [])
    if not steps or steps[-1].statement != statement:
        steps.append(Step(statement, array, index, distance, after=after, problem=statement.has_error))
    step, whole = steps[-1], _with_members(access)
    step.reads.setdefault(squeezed(whole), []).append(Span(whole.start_byte, whole.end_byte))
    step.problem |= step.distance != distance or not _is_read_always(access, statement)


def _place(access: Node | None) -> tuple[bytes, bytes, bytes] | None:
    """Array, own index and signed distance of `array[index + distance]`."""
    indices = None if access is None else access.child_by_field_name("indices")
    inner = None if indices is None or indices.named_child_count != 1 else indices.named_child(0)
    if access is None or inner is None or inner.type != "binary_expression":
        return None
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    sign = text(inner.child_by_field_name("operator"))
    if left is None or right is None or sign not in (b"+", b"-", b"^"):
        return None
    array = squeezed(access.child_by_field_name("argument"))
    if right.type == "number_literal":
        distance = text(right).rstrip(b"uU")
        fits = distance in _DISTANCES
    else:
        distance, fits = text(right), right.type == "identifier"
    return (array, squeezed(left), sign + distance) if fits and array else None


def _statement(access: Node, array: bytes, index: bytes) -> tuple[Node | None, Node | None]:
    """The statement that reads another lane's place and writes the lane's own, or the two that do so."""
    found: Node | None = None
    for around in tree_sitter_nodes.ancestors(access):
        if around.type in _WRITES and _holds(_target(around), access):
            return None, None  # writes another lane's place
        if around.type == "expression_statement" and found is None:
            found = around
        elif around.type == "if_statement":
            decides = around.child_by_field_name("condition")
            if _holds(decides, access) or re.search(rb"\[" + re.escape(index) + rb"[-+^]", squeezed(decides)):
                found = around
            break
        elif around.type in _STATEMENTS or (around.type == "compound_statement" and found is None):
            break
    if found is None:
        return None, None
    if any(_own(_target(write), array, index) for write in _assignments(found)):
        return found, None
    after = _next(found)
    if after is None or not any(_own(_target(write), array, index) for write in _assignments(after)):
        return None, None
    return (found, after) if any(True for _ in _assignments(found)) else (None, None)


def _next(statement: Node) -> Node | None:
    """The plain statement behind another one of a block, where it reads no other lane's place."""
    after = statement.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    within = statement.parent is not None and statement.parent.type == "compound_statement"
    plain = after is not None and {statement.type, after.type} == {"expression_statement"}
    return after if within and plain and _OTHER.search(text(after)) is None else None


def _assignments(statement: Node) -> Iterator[Node]:
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type in _WRITES:
            yield node
        waiting.extend(node.named_children)


def _target(write: Node) -> Node | None:
    return write.child_by_field_name("left") or write.child_by_field_name("argument")


def _own(target: Node | None, array: bytes, index: bytes) -> Node | None:
    """The target of a write where it is the lane's own place of the array, or a member of it."""
    node = target
    while node is not None and node.type == "field_expression":
        node = node.child_by_field_name("argument")
    return target if squeezed(node) == array + b"[" + index + b"]" else None


def _holds(node: Node | None, inner: Node) -> bool:
    return node is not None and node.start_byte <= inner.start_byte and inner.end_byte <= node.end_byte


def _with_members(access: Node) -> Node:
    """An access with the members that are taken of it: of a `volatile` object only those can be read."""
    node = access
    while node.parent is not None and node.parent.type == "field_expression":
        node = node.parent
    return node


def _is_read_always(access: Node, statement: Node) -> bool:
    """Whether the statement reads a place whatever it decides, and takes no address of it."""
    node = access
    for around in tree_sitter_nodes.ancestors(access):
        if around.type == "conditional_expression":
            decides = around.child_by_field_name("condition")
            if decides != node and squeezed(access) not in squeezed(decides):
                return False
        sign = text(around.child_by_field_name("operator"))
        if sign in (b"&&", b"||") and around.child_by_field_name("left") != node and around != guarded(statement):
            return False
        if (around.type == "pointer_expression" and sign == b"&") or around.type == "lambda_expression":
            return False
        if around == statement:
            decides = around.child_by_field_name("condition") if around.type == "if_statement" else None
            return decides is None or _holds(decides, access) or re.search(rb"[-+^]", squeezed(decides)) is not None
        node = around
    return False


def guarded(statement: Node) -> Node | None:
    """The condition `guard && decision` of an `if`, or None where it has no guard."""
    condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
    value = None if condition is None else condition.child_by_field_name("value") or condition.named_child(0)
    is_pair = value is not None and text(value.child_by_field_name("operator")) == b"&&"
    return value if is_pair else None


def squeezed(node: Node | None) -> bytes:
    """Source of a node without blanks."""
    return re.sub(rb"\s+", b"", text(node))


def _declared(parsed: ParsedFile, pattern: re.Pattern[bytes], word: bytes) -> dict[bytes, list[int]]:
    """Where a file declares names in a way that begins with `word`, by name."""
    found: dict[bytes, list[int]] = {}
    for match in parsed.lexed.starting(pattern, word):
        found.setdefault(match["name"], []).append(match.start("name"))
    return found


def _is_declared(parsed: ParsedFile, places: Sequence[int], function: Function) -> bool:
    """Whether one of the declarations is the function's, or the file's."""
    return any(function.span.start <= place < function.span.end or parsed.function(place) is None for place in places)


def _is_shared(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a name is an array in shared memory, or a pointer that may lead there."""
    pointer = re.compile(
        rb"[*&]\s*(?:__restrict__\s*)?" + re.escape(name) + rb"\s*[,)=;]|\b__shared__\b[^;(){}=]*?\b"
        + re.escape(name) + rb"\s*\["
    )  # fmt: skip
    return any(True for _ in parsed.lexed.matches(pointer))


def _barriers(parsed: ParsedFile) -> list[int]:
    """Where the file calls something that holds lanes; macros that are defined as nothing do not."""
    empty = {match[1] for match in _EMPTY.finditer(parsed.data)}
    return [match.start() for match in parsed.lexed.matches(_BARRIER) if match[1] is None or match[1] not in empty]


def _between(barriers: list[int], start: int, end: int) -> bool:
    at = bisect_right(barriers, start - 1)
    return at < len(barriers) and barriers[at] < end


def _parts(steps: list[Step], barriers: list[int]) -> Iterator[list[Step]]:
    """The steps of a function on one index, parted where a barrier stands between two; one that has a barrier goes."""
    part: list[Step] = []
    for step in steps:
        if _between(barriers, step.start, step.end):
            continue
        if part and (_between(barriers, part[-1].end, step.start) or _in_other_branch(part[-1], step)):
            yield part
            part = []
        part.append(step)
    if part:
        yield part


def _in_other_branch(before: Step, step: Step) -> bool:
    """Whether who takes one step does not take the other: they stand in two branches of one decision."""
    return any(
        around.type in ("else_clause", "case_statement")
        and around.start_byte >= before.end
        and around.parent is not None
        and around.parent.start_byte <= before.start
        for around in tree_sitter_nodes.ancestors(step.statement)
    )


def _counts(run: list[Step], volatile: bool, loop: Node | None) -> bool:
    """Whether a run is what lanes do: several steps or a loop through `volatile`, else halves or doubles."""
    numbers = [int(step.distance[1:]) for step in run if step.distance[1:].isdigit()]
    if len(numbers) < len(run):
        return volatile and len(run) == 1 and loop is not None
    if volatile:
        return len(run) > 1
    ratios = {max(pair) / min(pair) for pair in pairwise(numbers)}
    return len(run) >= _FEWEST and ratios == {2} and 16 in numbers and _THREAD.fullmatch(run[0].index) is not None


def _loop(parsed: ParsedFile, function: Function, step: Step, barriers: list[int]) -> Node | None:
    """The loop around a step whose distance changes from turn to turn within a warp, with no barrier in it."""
    by = re.escape(step.distance[1:])
    changes = re.compile(rb"\b" + by + rb"\s*(?:>>=|<<=|/=|\*=|=\s*" + by + rb"\s*(?:>>|<<|/|\*))")
    within = re.compile(rb"\b" + by + rb"\s*=\s*(?:1|2|4|8|16|32|warpSize\s*/\s*2|\w*WARP_?SIZE\w*\s*/\s*2)\s*;")
    for around in tree_sitter_nodes.ancestors(step.statement):
        if around.type in _LOOPS:
            begins = within.search(parsed.data, function.body.start, step.start) is not None
            fits = begins and changes.search(parsed.data, around.start_byte, around.end_byte) is not None
            return around if fits and not _between(barriers, around.start_byte, around.end_byte) else None
        if around.type == "function_definition":
            break
    return None


def _is_held(parsed: ParsedFile, function: Function, step: Step, barriers: list[int]) -> bool:
    """Whether a barrier stands before the first step, in the same turn of a loop, and no write behind it."""
    begin = function.body.start
    for around in tree_sitter_nodes.ancestors(step.statement):
        if around.type in _LOOPS:
            begin = around.start_byte
            break
        if around.type == "function_definition":
            break
    at = bisect_right(barriers, step.start - 1) - 1
    if at < 0 or barriers[at] < begin:
        return False
    written = re.compile(rb"\[[^\]]*\]\s*(?:[-+*/|&^]|<<|>>)?=(?!=)")
    return written.search(parsed.data, barriers[at], step.start) is None
