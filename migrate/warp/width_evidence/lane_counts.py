"""Where code counts 32 lanes: lane numbers, first warps, last lanes, steps of a warp.

Comes in: a parsed file, what its expressions are worth, and where it calls lane functions. Goes out: the ranges that
say 32 for lanes, as far as names and thread indices tell; whether lane code stands near is not asked here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis.constant_values import WARP_NAME, Values, resolved
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.width_evidence.call_arguments import handed
from cudamigrate.warp.width_evidence.context import Beside, begins, is_quotient
from cudamigrate.warp.width_evidence.value_uses import (
    LANE_SIGNS,
    NUMBER_OF_WARPS,
    WARPS_SAID,
    Flow,
    is_lane_named,
    is_warps,
    made,
)

_OPERATION = re.compile(
    rb"(?:[%*/]|&(?!&)|\|(?!\|)|<<|>>)=?\s*\(?\s*~?\s*\(?"
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
    b"|": (31,),
}
_IN_MACRO = re.compile(rb"(?:%\s*32|&\s*(?:31|0x1[fF])|/\s*32|>>\s*5)[uU]?\b")
_TIMES_32 = re.compile(rb"(?:\*\s*32|<<\s*5)[uU]?\b")
_COMPARISONS = (b"==", b"!=", b"<", b"<=", b">", b">=")
_LANE_NAME = re.compile(
    rb"(?:\w*_)?(?:lane|warp|laneid|warpid|LaneId|WarpId)(?:_?(?:id|idx|ID|Id|Idx|index))?\w*", re.I
)
_LANE = re.compile(rb"(?:\w*_)?(?:lane(?:_?(?:id|idx|index|rank))?|(?:thread|tid)_in_warp)(?:_\d*)?", re.I)
_SHARE_OF_WARP = re.compile(rb"\w*(?:_warp|[Pp]er_?[Ww]arp)")
_TILE = re.compile(rb"(?:\w+_)?(?:WARP_[MNK]\w*|warp_(?:[mnk]|rows?|cols?)(?:_\d+)?)")
_THREADS = re.compile(
    rb"(?:\w+::)*\w*(?:threads(?:_?(?:per|in)_?(?:block|cta)|_?num)?|thread_?(?:cnt|count|num)|_?tpb|n_?thrs?)_?", re.I
)
_OWN_PLACE = re.compile(rb"threadIdx\.x|\w+\.thread_rank\(\)")
_LOOPS = ("for_statement", "while_statement", "for_range_loop")
_SHUFFLED = re.compile(rb"shfl", re.I)
_ROUNDED = re.compile(rb"(?:\w+::)*\w*(?:div|ceil|round_?up|align)\w*", re.I)
_DIVISIONS = (b"/", b">>")
_FULL = re.compile(rb"(?<![\w.])0[xX][fF]{8}[uU]?(?!\w)")


def counts(parsed: ParsedFile, values: Values, calls: Sequence[int]) -> Iterator[Span]:
    """Every range that counts 32 lanes in device code that HIP compiles. `calls` is where lane functions are called."""
    found = _Counts(parsed, values, sorted(calls))
    yield from _found(parsed, _OPERATION, found.operation)
    yield from _found(parsed, _NUMBER, found.number)


def remarks(parsed: ParsedFile, values: Values) -> Iterator[Span]:
    """Every range that speaks of 32 lanes and computes nothing: assertions, full masks that variables take to calls."""
    found = _Counts(parsed, values, ())
    yield from _found(parsed, _NUMBER, found.assertion)
    yield from _found(parsed, _FULL, found.mask)


def _found(parsed: ParsedFile, pattern: re.Pattern[bytes], span_of: Callable[[int], Span | None]) -> Iterator[Span]:
    for match in pattern.finditer(parsed.data):
        start, name = match.start(), match.groupdict().get("name")
        said = (
            name in (None, b"threadIdx")
            or _SAYS_LANES.search(name) is not None
            or name.rpartition(b"::")[2] in resolved(parsed)
        )
        if not said or not parsed.lexed.is_code(start):
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
        self.flow = Flow(parsed, values)
        self.beside = Beside(parsed, self.flow)

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
            above = text(left).lower().startswith(b"0xffffffff") and self.values.from_threads(right)
            return whole if above or _LANE_NAME.fullmatch(text(right)) is not None else None
        fits = _FACTORS.get(operation, ())
        if value not in fits and not (32 in fits and self._is_given_32(text(right), sign)):
            return None
        named = _LANE_NAME.fullmatch(text(left)) is not None
        if operation in (b"<<", b"*"):
            return whole if self._is_step_of_warps(node, left, named) else None
        threads = (self.values.from_threads(left) and self._is_number(left, node)) or (
            named and operation in (b"%", b"&")
        )
        if threads or _THREADS.fullmatch(_bare(left)) or self._of_warps(left):
            return whole
        return whole if operation in _DIVISIONS and self._meets(node) else None

    def _meets(self, quotient: Node) -> bool:
        beside = self.beside.has_wide_twin(quotient) or self.beside.divides_threads(quotient)
        beside = beside or self.beside.divides_block(quotient)
        return beside or self.flow.meets_lanes(quotient)

    def _is_step_of_warps(self, product: Node, left: Node, named: bool) -> bool:
        """Whether a multiple of 32 is the first lane of a warp, is called after lanes, or is added to a lane."""
        if (named and _TILE.fullmatch(text(left)) is None) or is_lane_named(product):
            return True
        if self.flow.is_first_lane(left, product) or self.beside.is_rounded(product):
            return True
        around = product.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        sum_ = around if around is not None and around.type == "binary_expression" and _is_sum(around) else None
        return sum_ is not None and self._adds_lane(sum_, product)

    def number(self, start: int) -> Span | None:
        """The range that a 31 or 32 at `start` belongs to where lanes are compared, stepped over or handed on."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        parent = node.parent if node is not None else None
        if node is None or parent is None or node.type != "number_literal":
            return None
        return handed(self.parsed, node) or self._number(node, parent) or self.beside.find(node)

    def _number(self, node: Node, parent: Node) -> Span | None:
        itself = Span(node.start_byte, node.end_byte)
        if parent.type == "argument_list":
            return itself if text(node).startswith(b"32") and self._is_handed(node, parent) else None
        if parent.type == "template_argument_list":
            return itself if text(node).startswith(b"32") and self.flow.is_specialised(parent) else None
        if parent.type == "optional_parameter_declaration":
            return itself if self.flow.is_default_width(node) else None
        if parent.type == "assignment_expression":
            return self._step(parent, node)
        if parent.type == "binary_expression":
            around = parent.parent
            if text(parent) == b"32 - 1" and around is not None and around.type == "binary_expression":
                return self._compared(around, parent)
            return self._compared(parent, node) or self._multiple(parent, node) or self._behind(parent, node)
        return None

    def assertion(self, start: int) -> Span | None:
        """The range of a comparison or remainder with 32 in an assertion that speaks of warps or lanes."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        parent = node.parent if node is not None else None
        if node is None or parent is None or parent.type != "binary_expression":
            return None
        sign, left = text(parent.child_by_field_name("operator")), parent.child_by_field_name("left")
        if sign in (b"<", b"<=", b">", b">="):
            said = left is not None and self.flow.is_bound_of_lanes(left, node)
        else:
            said = self.flow.is_asserted(node)
        if not said and sign in _COMPARISONS and self.flow.asserts(node):
            said = self.beside.is_chosen(text(left))
        return Span(parent.start_byte, parent.end_byte) if said else None

    def mask(self, start: int) -> Span | None:
        """The range of a full mask that a variable, or another name for a shuffle, takes to a call across lanes."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        if node is None or node.type != "number_literal":
            return None
        if handed(self.parsed, node) is None and not self.flow.is_lane_mask(node):
            return None
        return Span(node.start_byte, node.end_byte)

    def _is_handed(self, node: Node, arguments: Node) -> bool:
        """Whether 32 is handed on beside a lane, rounds up to warps, or is the row of a block of warps."""
        before, after = node.prev_named_sibling, node.next_named_sibling
        if WARP_NAME.fullmatch(made(node)) is not None:
            return True
        if before is None:
            rows = next((around for around in tree_sitter_nodes.ancestors(node) if around.type == "declaration"), None)
            block = rows is not None and text(rows.child_by_field_name("type")) == b"dim3"
            return block and after is not None and is_warps(after)
        if _LANE.fullmatch(text(before)) is not None:
            return True
        call = arguments.parent
        called = text(call.child_by_field_name("function")) if call is not None else b""
        if _ROUNDED.fullmatch(called) is None or call is None:
            return False
        return self.flow.meets_lanes(call) or self.values.from_threads(before)

    def _is_number(self, left: Node, whole: Node) -> bool:
        """False for a multiple of a thread's index, and for what runs through a loop and makes no lane by name."""
        left = _inner(left)
        if left.type == "binary_expression" and text(left.child_by_field_name("operator")) == b"*":
            sides = [self.values.constant(left.child_by_field_name(side)) for side in ("left", "right")]
            return not any(side is not None and side > 1 for side in sides) or self._of_warps(left)
        right = text(whole.child_by_field_name("right"))
        plain = left.type == "identifier" and WARP_NAME.fullmatch(right.rpartition(b"::")[2]) is None
        found = self.values.locals(left.start_byte).get(text(left), ()) if plain else ()
        runs = any(begins(local.value, left) for local in found)
        if text(whole.child_by_field_name("operator")) in LANE_SIGNS:
            runs = runs or (len(found) == 1 and is_quotient(found[0].value))
        return not runs or _SAYS_LANES.search(made(whole)) is not None

    def _behind(self, parent: Node, node: Node) -> Span | None:
        """Threads behind the first warp or in the last one, lanes counted from the end, the last step of a tree."""
        sign, left = text(parent.child_by_field_name("operator")), parent.child_by_field_name("left")
        whole = Span(parent.start_byte, parent.end_byte)
        if sign == b"+" and text(node).startswith(b"32") and self._adds_lane(parent, node):
            return whole
        if sign == b"+" and left is not None and left != node and self.flow.is_thread(left):
            return whole if self.flow.ends_tree(node) else None
        if sign != b"-" or left is None:
            return None
        if left == node:
            return whole if self.beside.is_last_lane(node) else None
        if not text(node).startswith(b"32"):
            return None
        if self.flow.is_thread(left):
            return whole
        around = parent.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        if around is None or around.type != "binary_expression" or _THREADS.fullmatch(_bare(left)) is None:
            return None
        other = around.child_by_field_name("left")
        return whole if other is not None and self.flow.is_thread(other) else None

    def _is_given_32(self, name: bytes, offset: int) -> bool:
        """Whether a template parameter named after the warp is 32 by default, or where the file calls the function."""
        function = self.parsed.function(offset)
        if WARP_NAME.fullmatch(name) is None or self.values.constants().get(name, b"") is not None:
            return False
        default = re.compile(rb"[<,\w]\s*\w[\w\s]*\b" + name + rb"\s*=\s*32\s*[,>;]")
        if any(True for _ in self.parsed.lexed.matches(default)):
            return True
        if function is None or not function.name:
            return False
        called = re.compile(rb"\b" + re.escape(function.name.encode()) + rb"\s*<([^;(){}<>]*,)?\s*32\s*[,>]")
        return any(True for _ in self.parsed.lexed.matches(called))

    def _in_macro(self, sign: int) -> Span | None:
        """In a macro body the tree knows nothing; threads right before the operator are enough."""
        lexed = self.parsed.lexed
        match = _IN_MACRO.match(self.parsed.data, sign)
        member = lexed.before(sign)
        while match is not None and member is not None and lexed.text(member) == b")":
            member = lexed.before(member.start)
        threads = member is not None and (_THREADS.fullmatch(lexed.text(member)) or lexed.text(member) == b"tid")
        product = _TIMES_32.match(self.parsed.data, sign)
        if member is not None and product is not None and NUMBER_OF_WARPS.fullmatch(lexed.text(member)):
            return Span(member.start, product.end())
        if match is not None and member is not None and threads:
            return Span(member.start, match.end())
        dot = lexed.before(member.start) if member is not None else None
        owner = lexed.before(dot.start) if dot is not None else None
        if match is None or owner is None or lexed.text(owner) not in (b"threadIdx", b"blockDim"):
            return None
        return Span(owner.start, match.end())

    def _compared(self, parent: Node, node: Node) -> Span | None:
        """The last lane, the first warp, a loop over lanes that shuffles."""
        left = parent.child_by_field_name("left")
        if text(parent.child_by_field_name("operator")) not in _COMPARISONS or left is None or left == node:
            return None
        whole = Span(parent.start_byte, parent.end_byte)
        if _LANE.fullmatch(text(left)) is not None or (text(node) == b"31" and self.flow.is_numbered(left, LANE_SIGNS)):
            return whole
        if self.flow.is_thread(left) or self.flow.is_first_of_group(left, parent):
            return None if self.beside.is_step(parent, left) else whole
        around = parent.parent
        if around is None or around.type != "for_statement" or parent.end_byte > self._body(around):
            return None
        shuffles = _SHUFFLED.search(self.parsed.data, parent.end_byte, around.end_byte) is not None
        return whole if shuffles and text(node).startswith(b"32") else None

    def _multiple(self, parent: Node, node: Node) -> Span | None:
        """Whole warps of threads, and a lane some warps further on."""
        if text(parent.child_by_field_name("operator")) == b"/" and parent.child_by_field_name("left") == node:
            return Span(parent.start_byte, parent.end_byte) if self.beside.shares_lanes(parent) else None
        if text(parent.child_by_field_name("operator")) != b"*" or not text(node).startswith(b"32"):
            return None
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        other = right if left == node else left
        if other is not None and (is_warps(other) or self.flow.is_first_lane(other, parent)):
            return Span(parent.start_byte, parent.end_byte)
        around = parent.parent
        if around is not None and around.type == "assignment_expression":
            return self._step(around, parent)
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        if self._makes_threads(parent) or _SHARE_OF_WARP.fullmatch(made(parent)) is not None:
            return Span(parent.start_byte, parent.end_byte)
        if around is None or around.type != "binary_expression":
            return None
        if not _is_sum(around):
            sides = [around.child_by_field_name(side) for side in ("left", "right")]
            compared = text(around.child_by_field_name("operator")) in _COMPARISONS and WARPS_SAID.search(text(other))
            first = compared and any(side is not None and self.flow.is_thread(side) for side in sides)
            return Span(parent.start_byte, parent.end_byte) if first else None
        rows = text(other) == b"threadIdx.y" and b"threadIdx.x" in text(around)
        return Span(parent.start_byte, parent.end_byte) if rows or self._adds_lane(around, parent) else None

    def _adds_lane(self, sum_: Node, part: Node) -> bool:
        """Whether a lane is among what a sum adds to one of its parts."""
        while sum_.parent is not None and sum_.parent.type == "binary_expression" and _is_sum(sum_.parent):
            sum_ = sum_.parent
        waiting, names = [sum_], self.flow.names(part.start_byte)
        while waiting:
            node = waiting.pop()
            if node.type == "binary_expression" and _is_sum(node):
                waiting.extend(node.named_children)
            elif node != part and (_LANE.fullmatch(text(node)) is not None or text(node) in names):
                return not self.beside.is_place(node)
            elif node not in (part, sum_) and node.type != "identifier" and self.flow.is_numbered(node, LANE_SIGNS):
                return True
        return False

    def _makes_threads(self, product: Node) -> bool:
        """Whether a multiple of 32 becomes a number of threads that is divided into warps again."""
        name, function = made(product), self.parsed.function(product.start_byte)
        if function is None or _THREADS.fullmatch(name) is None:
            return False
        divided = re.compile(rb"\b" + re.escape(name) + rb"\s*(?:/\s*32\b|>>\s*5\b)")
        return divided.search(self.parsed.data, function.span.start, function.span.end) is not None

    def _step(self, parent: Node, node: Node) -> Span | None:
        """`i += 32` in a loop that calls lane functions, or on what began as a lane."""
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        if right != node or text(parent.child_by_field_name("operator")) != b"+=" or left is None:
            return None
        if not text(node).startswith(b"32") and b"32" not in text(node):
            return None
        loop = next((around for around in tree_sitter_nodes.ancestors(parent) if around.type.endswith(_LOOPS)), None)
        if loop is None:
            return None
        at = bisect_left(self.calls, loop.start_byte)
        among = at < len(self.calls) and self.calls[at] < loop.end_byte
        begun = self.values.locals(left.start_byte).get(text(left), ())
        lane = any(self._holds_lane(one.value) or self.flow.is_numbered(one.value, LANE_SIGNS) for one in begun)
        lane = lane or any(_OWN_PLACE.fullmatch(text(one.value)) is not None for one in begun)
        lane = lane or self.flow.is_read_by_lanes(left, loop) or self.flow.begins_in_first_warp(begun, loop)
        lane = lane or self.beside.steps_over_blocks(loop) or self.beside.begins_as_lane(left, begun)
        return Span(parent.start_byte, parent.end_byte) if among or lane else None

    def _holds_lane(self, node: Node | None) -> bool:
        if node is None:
            return False
        return any(_LANE.fullmatch(word) is not None for word in re.findall(rb"\w+", text(node)))

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
        if number is None or _SHARE_OF_WARP.fullmatch(made(value)) is not None:
            return False
        return self._multiple(value, number) is not None

    def _body(self, loop: Node) -> int:
        body = loop.child_by_field_name("body")
        return loop.end_byte if body is None else body.start_byte


def _is_sum(node: Node) -> bool:
    return text(node.child_by_field_name("operator")) == b"+"


def _inner(node: Node) -> Node:
    """An expression without brackets around it."""
    while node.type == "parenthesized_expression" and node.named_child_count:
        node = node.named_children[0]
    return node


def _bare(node: Node) -> bytes:
    """The text of an expression without brackets around it."""
    return text(node).strip(b"() ")
