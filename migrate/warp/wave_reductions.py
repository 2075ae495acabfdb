"""How lanes bring values together: loops and rows of shuffles, counted votes, sums of what the warps have left.

Each says which variables are brought together by which operation, with edits that make it reach over the wavefront.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import is_number
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, below
from cudamigrate.warp.wave_edits import WaveEdits

_SHUFFLES = frozenset(f"__shfl_{way}{sync}".encode() for way in ("down", "xor") for sync in ("", "_sync"))
_COMBINED = {b"+=": "+", b"*=": "*", b"&=": "&", b"|=": "|", b"^=": "^"}
_SIGNS = {b"+": "+", b"*": "*", b"&": "&", b"|": "|", b"^": "^"}
_NAMED = {**dict.fromkeys((b"max", b"fmax", b"fmaxf"), "max"), **dict.fromkeys((b"min", b"fmin", b"fminf"), "min")}
_SCALED = {(b">>", 1): "half", (b"/", 2): "half", (b"<<", 1): "double", (b"*", 2): "double", (b"+", 1): "next"}
_ABOVE_ZERO = {(b">", 0), (b">=", 1), (b"!=", 0)}
_ROW = (1, 2, 4, 8, 16)
_ZERO = {"+": b"0", "^": b"0", "|": b"0", "*": b"1"}


@dataclass(frozen=True, slots=True)
class Reduction:
    """Shuffles over a warp: the variables that they bring together with their operations, and the edits.

    `spread` says that every lane comes to have the result.
    """

    values: tuple[tuple[bytes, str], ...]
    edits: tuple[Edit, ...]
    spread: bool


def reduction(code: WaveEdits, node: Node) -> Reduction | None:
    """A loop in which lanes bring values together, or None."""
    found = _steps(code, node)
    if found is None:
        return None
    step, edits = found
    values = _brought_together(code, statements(node), step)
    spread = b"_down" not in text(_of(node, "body"))
    return Reduction(values, edits, spread) if values and len(dict(values)) == len(values) else None


Values = tuple[tuple[bytes, str], ...]
"""Variables, each with the operation that brings it together."""


def _brought_together(code: WaveEdits, listed: Sequence[Node], step: bytes) -> Values:
    """What the body of a loop brings together; the same in all branches of the preprocessor, where it has any."""
    if len(listed) == 1 and listed[0].type in BRANCHES:
        first, other = branches(listed[0])
        found = _brought_together(code, first, step)
        return found if other and found == _brought_together(code, other, step) else ()
    fetched: dict[bytes, bytes] = {}
    values: list[tuple[bytes, str]] = []

    def comes(part: Node) -> bytes:
        """The variable that a shuffle, or what was shuffled before, brings."""
        return fetched.get(text(part), b"") if part.type == "identifier" else _shuffle(code, part, step)

    for statement in listed:
        if statement.type == "declaration":
            declarator = _of(statement, "declarator")
            value = _of(declarator, "value")
            name = _shuffle(code, value, step) if value is not None else b""
            if not name:
                return ()
            fetched[text(_of(declarator, "declarator"))] = name
            continue
        made = combined(statement, comes)
        if made is None:
            return ()
        values.append(made)
    return tuple(values)


BRANCHES = ("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef")


def branches(node: Node) -> tuple[list[Node], list[Node]]:
    """The statements of a branch of the preprocessor, and those in its place: one more branch, or an `#else`'s."""
    other = _of(node, "alternative")
    head = (_of(node, "condition"), _of(node, "name"), other)
    own = [one for one in node.named_children if one.type != "comment" and one not in head]
    if other is None or other.type in BRANCHES:
        return own, [] if other is None else [other]
    return own, [one for one in other.named_children if one.type != "comment"]


def row(code: WaveEdits, listed: Sequence[Node]) -> Reduction | None:
    """Five shuffles one after the other, by 1, 2, 4, 8 and 16 lanes in this order or the other; a sixth goes first."""
    if len(listed) < len(_ROW):
        return None
    calls: list[tuple[Node, Node]] = []

    def comes(part: Node) -> bytes:
        arguments = _shuffled(code, part, _SHUFFLES)
        if arguments is None or arguments[0].type != "identifier" or not is_number(code.values, arguments[0]):
            return b""
        calls.append((part, arguments[1]))
        return text(arguments[0])

    made = [combined(statement, comes) for statement in listed[: len(_ROW)]]
    distances = tuple(code.values.constant(distance) for _, distance in calls)
    ways = {text(_of(call, "function")) for call, _ in calls}
    value = made[0]
    if value is None or set(made) != {value} or len(ways) != 1 or distances not in (_ROW, _ROW[::-1]):
        return None
    code.calls.update(call.start_byte for call, _ in calls)
    return Reduction((value,), (_sixth(listed[0], calls[0][0]),), b"_down" not in ways.pop())


