"""How lanes bring values together: loops and rows of shuffles, counted votes, sums of what the warps have left.

Comes in: nodes of one function, and what its names mean. Goes out: which variables are brought together by which
operation, and edits that make it reach over a whole wave. What is not one of these shapes is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import is_number
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.warp.native_wave.lane_idioms import Shapes, bare, below

_SHUFFLES = re.compile(rb"__shfl_(?P<way>down|xor)(?P<sync>_sync)?")
"""A shuffle that reductions use, old or new: `__shfl_down`, `__shfl_xor_sync`."""
_BROADCASTS = re.compile(rb"__shfl(?P<sync>_sync)?")
_BALLOTS = re.compile(rb"__ballot(?P<sync>_sync)?")
_COMBINED = {b"+=": "+", b"*=": "*", b"&=": "&", b"|=": "|", b"^=": "^"}
_SIGNS = {b"+": "+", b"*": "*", b"&": "&", b"|": "|", b"^": "^"}
_NAMED = {**dict.fromkeys((b"max", b"fmax", b"fmaxf"), "max"), **dict.fromkeys((b"min", b"fmin", b"fminf"), "min")}
_HALVED = re.compile(rb"(\w+)\s*(?:>>=\s*1|/=\s*2|=\s*\1\s*(?:>>\s*1|/\s*2))")
"""A loop's step that halves its variable: `i >>= 1`, `i /= 2`, or `i = i / 2`, where both names are the same."""
_DOUBLED = re.compile(rb"(\w+)\s*(?:<<=\s*1|\*=\s*2|=\s*\1\s*(?:<<\s*1|\*\s*2))")
"""A loop's step that doubles its variable: `i <<= 1`, `i *= 2`, or `i = i * 2`, where both names are the same."""
_NEXT = re.compile(rb"(?:\+\+\s*(\w+)|(\w+)\s*\+\+|(\w+)\s*\+=\s*1)")
"""A loop's step of one, in each spelling: `++i`, `i++`, `i += 1`."""
_ABOVE = re.compile(rb"(\w+)\s*(?:>\s*0|>=\s*1|!=\s*0)|(\w+)")
"""A loop's condition that ends at zero: `i > 0`, `i >= 1`, `i != 0`, or only `i`."""
_HALF_WAVE = re.compile(rb"\(?\s*warpSize\s*(?:/\s*2|>>\s*1)\s*\)?")
"""Where a reduction begins: `warpSize / 2` or `(warpSize >> 1)`."""
_FULL = (0xFFFFFFFF, -1)
_ROW = (1, 2, 4, 8, 16)
_NEUTRAL = {"+": b"0", "^": b"0", "|": b"0", "*": b"1"}


@dataclass(frozen=True, slots=True)
class Reduction:
    """Shuffles over a warp: the variables that they bring together with their operations, and the edits.

    `spread` says that every lane comes to have the result.
    """

    values: tuple[tuple[bytes, str], ...]
    edits: tuple[Edit, ...]
    spread: bool


def reduction(shapes: Shapes, node: Node) -> Reduction | None:
    """A loop in which lanes bring values together, or None."""
    found = _steps(shapes, node) if node.type == "for_statement" else None
    if found is None:
        return None
    step, edits = found
    fetched: dict[bytes, bytes] = {}
    values: list[tuple[bytes, str]] = []
    for statement in _statements(node):
        if statement.type == "declaration":
            declarator = _of(statement, "declarator")
            value = _of(declarator, "value") if declarator is not None else None
            name = _shuffle(shapes, value, step) if value is not None else None
            if name is None or declarator is None:
                return None
            fetched[text(_of(declarator, "declarator"))] = name
            continue
        given: list[bytes] = []

        def comes(part: Node, given: list[bytes] = given) -> bool:
            name = fetched.get(text(part)) if part.type == "identifier" else _shuffle(shapes, part, step)
            if name is not None:
                given.append(name)
            return name is not None

        made = combined(statement, comes)
        if made is None or given != [made[0]]:
            return None
        values.append(made)
    spread = b"_down" not in text(_of(node, "body"))
    return Reduction(tuple(values), edits, spread) if values and len(dict(values)) == len(values) else None


