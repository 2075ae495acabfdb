"""Numbers of 32 that count lanes by what stands beside them: barriers for all lanes, branches for a block of one warp.

Comes in: a parsed file, where its values go, and the node of a 32. Goes out: the range that counts lanes, or None where
nothing beside the number speaks of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.width_evidence.value_uses import LANE_SIGNS, Flow, class_of_warps, made

_BARRIER = re.compile(rb"\w*(?:barrier|mbar)\w*", re.I)
_BARRED = re.compile(rb"\w*bar(?:rier)?s?_?\b", re.I)
_ARRIVES = re.compile(rb"(?:\w*_)?(?:init|initialize|arrive|sync|arrive_and_wait)(?:_\w+)?", re.I)
_GROUP = re.compile(rb"(?:size|num_threads)")
_GROUPED = re.compile(rb"partition|tile|group|warp|coalesced", re.I)
_WARP_WORK = (
    rb"__syncwarp|__shfl|__ballot|\b\w*(?:[Ww]arp(?:_?(?i:all)?_?(?i:reduc|sum|max|min|scan))|warp_(?:sum|max|min))\w*"
    rb"\s*(?:<[^;<>()]*>)?\s*\("
)
_WORKS = re.compile(_WARP_WORK)
_NEXT = re.compile(_WARP_WORK + rb"|\b\w*[Ww]arp\w*\s*(?:<[^;<>()]*>)?\s*\(|\bvolatile\b|<\s*32\b|=\s*16\s*;")
_HALVES = re.compile(rb">>=\s*1\b|/=\s*2\b|=\s*\w+\s*(?:>>\s*1|/\s*2)\b")
_HALVED = re.compile(rb"\bfor\s*\([^;]*;\s*\w+\s*>=?\s*32\s*;\s*\w+\s*(?:>>=\s*1|/=\s*2)")
_NEAR = 80
_SHARE = re.compile(rb"[A-Za-z_]\w*|[2-9]|16")
_FIRST_WARP = re.compile(rb"\bwarp(?:_?(?:id|idx|index))?\s*==\s*0\b|!\s*warp_?(?:id|idx)\b", re.I)
_HANDS = re.compile(rb"(?:\w+::)*(?:get_?)?(?:lane|thread|tid)(?:_?(?:id|idx|index))?\s*(?:<[^;()]*>)?\s*\(\s*\)", re.I)
_ACROSS = re.compile(rb"shfl|__sync|__ballot|__activemask|\bvolatile\b|\+\s*16\s*\]")
_VOTED = re.compile(rb"__(?:ballot|activemask|match_)|\b\w*(?:ballot|active_?mask)\w*\b", re.I)
_OWN_WAVE = re.compile(rb"#[ \t]*define[ \t]+(\w+)(?:\\\r?\n|[^\n\\])*?\bint[ \t]+warpSize[ \t]*=")
_BLOCK_SIZE = re.compile(rb"k?(?:num_?)?block(?:_?(?:size|dim|threads))?(?:_?x)?", re.I)
_WARP_TYPE = re.compile(rb"\bWarp\w*\s*<")
_BARRIER_ONLY = re.compile(rb"\{?\s*__syncthreads\s*\(\s*\)\s*;\s*\}?")
_STEP_OF_16 = re.compile(rb"(?i:shfl)\w*\s*\([^;{}]*,\s*16\s*[,)]")
REDUCED_BY_32 = re.compile(rb"(?i:reduce|scan)\w*\s*<\s*32\s*>\s*\([^;{}]*\bthreadIdx\.x\b")
"""Work of 32 threads of a row."""
_THREADS_IN_WARPS = re.compile(rb"\b(?:tid|threadIdx\.x)\s*(?:/\s*32|>>\s*5)\b")
_LANES_ON = re.compile(rb"\b\w+\s*\*\s*32\s*\+\s*lane(?:_?id)?\b")
_CLASSES = ("struct_specifier", "class_specifier")
_GOING_ON = ("binary_expression", "parenthesized_expression")
_COMPARISONS = (b"==", b"!=", b"<", b"<=", b">", b">=")


class Beside:
    """Numbers of one file that count lanes beside something that says so."""

    def __init__(self, parsed: ParsedFile, flow: Flow) -> None:
        self.parsed, self.flow = parsed, flow

    def find(self, number: Node) -> Span | None:
        """The range that a 32 belongs to."""
        if not text(number).startswith((b"32", b"0x20")):
            return None
        ways = (self._arrivals, self._choice, self._compared, self._further, self._part, self._halving)
        for told in (*ways, self._row, self._for_lanes):
            node = told(number)
            if node is not None:
                return Span(node.start_byte, node.end_byte)
        return None

    def steps_over_blocks(self, loop: Node) -> bool:
        """`i < blockDim.x; i += 32`: one value for each warp of a block."""
        condition = loop.child_by_field_name("condition") if loop.type == "for_statement" else None
        if condition is None or text(condition.child_by_field_name("operator")) != b"<":
            return False
        bound = condition.child_by_field_name("right")
        if bound is not None and bound.type == "identifier":
            found = self.flow.values.locals(bound.start_byte).get(text(bound), ())
            bound = found[0].value if len(found) == 1 else None
        return text(bound) == b"blockDim.x"

    def begins_as_lane(self, runs: Node, begun: Sequence[Local]) -> bool:
        """Whether what runs through a loop began as a lane: what a function of that name answers, or with one added."""
        for one in begun:
            if one.value is not None and one.value.type == "identifier":
                found = self.flow.values.locals(runs.start_byte).get(text(one.value), ())
                if any(_HANDS.fullmatch(text(given.value)) is not None for given in found):
                    return True
        function = self.parsed.function(runs.start_byte)
        if function is None or runs.type != "identifier":
            return False
        added = re.compile(rb"\b" + text(runs) + rb"\s*=[^=;{}]*\bthreadIdx\.x\s*(?:%\s*32|&\s*(?:31|0x1[fF]))\b")
        return added.search(self.parsed.data, function.span.start, runs.start_byte) is not None

    def is_step(self, comparison: Node, thread: Node) -> bool:
        """Whether threads below 32 only take one more step of a tree, and no lane code follows it."""
        around = next((one for one in tree_sitter_nodes.ancestors(comparison) if one.type == "if_statement"), None)
        body = text(around.child_by_field_name("consequence")) if around is not None else b""
        further = re.compile(rb"\[\s*" + re.escape(text(thread)) + rb"\s*\+\s*32\s*\]")
        return further.search(body) is not None and _ACROSS.search(body) is None

    def is_last_lane(self, number: Node) -> bool:
        """`31 - __clz(mask)` on a mask of lanes."""
        parent = number.parent
        right = parent.child_by_field_name("right") if parent is not None else None
        if right is None or right == number or right.type != "call_expression":
            return False
        if text(right.child_by_field_name("function")).lstrip(b":") not in (b"__clz", b"__builtin_clz"):
            return False
        arguments = text(right.child_by_field_name("arguments"))
        if _VOTED.search(arguments) is not None:
            return True
        table = self.flow.values.locals(number.start_byte)
        found = [one for word in re.findall(rb"\w+", arguments) for one in table.get(word, ())]
        return any(_VOTED.search(text(one.value)) is not None for one in found)

    def is_rounded(self, product: Node) -> bool:
        """`n = (size + 31) / 32 * 32` where what runs up to it has a lane added to it."""
        name, function = made(product), self.parsed.function(product.start_byte)
        names = self.flow.names(product.start_byte)
        if not name or function is None or not names:
            return False
        inside = self.parsed.data[function.span.start : function.span.end]
        lane = rb"(?:" + b"|".join(map(re.escape, sorted(names))) + rb")"
        bounded = re.compile(rb"\b(\w+)\s*<\s*" + name + rb"\b")
        found = bounded.finditer(inside) if name in inside else ()
        counted = {match[1] for match in found}
        sums = (
            rb"\b" + step + rb"\s*\+\s*" + lane + rb"\b|\b" + lane + rb"\s*\+\s*" + step + rb"\b" for step in counted
        )
        return any(re.search(one, inside) is not None for one in sums)

    def shares_lanes(self, share: Node) -> bool:
        """`threads_per_row = 32 / rows` of a class that is called after warps, `lane / (32 / rows)` anywhere."""
        if re.search(rb"(?:threads|lanes)_?per", made(share), re.I) and class_of_warps(share):
            return True
        around = share.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        if around is None or text(around.child_by_field_name("operator")) not in (b"/", b"%"):
            return False
        left = around.child_by_field_name("left")
        named = left is not None and b"lane" in text(left).lower() and text(left) in self.flow.names(share.start_byte)
        return named or self.flow.is_numbered(left, LANE_SIGNS)

    def is_place(self, node: Node) -> bool:
        """Whether what is called after a lane is a place that lanes are spread over: `row_lane = lane / 8 * 16 + 4`."""
        found = self.flow.values.locals(node.start_byte).get(text(node), ())
        values = [one.value for one in found if one.value is not None and one.value.type == "binary_expression"]
        return any(_sign(value) == b"+" and b"*" in text(value) and b"lane" in text(value) for value in values)

    def divides_threads(self, quotient: Node) -> bool:
        """Whether a constant of a class is a 32nd of something, and its functions or its users number warps."""
        owner = next((one for one in tree_sitter_nodes.ancestors(quotient) if one.type in _CLASSES), None)
        name = made(quotient)
        if owner is None or not name or self.parsed.function(quotient.start_byte) is not None:
            return False
        if _THREADS_IN_WARPS.search(text(owner.child_by_field_name("body"))) is not None:
            return True
        used = re.search(rb"::\s*" + name + rb"\b", self.parsed.data) is not None
        return used and _LANES_ON.search(self.parsed.data) is not None

    def divides_block(self, quotient: Node) -> bool:
        """`__shared__ float sums[kBlock / 32]`, `threadIdx.x < BLOCK / 32`: a place, or a thread, for each warp."""
        if _BLOCK_SIZE.fullmatch(text(quotient.child_by_field_name("left"))) is None:
            return False
        array = next((one for one in tree_sitter_nodes.ancestors(quotient) if one.type.endswith("declaration")), None)
        if array is not None and text(array).startswith(b"__shared__") and quotient.parent is not None:
            return quotient.parent.type == "array_declarator"
        around = quotient.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        left = around.child_by_field_name("left") if around is not None else None
        return around is not None and left is not None and _sign(around) == b"<" and self.flow.is_thread(left)

    def has_wide_twin(self, quotient: Node) -> bool:
        """Whether something is a 32nd in one branch of the file and a 64th in another, as for a wave of 64."""
        if b"/ 64" not in self.parsed.data:
            return False
        name = made(quotient)
        shared = text(quotient.child_by_field_name("left"))
        twin = re.compile(rb"\b" + name + rb"\s*=\s*" + re.escape(shared) + rb"\s*/\s*64\b")
        return bool(name) and twin.search(self.parsed.data) is not None

    def is_chosen(self, name: bytes) -> bool:
        """Whether a block of so many threads takes the way of a single warp elsewhere in the file."""
        if b"== 32" not in self.parsed.data or re.fullmatch(rb"\w+", name) is None:
            return False
        chosen = re.compile(rb"\b" + name + rb"\s*==\s*32\s*\)\s*\{?[^;{}]*?(?:" + _WARP_WORK + rb")")
        return chosen.search(self.parsed.data) is not None

    def _arrivals(self, number: Node) -> Node | None:
        """How many threads arrive at a barrier, where whole warps do."""
        whole, around = number, number.parent
        while around is not None and around.type in _GOING_ON:
            if around.type == "binary_expression" and text(around.child_by_field_name("operator")) not in (b"*", b"/"):
                return None
            whole, around = around, around.parent
        call = around.parent if around is not None and around.type == "argument_list" else None
        called = call.child_by_field_name("function") if call is not None else None
        if called is None:
            return None
        name = text(called).partition(b"<")[0]
        if called.type == "field_expression":
            owner, name = text(called.child_by_field_name("argument")), text(called.child_by_field_name("field"))
            barrier = _BARRED.search(owner.partition(b"[")[0].partition(b"(")[0]) is not None
            return whole if barrier and _ARRIVES.fullmatch(name) is not None else None
        last = name.rpartition(b"::")[2]
        speaks = any(_BARRIER.fullmatch(part) is not None for part in name.split(b"::"))
        return whole if speaks and (_ARRIVES.fullmatch(last) or _BARRIER.fullmatch(last)) else None

    def _choice(self, number: Node) -> Node | None:
        """`if (threads == 32) x = warpSum(x); else x = blockSum(x);`."""
        comparison = number.parent
        if comparison is None or comparison.type != "binary_expression":
            return None
        left = comparison.child_by_field_name("left")
        sign = text(comparison.child_by_field_name("operator"))
        if sign not in (b"==", b"<=", b">", b">=") or left is None or left.type != "identifier":
            return None
        around: Node | None = comparison
        while around is not None and around.type in (*_GOING_ON, "condition_clause"):
            around = around.parent
        if around is not None and around.type == "template_argument_list":
            return comparison if sign == b"<=" and _WARP_TYPE.search(text(around)) is not None else None
        if around is None or around.type != "if_statement":
            return None
        way = text(around.child_by_field_name("consequence"))
        if sign in (b">", b">=") and (_BARRIER_ONLY.fullmatch(way) or _STEP_OF_16.search(way)):
            return comparison
        if sign == b">":
            return comparison if _HALVED.search(way) is not None and self._is_warp_next(comparison) else None
        return comparison if _WORKS.search(way) is not None else None

    def _compared(self, number: Node) -> Node | None:
        """`tile.size() == 32 - 5`, `32 - n <= lane`."""
        node = number.parent
        while node is not None and node.type in _GOING_ON:
            if text(node.child_by_field_name("operator")) in _COMPARISONS:
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if text(right) in self.flow.names(node.start_byte) or self.flow.is_numbered(right, LANE_SIGNS):
                    return node
                called = left.child_by_field_name("function") if left is not None else None
                if called is None or called.type != "field_expression" or node.child_by_field_name("right") == left:
                    return None
                group = _GROUPED.search(text(called.child_by_field_name("argument"))) is not None
                return node if group and _GROUP.fullmatch(text(called.child_by_field_name("field"))) else None
            node = node.parent
        return None

    def _row(self, number: Node) -> Node | None:
        """`rows + threadIdx.y * 32` where 32 threads of a row reduce something together."""
        parent = number.parent
        if parent is None or parent.type != "binary_expression" or _sign(parent) != b"*":
            return None
        function = self.parsed.function(number.start_byte)
        if function is None or text(parent.child_by_field_name("left")) != b"threadIdx.y":
            return None
        found = REDUCED_BY_32.search(self.parsed.data, function.span.start, function.span.end)
        return parent if found is not None else None

    def _for_lanes(self, number: Node) -> Node | None:
        """`queues[warps][32]` with a place for each lane; where warps have their places too, it is large enough."""
        array = number.parent
        if array is None or array.type != "array_declarator" or array.child_by_field_name("size") != number:
            return None
        inner, before = array.child_by_field_name("declarator"), 0
        while inner is not None and inner.type == "array_declarator":
            inner, before = inner.child_by_field_name("declarator"), before + 1
        function = self.parsed.function(number.start_byte)
        if function is None or re.fullmatch(rb"\w+", text(inner)) is None:
            return None
        inside = self.parsed.data[function.span.start : function.span.end]
        indices = re.compile(rb"\b" + text(inner) + rb"\s*" + rb"\[[^\[\]]*\]" * before + rb"\[\s*(\w+)\s*\]")
        found = {match[1] for match in indices.finditer(inside)} - {b"32"}
        return array if found and found <= self.flow.lanes(number.start_byte) else None

    def _further(self, number: Node) -> Node | None:
        """`a[32 + threadIdx.x]` in the first warp, `a[t + i * 32]` of threads below 32: values of other lanes."""
        part, parent = number, number.parent
        if parent is not None and parent.type == "binary_expression" and _sign(parent) == b"*":
            part, parent = parent, parent.parent
        if parent is None or parent.type != "binary_expression" or _sign(parent) != b"+":
            return None
        other = next((side for side in parent.named_children if side != part), None)
        if other is None or other.type not in ("identifier", "field_expression"):
            return None
        if part != number and text(other) == b"threadIdx.x" and self._works_around(parent):
            return part
        for condition in self._conditions(parent):
            if _FIRST_WARP.search(condition) is not None and self.flow.is_thread(other):
                return part if part != number else parent
            below = re.compile(rb"\(\s*" + re.escape(text(other)) + rb"\s*<\s*32[uU]?\s*\)")
            if part != number and below.search(condition) is not None and self.flow.values.from_threads(other):
                return part
        return None

    def _part(self, number: Node) -> Node | None:
        """`32 * n` where each lane has n, or where two warps take a step beside that of one warp."""
        parent = number.parent
        if parent is None or parent.type != "binary_expression" or _sign(parent) != b"*":
            return None
        name = made(parent)
        if name and name + b"_warp" in self.flow.values.locals(number.start_byte):
            return parent
        share = next((side for side in parent.named_children if side != number), None)
        function = self.parsed.function(number.start_byte)
        if share is None or function is None or _SHARE.fullmatch(text(share)) is None:
            return None
        names = [re.escape(one) for one in self.flow.names(number.start_byte) if b"warp" not in one.lower()]
        lane = rb"\(?\s*\b(?:" + b"|".join([rb"threadIdx\.x\s*(?:%\s*32|&\s*31)\s*\)?", *sorted(names)]) + rb")"
        share_of = re.escape(text(share))
        each = re.compile(
            lane
            + rb"\s*\*\s*"
            + share_of
            + rb"\b|(?<!\w)\(?"
            + share_of
            + rb"(?:\s*\+\s*1\s*\))?\s*\*\s*"
            + lane
            + rb"\b"
        )
        inside = self.parsed.data[function.span.start : function.span.end]
        places = (place.start() for place in re.finditer(share_of, inside))  # few; the long pattern is slow
        near = (inside[max(0, at - _NEAR) : at + len(share_of) + _NEAR] for at in places)
        return parent if any(each.search(part) is not None for part in near) else None

    def _halving(self, number: Node) -> Node | None:
        """`for (s = n / 2; s >= 32; s /= 2)` before a warp goes on alone, `at + 32` where a loop steps by warps."""
        comparison = number.parent
        if comparison is None or comparison.type != "binary_expression":
            return None
        left, around = comparison.child_by_field_name("left"), comparison.parent
        if left is None or left == number or left.type != "identifier":
            return None
        if _sign(comparison) == b"+":
            steps = re.compile(rb"\b" + text(left) + rb"\s*\+=\s*32\b")
            loops = (one for one in tree_sitter_nodes.ancestors(comparison) if one.type == "for_statement")
            found = any(steps.search(text(one.child_by_field_name("update"))) is not None for one in loops)
            return comparison if found and self._works_around(comparison) else None
        if around is None or around.type != "for_statement" or comparison != around.child_by_field_name("condition"):
            return None
        halves = _HALVES.search(text(around.child_by_field_name("update"))) is not None
        down = _sign(comparison) in (b">", b">=") and halves
        return comparison if down and self._is_warp_next(around) else None

    def _is_warp_next(self, node: Node) -> bool:
        """Whether what follows a place in its function is done by the lanes of a warp."""
        function = self.parsed.function(node.start_byte)
        return function is not None and _NEXT.search(self.parsed.data, node.end_byte, function.span.end) is not None

    def _works_around(self, node: Node) -> bool:
        function = self.parsed.function(node.start_byte)
        span = None if function is None else function.span
        return span is not None and _WORKS.search(self.parsed.data, span.start, span.end) is not None

    def _conditions(self, node: Node) -> Iterator[bytes]:
        """The conditions that must hold where a node stands."""
        child = node
        for around in tree_sitter_nodes.ancestors(node):
            if around.type == "if_statement" and around.child_by_field_name("consequence") == child:
                yield text(around.child_by_field_name("condition"))
            if around.type == "function_definition":
                return
            child = around


def _sign(node: Node) -> bytes:
    return text(node.child_by_field_name("operator"))


def declares_wave(parsed: ParsedFile, unit: tuple[Span, str] | None) -> bool:
    """Whether a function gets a variable called `warpSize` from a macro of the file, or is that macro."""
    macros = [match[1] for match in _OWN_WAVE.finditer(parsed.data)]
    return unit is not None and any(name in parsed.data[unit[0].start : unit[0].end] for name in macros)


def is_quotient(node: Node | None) -> bool:
    """Whether some threads share one value: `threadIdx.x / each`."""
    return node is not None and text(node.child_by_field_name("operator")) == b"/"


def begins(value: Node | None, use: Node) -> bool:
    """Whether a variable is set where the loop begins that it is used in."""
    around = None if value is None else value.parent
    while around is not None and around.type in ("init_declarator", "declaration"):
        around = around.parent
    loop = around is not None and around.type == "for_statement"
    return loop and around is not None and around.start_byte < use.start_byte < around.end_byte