def _sixth(statement: Node, call: Node) -> Edit:
    """The step over 32 lanes, which a wave of 32 does without; it is written before the first variable."""
    first = _assignment(statement)
    left = _of(first, "left")
    assert first is not None and left is not None
    said, start = text(first), first.start_byte
    way, variable = text(_of(call, "function")).removesuffix(b"_sync"), text(left)
    begin, end = call.start_byte - start, call.end_byte - start
    step = said[:begin] + way + b"(" + variable + b", 32)" + said[end:]
    indent = b"\n" + b" " * statement.start_point[1]
    return Edit(Span(left.start_byte, left.end_byte), b"if (warpSize > 32) " + step + b";" + indent + variable)


def broadcast(code: WaveEdits, node: Node) -> bytes:
    """The variable whose value in lane 0 a call hands to all lanes."""
    arguments = _shuffled(code, node, (b"__shfl", b"__shfl_sync"))
    if arguments is None or code.values.constant(arguments[1]) != 0 or arguments[0].type != "identifier":
        return b""
    code.calls.add(node.start_byte)
    return text(arguments[0])


def counted(code: WaveEdits, node: Node) -> Node | None:
    """What the lanes vote on where the votes are counted at once: `__popc(__ballot_sync(mask, condition))`."""
    listed, function = _arguments(node), _of(node, "function")
    vote = bare(listed[0]) if text(function) == b"__popc" and len(listed) == 1 else None
    name, given = _of(vote, "function"), _arguments(vote)
    if vote is None or name is None or function is None:
        return None
    if (text(name), len(given)) == (b"__ballot_sync", 2):
        if not code.is_full(given[0]):
            return None
        code.votes.append(Edit(Span(given[0].start_byte, given[1].start_byte), b""))
    elif (text(name), len(given)) != (b"__ballot", 1):
        return None
    code.votes.append(Edit(Span(name.start_byte, name.end_byte), b"__ballot"))
    code.edits.append(Edit(Span(function.start_byte, function.end_byte), b"__popcll"))
    code.calls.add(vote.start_byte)
    return given[-1]


def run_through(code: WaveEdits, node: Node) -> tuple[bytes, str, bytes] | None:
    """`for (int i = 0; i < warps; ++i) sum += parts[i];`: the variable, the operation and the array."""
    name, begin, condition, update = _head(node)
    body, right = statements(node), _of(condition, "right")
    if not name or text(begin) != b"0" or scaled(update) != (name, "next") or text(_of(condition, "left")) != name:
        return None
    if text(_of(condition, "operator")) != b"<" or right is None or len(body) != 1:
        return None
    arrays: list[bytes] = []

    def part(other: Node) -> bytes:
        found = element(other)
        if found is None or text(found[1]) != name:
            return b""
        arrays.append(found[0])
        return text(_of(_assignment(body[0]), "left"))

    made = combined(body[0], part)
    return (*made, arrays[0]) if made is not None and code.bounds(right) else None


def waits(code: WaveEdits, node: Node) -> bool:
    """Whether a call waits for all lanes of a warp: on a wave that waits for no less."""
    listed = _arguments(node)
    if text(_of(node, "function")) != b"__syncwarp" or len(listed) > 1 or not all(map(code.is_full, listed)):
        return False
    code.calls.add(node.start_byte)
    return True


def element(node: Node) -> tuple[bytes, Node, list[Node]] | None:
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


def part_of(code: WaveEdits, node: Node) -> tuple[bytes, Node] | None:
    """The array of an element and its last index, where all threads name the same indices before that."""
    found = element(node)
    return found[:2] if found is not None and all(map(code.is_uniform, found[2])) else None


def bounded(code: WaveEdits, fetch: Node, index: Node, by: str) -> bool:
    """Give a fetch without bound one, where 32 warps leave one result for each lane: there are fewer waves."""
    if code.width != 1024 or by not in _ZERO or index.type != "identifier":
        return False
    bound = text(index) + b" * warpSize < 1024 ? " + text(fetch) + b" : " + _ZERO[by]
    code.edits.append(Edit(Span(fetch.start_byte, fetch.end_byte), b"(" + bound + b")"))
    return True


def _shuffle(code: WaveEdits, node: Node, step: bytes) -> bytes:
    """The variable that a call shuffles by the step of a loop, among all lanes of a warp; empty for other code."""
    arguments = _shuffled(code, node, _SHUFFLES)
    if arguments is None or text(arguments[1]) != step or arguments[0].type != "identifier":
        return b""
    if not is_number(code.values, arguments[0]):
        return b""
    code.calls.add(node.start_byte)
    return text(arguments[0])