def row(shapes: Shapes, statements: Sequence[Node]) -> Reduction | None:
    """Five shuffles one after the other, by 1, 2, 4, 8 and 16 lanes in this order or the other; a sixth goes first."""
    if len(statements) < len(_ROW):
        return None
    made: set[tuple[bytes, str]] = set()
    distances: list[int | None] = []
    calls: list[Node] = []
    for statement in statements[: len(_ROW)]:
        given: list[bytes] = []

        def comes(part: Node, given: list[bytes] = given) -> bool:
            arguments = _shuffled(shapes, part, _SHUFFLES)
            if arguments is None or arguments[0].type != "identifier" or not is_number(shapes.values, arguments[0]):
                return False
            given.append(text(arguments[0]))
            distances.append(shapes.values.constant(arguments[1]))
            calls.append(part)
            return True

        one = combined(statement, comes)
        if one is None or given != [one[0]]:
            return None
        made.add(one)
    ways = {text(_of(call, "function")) for call in calls}
    if len(made) != 1 or len(ways) != 1 or tuple(distances) not in (_ROW, _ROW[::-1]):
        return None
    shapes.calls.update(call.start_byte for call in calls)
    return Reduction(tuple(made), (_sixth(statements[0], calls[0]),), b"_down" not in ways.pop())


def _sixth(statement: Node, call: Node) -> Edit:
    """The step over 32 lanes, which a wave of 32 does without; it is written before the first variable."""
    first = bare(statement.named_children[0])
    left = _of(first, "left")
    assert first is not None and left is not None
    said, start = text(first), first.start_byte
    way, variable = text(_of(call, "function")).removesuffix(b"_sync"), text(left)
    begin, end = call.start_byte - start, call.end_byte - start
    step = said[:begin] + way + b"(" + variable + b", 32)" + said[end:]
    indent = b"\n" + b" " * statement.start_point[1]
    return Edit(Span(left.start_byte, left.end_byte), b"if (warpSize > 32) " + step + b";" + indent + variable)


def broadcast(shapes: Shapes, node: Node) -> bytes | None:
    """The variable whose value in lane 0 a call hands to all lanes."""
    arguments = _shuffled(shapes, node, _BROADCASTS)
    if arguments is None or shapes.values.constant(arguments[1]) != 0 or arguments[0].type != "identifier":
        return None
    shapes.calls.add(node.start_byte)
    return text(arguments[0])


def counted(shapes: Shapes, node: Node) -> Node | None:
    """What the lanes vote on where the votes are counted at once: `__popc(__ballot_sync(mask, condition))`."""
    arguments = _of(node, "arguments")
    if node.type != "call_expression" or text(_of(node, "function")) != b"__popc" or arguments is None:
        return None
    vote = bare(arguments.named_children[0]) if arguments.named_child_count == 1 else None
    name, given = _of(vote, "function"), _of(vote, "arguments")
    match = _BALLOTS.fullmatch(text(name)) if vote is not None and vote.type == "call_expression" else None
    if match is None or vote is None or name is None or given is None:
        return None
    listed = [one for one in given.named_children if one.type != "comment"]
    if len(listed) != (1 if match["sync"] is None else 2):
        return None
    if match["sync"] is not None:
        if not is_full(shapes, listed[0]):
            return None
        shapes.votes.append(Edit(Span(listed[0].start_byte, listed[1].start_byte), b""))
    shapes.votes.append(Edit(Span(name.start_byte, name.end_byte), b"__ballot"))
    called = _of(node, "function")
    assert called is not None
    shapes.edits.append(Edit(Span(called.start_byte, called.end_byte), b"__popcll"))
    shapes.calls.add(vote.start_byte)
    return listed[-1]


def run_through(shapes: Shapes, node: Node) -> tuple[bytes, str, bytes] | None:
    """`for (int i = 0; i < warps; ++i) sum += parts[i];`: the variable, the operation and the array."""
    name, begin, condition, update = _head(node)
    if not name or text(begin) != b"0" or condition is None or update is None:
        return None
    step = _NEXT.fullmatch(text(update))
    if step is None or name not in step.groups() or text(_of(condition, "left")) != name:
        return None
    right, body = _of(condition, "right"), _statements(node)
    if text(_of(condition, "operator")) != b"<" or right is None or len(body) != 1:
        return None
    for inner in below(body[0]):
        found = shapes.element(inner)
        if found is not None and text(found[1]) == name:
            made = combined(body[0], lambda part, element=inner: part == element)
            if made is not None and shapes.bounds(right):
                return made[0], made[1], found[0]
    return None


