"""Where code counts 32 lanes: lane numbers, first warps, last lanes, steps of a warp.

Comes in: a parsed file, what its expressions are worth, and where it calls lane functions. Goes out: the ranges that
say 32 for lanes, as far as names and thread indices tell; whether lane code stands near is not asked here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from migrate import trees
from migrate.model import Span
from migrate.parsed import ParsedFile
from migrate.values import WARP_NAME, Values, text

_OPERATION = re.compile(
    rb"(?:[%*/]|&(?!&)|<<|>>)=?\s*\(?\s*~?\s*\(?"
    rb"(?:(?:32|31|5|0x1[fF]|0x20)[uUlL]*(?![\w.])|(?P<name>(?!\d)\w+(?:::\w+)*))"
)
_SAYS_LANES = re.compile(rb"[Ww]arp|WARP|[Ll]ane|LANE")
_NUMBER = re.compile(rb"(?<![\w.])(?:32|31|0x1[fF]|0x20)[uUlL]*(?![\w.])")
_FACTORS = {
    b"%": (32,),
    b"/": (32,),
    b"&": (31, ~31, 0xFFFFFFE0),
    b">>": (5,),
    b"<<": (5,),
    b"*": (32,),
}
_IN_MACRO = re.compile(rb"(?:%\s*32|&\s*(?:31|0x1[fF])|/\s*32|>>\s*5)[uU]?\b")
_COMPARISONS = (b"==", b"!=", b"<", b"<=", b">", b">=")
_LANE_NAME = re.compile(
    rb"(?:\w*_)?(?:lane|warp|laneid|warpid|LaneId|WarpId)(?:_?(?:id|idx|ID|Id|Idx|index))?\w*", re.I
)
_LANE = re.compile(rb"(?:\w*_)?(?:lane(?:_?(?:id|idx|index|rank))?|(?:thread|tid)_in_warp)_?", re.I)
_WARPS = re.compile(rb"(?:\w*_)?(?:k?num_?|n|k)?warps(?:_?per_?(?:block|cta))?|(?:\w*_)?n_warps", re.I)
_THREADS = re.compile(rb"(?:\w+::)*\w*threads(?:_?(?:per|in)_?(?:block|cta))?", re.I)
_INDEX = re.compile(rb"[\w.()\s+*]*\b(?:threadIdx\.x|thread_(?:rank|index)\(\)(?:\.x)?)[\w.()\s+*]*")
_LOOPS = ("for_statement", "while_statement", "for_range_loop")
_SHUFFLED = re.compile(rb"shfl")


def counts(parsed: ParsedFile, values: Values, calls: Sequence[int]) -> Iterator[Span]:
    """Every range that counts 32 lanes in device code that HIP compiles. `calls` is where lane functions are called."""
    found = _Counts(parsed, values, sorted(calls))
    for pattern, span_of in ((_OPERATION, found.operation), (_NUMBER, found.number)):
        for match in pattern.finditer(parsed.data):
            start, name = match.start(), match.groupdict().get("name")
            if (name is not None and _SAYS_LANES.search(name) is None) or not parsed.lexed.is_code(start):
                continue
            directive = parsed.lexed.directive_at(start)
            if parsed.scope(start) == "host" or (directive is not None and directive.name != "define"):
                continue
            span = span_of(start)
            if span is not None and parsed.hip(start) is None:
                yield span


class _Counts:
    def __init__(self, parsed: ParsedFile, values: Values, calls: Sequence[int]) -> None:
        self.parsed, self.values, self.calls = parsed, values, calls

    def operation(self, sign: int) -> Span | None:
        """The range of a lane computation with its operator at `sign`, or None where it is something else."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(sign, sign + 1)
        node = node.parent if node is not None and node.type != "binary_expression" else node
        if node is None or node.type != "binary_expression":
            return self._in_macro(sign)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or not left.end_byte <= sign < right.start_byte:
            return None
        operation, whole = text(node.child_by_field_name("operator")), Span(node.start_byte, node.end_byte)
        value = self.values.constant(right)
        if operation == b"<<" and self.values.constant(left) in (1, 2, 0xFFFFFFFF):
            return whole if _LANE_NAME.fullmatch(text(right)) is not None else None
        fits = _FACTORS.get(operation, ())
        if value not in fits and not (32 in fits and self._is_given_32(text(right), sign)):
            return None
        named = _LANE_NAME.fullmatch(text(left)) is not None
        if operation in (b"<<", b"*"):
            return whole if named else None
        threads = self.values.from_threads(left) or (named and operation in (b"%", b"&"))
        return whole if threads or _THREADS.fullmatch(text(left)) or self._of_warps(left) else None

    def number(self, start: int) -> Span | None:
        """The range that a 31 or 32 at `start` belongs to where lanes are compared, stepped over or handed on."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        parent = node.parent if node is not None else None
        if node is None or parent is None or node.type != "number_literal":
            return None
        if parent.type == "argument_list":
            before = node.prev_named_sibling
            handed = before is not None and _LANE.fullmatch(text(before)) is not None
            return Span(node.start_byte, node.end_byte) if handed and text(node).startswith(b"32") else None
        if parent.type == "assignment_expression":
            return self._step(parent, node)
        if parent.type == "binary_expression":
            around = parent.parent
            if text(parent) == b"32 - 1" and around is not None and around.type == "binary_expression":
                return self._compared(around, parent)
            return self._compared(parent, node) or self._multiple(parent, node)
        return None

    def _is_given_32(self, name: bytes, offset: int) -> bool:
        """Whether a template parameter named after the warp is 32 by default, or where the file calls the function."""
        function = self.parsed.function(offset)
        if WARP_NAME.fullmatch(name) is None or self.values.constants().get(name, b"") is not None:
            return False
        default = re.compile(rb"[<,]\s*\w[\w\s]*\b" + name + rb"\s*=\s*32\s*[,>]")
        if any(True for _ in self.parsed.lexed.matches(default)):
            return True
        if function is None or not function.name:
            return False
        called = re.compile(rb"\b" + re.escape(function.name.encode()) + rb"\s*<([^;(){}<>]*,)?\s*32\s*[,>]")
        return any(True for _ in self.parsed.lexed.matches(called))

    def _in_macro(self, sign: int) -> Span | None:
        """In a macro body the tree knows nothing; a thread index right before the operator is enough."""
        lexed = self.parsed.lexed
        match = _IN_MACRO.match(self.parsed.data, sign)
        member = lexed.before(sign)
        dot = lexed.before(member.start) if member is not None else None
        owner = lexed.before(dot.start) if dot is not None else None
        if match is None or owner is None or lexed.text(owner) != b"threadIdx":
            return None
        return Span(owner.start, match.end())

    def _compared(self, parent: Node, node: Node) -> Span | None:
        """The last lane, the first warp, a loop over lanes that shuffles."""
        left = parent.child_by_field_name("left")
        if text(parent.child_by_field_name("operator")) not in _COMPARISONS or left is None or left == node:
            return None
        whole = Span(parent.start_byte, parent.end_byte)
        if _LANE.fullmatch(text(left)) is not None or self._is_thread(left):
            return whole
        around = parent.parent
        if around is not None and around.type == "static_assert_declaration":
            said = WARP_NAME.fullmatch(text(left).lower()) is not None or b"warp" in text(around).lower()
            return whole if said else None
        if around is None or around.type != "for_statement" or parent.end_byte > self._body(around):
            return None
        shuffles = _SHUFFLED.search(self.parsed.data, parent.end_byte, around.end_byte) is not None
        return whole if shuffles and text(node).startswith(b"32") else None

    def _multiple(self, parent: Node, node: Node) -> Span | None:
        """Whole warps of threads, and a lane some warps further on."""
        if text(parent.child_by_field_name("operator")) != b"*" or not text(node).startswith(b"32"):
            return None
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        other = right if left == node else left
        if other is not None and _WARPS.fullmatch(text(other).rpartition(b"::")[2]) is not None:
            return Span(parent.start_byte, parent.end_byte)
        around = parent.parent
        if around is not None and around.type == "assignment_expression":
            return self._step(around, parent)
        if around is None or around.type != "binary_expression" or text(around.child_by_field_name("operator")) != b"+":
            return None
        added = around.child_by_field_name("left" if around.child_by_field_name("right") == parent else "right")
        return Span(parent.start_byte, parent.end_byte) if _LANE.fullmatch(text(added)) is not None else None

    def _step(self, parent: Node, node: Node) -> Span | None:
        """`i += 32` in a loop that calls lane functions, or on what began as a lane."""
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        if right != node or text(parent.child_by_field_name("operator")) != b"+=" or left is None:
            return None
        if not text(node).startswith(b"32") and b"32" not in text(node):
            return None
        loop = next((around for around in trees.ancestors(parent) if around.type.endswith(_LOOPS)), None)
        if loop is None:
            return None
        at = bisect_left(self.calls, loop.start_byte)
        among = at < len(self.calls) and self.calls[at] < loop.end_byte
        begun = self.values.locals(left.start_byte).get(text(left), ())
        lane = any(self._holds_lane(local.value) for local in begun)
        return Span(parent.start_byte, parent.end_byte) if among or lane else None

    def _holds_lane(self, node: Node | None) -> bool:
        if node is None:
            return False
        return any(_LANE.fullmatch(word) is not None for word in re.findall(rb"\w+", text(node)))

    def _is_thread(self, node: Node) -> bool:
        """A thread's own index, as it is or under another name."""
        if node.type == "field_expression":
            return text(node) == b"threadIdx.x"
        if node.type != "identifier":
            return False
        found = self.values.locals(node.start_byte).get(text(node), ())
        return bool(found) and all(_INDEX.fullmatch(text(local.value)) is not None for local in found)

    def _of_warps(self, node: Node) -> bool:
        """Whether an expression was made as a number of warps times 32."""
        if node.type == "identifier":
            found = self.values.locals(node.start_byte).get(text(node), ())
            return bool(found) and all(local.value is not None and self._of_warps(local.value) for local in found)
        value = node.named_child(0) if node.type == "parenthesized_expression" else node
        if value is None or value.type != "binary_expression":
            return False
        sides = [value.child_by_field_name(side) for side in ("left", "right")]
        number = next((side for side in sides if side is not None and text(side) == b"32"), None)
        return number is not None and self._multiple(value, number) is not None

    def _body(self, loop: Node) -> int:
        body = loop.child_by_field_name("body")
        return loop.end_byte if body is None else body.start_byte