def _shuffled(code: WaveEdits, node: Node, names: Collection[bytes]) -> list[Node] | None:
    """Value and lane of a shuffle by all lanes of a warp, with no width but that of the warp."""
    name, listed = text(_of(node, "function")), _arguments(node)
    if node.type != "call_expression" or name not in names:
        return None
    if name.endswith(b"_sync"):
        if not listed or not code.is_full(listed[0]):
            return None
        listed = listed[1:]
    return listed[:2] if len(listed) == 2 or (len(listed) == 3 and code.is_32(listed[2])) else None


def _steps(code: WaveEdits, node: Node) -> tuple[bytes, tuple[Edit, ...]] | None:
    """The variable of a loop that halves from half a warp, or doubles up to one, and edits that make it follow."""
    name, begin, condition, update = _head(node)
    if not name or begin is None or condition is None:
        return None
    bound, sign = _of(condition, "right"), text(_of(condition, "operator"))
    limit = code.values.constant(bound) if bound is not None else None
    above = text(condition) == name or (text(_of(condition, "left")) == name and (sign, limit) in _ABOVE_ZERO)
    first = code.of(begin)
    if scaled(update) == (name, "half") and above and first.sure and first.value == 16:
        return name, _follows(begin, b"warpSize / 2")
    up = scaled(update) == (name, "double") and text(begin) == b"1" and text(_of(condition, "left")) == name
    return (name, _follows(bound, b"warpSize")) if up and sign == b"<" and bound and code.is_32(bound) else None


def _follows(node: Node, new: bytes) -> tuple[Edit, ...]:
    return () if b"warpSize" in text(node) else (Edit(Span(node.start_byte, node.end_byte), new),)


def scaled(update: Node | None) -> tuple[bytes, str]:
    """The variable that a loop's step changes, and whether to `half`, `double` or `next`; empty for other steps."""
    if update is None or update.type not in ("assignment_expression", "update_expression"):
        return b"", ""
    if update.type == "update_expression":
        up = text(_of(update, "operator")) == b"++"
        return (text(_of(update, "argument")), "next") if up else (b"", "")
    left, sign, right = _of(update, "left"), text(_of(update, "operator")), bare(_of(update, "right"))
    if sign == b"=":
        if right is None or right.type != "binary_expression" or text(_of(right, "left")) != text(left):
            return b"", ""
        sign, right = text(_of(right, "operator")) + b"=", _of(right, "right")
    by = int(text(right)) if text(right).isdigit() else 0
    return text(left), _SCALED.get((sign[:-1], by), "")


def combined(statement: Node, comes: Callable[[Node], bytes]) -> tuple[bytes, str] | None:
    """A variable that is brought together with what comes of it from others, and how: `a += b`, `a = max(a, b)`."""
    node = _assignment(statement)
    left, sign, right = _of(node, "left"), text(_of(node, "operator")), bare(_of(node, "right"))
    if left is None or left.type != "identifier" or right is None:
        return None
    name = text(left)
    if sign in _COMBINED:
        return (name, _COMBINED[sign]) if comes(right) == name else None
    if sign != b"=":
        return None
    if right.type == "binary_expression":
        parts, by = [_of(right, "left"), _of(right, "right")], _SIGNS.get(text(_of(right, "operator")), "")
    else:
        parts, by = [*_arguments(right)], _NAMED.get(text(_of(right, "function")).rpartition(b"::")[2], "")
    others = [part for part in parts if text(part) != name]
    fits = by and len(parts) == 2 and len(others) == 1 and others[0] is not None and comes(others[0]) == name
    return (name, by) if fits else None


def statements(loop: Node) -> list[Node]:
    """The statements in the body of a loop."""
    body = _of(loop, "body")
    if body is None:
        return []
    listed = body.named_children if body.type == "compound_statement" else [body]
    return [one for one in listed if one.type not in ("comment", "preproc_call")]


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


def _assignment(statement: Node) -> Node | None:
    inner = statement.type == "expression_statement" and statement.named_child_count == 1
    node = statement.named_children[0] if inner else statement
    return node if node.type == "assignment_expression" else None


def _arguments(call: Node | None) -> list[Node]:
    listed = _of(call, "arguments") if call is not None and call.type == "call_expression" else None
    return tree_sitter_nodes.elements(listed)


def _head(node: Node) -> tuple[bytes, Node | None, Node | None, Node | None]:
    """The variable of a counting loop, its first value, its condition and its step."""
    begun = _of(node, "initializer")
    declared = begun.children_by_field_name("declarator") if begun is not None else []
    if node.type != "for_statement" or len(declared) != 1 or declared[0].type != "init_declarator":
        return b"", None, None, None
    return text(_of(declared[0], "declarator")), _of(declared[0], "value"), _of(node, "condition"), _of(node, "update")


def _of(node: Node | None, name: str) -> Node | None:
    return None if node is None else node.child_by_field_name(name)