def waits(shapes: Shapes, node: Node) -> bool:
    """Whether a call waits for all lanes of a warp: on a wave that waits for no less."""
    arguments = _of(node, "arguments")
    listed = arguments.named_children if arguments is not None else []
    if text(_of(node, "function")) != b"__syncwarp" or len(listed) > 1:
        return False
    if listed and not is_full(shapes, listed[0]):
        return False
    shapes.calls.add(node.start_byte)
    return True


def part_of(shapes: Shapes, node: Node, steps: Set[bytes]) -> tuple[bytes, Node] | None:
    """The array of an element and its last index, where all threads name the same indices before that."""
    found = shapes.element(node)
    if found is None or not all(shapes.is_uniform(index, frozenset(steps)) for index in found[2]):
        return None
    return found[0], found[1]


def by_lanes(shapes: Shapes, node: Node) -> bool:
    """Whether every warp fetches alike: no condition asks for a thread of the block."""
    condition = _of(node, "condition")
    return condition is None or not any(shapes.is_thread(inner) for inner in below(condition))


def bounded(shapes: Shapes, element: Node, index: Node, by: str) -> bool:
    """Give a fetch without bound one, where 32 warps leave one result for each lane: there are fewer waves."""
    if shapes.width != 1024 or by not in _NEUTRAL or index.type != "identifier":
        return False
    said = text(element)
    bound = text(index) + b" * warpSize < 1024 ? " + said + b" : " + _NEUTRAL[by]
    shapes.edits.append(Edit(Span(element.start_byte, element.end_byte), b"(" + bound + b")"))
    return True


def is_full(shapes: Shapes, mask: Node) -> bool:
    """Whether a mask names all lanes of a warp, or those that are there, which must be all."""
    if text(mask) == b"__activemask()":
        shapes.calls.add(mask.start_byte)
        return True
    known = mask.type == "identifier" and shapes.values.constant(shapes.fixed.get(text(mask))) in _FULL
    return known or shapes.values.constant(mask) in _FULL


def _shuffle(shapes: Shapes, node: Node, step: bytes) -> bytes | None:
    """The variable that a call shuffles by the step of a loop, among all lanes of a warp."""
    arguments = _shuffled(shapes, node, _SHUFFLES)
    if arguments is None or text(arguments[1]) != step or arguments[0].type != "identifier":
        return None
    if not is_number(shapes.values, arguments[0]):
        return None
    shapes.calls.add(node.start_byte)
    return text(arguments[0])


def _shuffled(shapes: Shapes, node: Node, names: re.Pattern[bytes]) -> list[Node] | None:
    """Value and lane of a shuffle by all lanes of a warp, with no width but that of the warp."""
    match = names.fullmatch(text(_of(node, "function"))) if node.type == "call_expression" else None
    arguments = _of(node, "arguments")
    if match is None or arguments is None:
        return None
    listed = [one for one in arguments.named_children if one.type != "comment"]
    if match["sync"] is not None:
        if not listed or not is_full(shapes, listed[0]):
            return None
        listed = listed[1:]
    return listed[:2] if len(listed) == 2 or (len(listed) == 3 and shapes.is_32(listed[2])) else None


def _steps(shapes: Shapes, node: Node) -> tuple[bytes, tuple[Edit, ...]] | None:
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
        return (name, (edit,)) if shapes.values.constant(begin) == 16 else None
    if doubled is None or doubled[1] != name or text(begin) != b"1" or text(_of(condition, "left")) != name:
        return None
    bound = _of(condition, "right")
    if text(_of(condition, "operator")) != b"<" or bound is None or not shapes.is_32(bound):
        return None
    edit = Edit(Span(bound.start_byte, bound.end_byte), b"warpSize")
    return name, () if text(bound) == b"warpSize" else (edit,)


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


def own_variables(loop: Node) -> Iterator[bytes]:
    """The variables that the head of a loop declares."""
    begun = _of(loop, "initializer")
    for one in begun.children_by_field_name("declarator") if begun is not None else ():
        if one.type == "init_declarator":
            yield text(_of(one, "declarator"))


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
    return [one for one in listed if one.type not in ("comment", "preproc_call")]


def _of(node: Node | None, name: str) -> Node | None:
    return None if node is None else node.child_by_field_name(name)
