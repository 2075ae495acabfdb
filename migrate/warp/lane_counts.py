"""Where code counts 32 lanes: decided by what a number is combined with and by where the result goes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, resolved
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_arguments import PER_THREAD, LaneArguments
from cudamigrate.warp.tree_queries import (
    COMPARISONS,
    bare,
    callee,
    identifiers,
    made,
    outer,
    plain_name,
    span,
)
from cudamigrate.warp.vocabulary import NAMES, Quantity, Vocabulary

NUMBER = re.compile(rb"(?<![\w.])(?:32|31|5|0[xX](?:1[fF]|20|[fF]{6}(?:[eE]0|[fF]{2})))[uUlL]*(?![\w.])")
"""A number of a warp of 32: `32`, `31`, `5`, `0x1f`, a full mask. No part of a name or a fraction: `x32`, `5.0`."""
_NAMED = re.compile(rb"(?:%|\*|/|&(?<!&&)(?!&)|<<|>>)=?\s*(?:\(\s*)?(?:~\s*)?\(?(?P<name>(?!\d)\w+(?:::\w+)*)")
"""The name that divides, masks or shifts: `% kWarp`, `& ~(N`, `>>= ns::k`. Neither sign of `&&` is one."""
_FULL = 0xFFFFFFFF
_INDEX = Quantity.THREAD | Quantity.LANE
_FIRST_LANES = (~31, 0xFFFFFFE0)
_LANES = (32, 31, 5, *_FIRST_LANES)
_LOOPS = ("for_statement", "while_statement", "for_range_loop", "do_statement")
_SUMS = (b"+", b"-")


def counts(parsed: ParsedFile, calls: Sequence[int], names: Vocabulary = NAMES) -> Iterator[Span]:
    """Every range that counts 32 lanes in device code that HIP compiles. `calls` is where lane functions are called.

    With `NO_NAMES` it finds the same whatever a project calls its variables and functions.
    """
    found = _Counts(parsed, sorted(calls), names)
    for start in _candidates(parsed, names):
        place = found.find(start)
        if place is not None and parsed.hip(start) is None:
            yield place


def _candidates(parsed: ParsedFile, names: Vocabulary) -> Iterator[int]:
    """Where numbers stand that may count lanes, and names that a lane may be combined with."""
    known: Collection[bytes] = resolved(parsed)
    if not names.heard:  # a constant of 32 counts lanes then as any other does, whatever it is called
        known = {*known, *Values.of(parsed).constants()}
    numbers = (match.start() for match in NUMBER.finditer(parsed.data))
    named = (
        match.start("name")
        for match in _NAMED.finditer(parsed.data)
        if match["name"] == b"threadIdx"
        or names.says_lanes(match["name"])
        or match["name"].rpartition(b"::")[2] in known
    )
    yield from in_device(parsed, numbers)
    yield from in_device(parsed, named)


def in_device(parsed: ParsedFile, starts: Iterator[int]) -> Iterator[int]:
    """Those of some places that are device code, or the body of a macro."""
    for start in starts:
        if not parsed.lexed.is_code(start) or parsed.scope(start) == "host":
            continue
        directive = parsed.lexed.directive_at(start)
        if directive is None or directive.name == "define":
            yield start


class _Counts(LaneArguments):
    """Numbers of one file, each with the operation it is part of."""

    def __init__(self, parsed: ParsedFile, calls: Sequence[int], names: Vocabulary) -> None:
        super().__init__(parsed, names)
        self.calls = calls
        self._operations: dict[bytes, Callable[[Node, Node, Node, int], bool]] = {
            **dict.fromkeys((b"%", b"&", b"|"), self._remainder),
            **dict.fromkeys((b"/", b">>"), self._quotient),
            b"*": self._product,
            b"<<": self._shift,
            **dict.fromkeys(_SUMS, self._sum),
            **dict.fromkeys(COMPARISONS, self._comparison),
        }

    def find(self, start: int) -> Span | None:
        """The range that counts lanes with the number or name at `start`; None where it counts something else."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        if node is None or node.type in ("preproc_arg", "comment"):
            return self._in_macro(start)
        while node.parent is not None and node.parent.type == "qualified_identifier":
            node = node.parent
        if node.parent is not None and node.parent.type == "call_expression" and self.values.constant(node.parent):
            node = node.parent
        value, node = self._constant(node)
        parent = node.parent
        while parent is not None and parent.type == "parenthesized_expression":
            node, parent = parent, parent.parent
        if parent is None:
            return None
        if parent.type == "binary_expression":
            left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
            judge = self._operations.get(text(parent.child_by_field_name("operator")))
            if judge is None or left is None or right is None:
                return None
            return span(parent) if judge(left, right, node, value) else None
        return self._elsewhere(parent, node, value)

    def _constant(self, node: Node) -> tuple[int, Node]:
        """The largest expression around a number that is one of a lane count itself, and its value."""
        value = self.values.constant(node)
        parent = node.parent
        while parent is not None and (
            parent.type in ("unary_expression", "parenthesized_expression")
            or (parent.type == "binary_expression" and text(parent.child_by_field_name("operator")) in _SUMS)
        ):
            more = self.values.constant(parent)
            if more not in _LANES:
                break
            node, value, parent = parent, more, parent.parent
        if value is None and node.type.endswith("identifier") and self._is_given_32(node):
            value = 32
        return (value if value is not None else 0), node

    def _is_given_32(self, node: Node) -> bool:
        """Whether a parameter of the template around is 32 by default, or where the file calls the function."""
        around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "template_declaration"), None)
        listed = around.child_by_field_name("parameters") if around is not None else None
        name, function = text(node), self.quantities.function_at(node.start_byte)
        if not self.names.says_width(name):
            return False
        for one in listed.named_children if listed is not None else ():
            default = one.child_by_field_name("default_value")
            if text(one.child_by_field_name("declarator")) == name and self.values.constant(default) == 32:
                return True
        return function is not None and 32 in self.quantities.template_arguments(function.name.encode())

    def _remainder(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """`tid % 32`, `tid & 31`, `tid & ~31`, `tid | 31`."""
        if node != right or value not in (32, 31, *_FIRST_LANES):
            return False
        found = self.quantities.of(left)
        if found & Quantity.RUNS and not self._is_width(node):
            return self.names.says_lanes(made(left))
        return bool(found & (PER_THREAD | Quantity.LANE)) or self._is_lane(left.parent)

    def _is_lane(self, remainder: Node | None) -> bool:
        """`column % 32 == lane`."""
        around = outer(remainder) if remainder is not None else None
        if around is None or text(around.child_by_field_name("operator")) not in COMPARISONS:
            return False
        return any(
            self.quantities.of(side) & Quantity.LANE for side in around.named_children if bare(side) != remainder
        )

    def _quotient(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """A number of warps or the number of a warp; a share of each lane."""
        whole = left.parent
        if whole is None:
            return False
        if node == left or value != (5 if text(whole.child_by_field_name("operator")) == b">>" else 32):
            return False
        found = self.quantities.of(left)
        if found & (PER_THREAD | Quantity.LANE if self._is_width(node) else PER_THREAD):
            return not found & Quantity.RUNS or self.names.says_lanes(made(whole)) or self._is_width(node)
        return self._goes_to_warps(whole, found) or self._has_remainder(left) or self._is_share(whole)

    def _has_remainder(self, left: Node) -> bool:
        """`index / 32` where `index % 32` is a lane: the two halves of one index."""
        function = self.quantities.function_at(left.start_byte)
        if left.type != "identifier" or function is None:
            return False
        twin = re.compile(rb"\b" + re.escape(text(left)) + rb"\s*(?:%\s*32|&\s*31)\b")
        found = twin.finditer(self.parsed.data, function.span.start, function.span.end)
        return any(self.find(match.end() - 2) is not None for match in found)

    def _is_share(self, whole: Node) -> bool:
        """What each of 32 lanes holds of a tile: the size of an array in a class that tells threads apart."""
        around = list(tree_sitter_nodes.ancestors(whole))
        member = next((one for one in around if one.type == "field_declaration"), None)
        owner = next((one for one in around if one.type in ("struct_specifier", "class_specifier")), None)
        if member is None or owner is None or b"threadIdx.x" not in text(owner):
            return False
        name, body = made(whole), owner.child_by_field_name("body")
        declared = (one.child_by_field_name("declarator") for one in body.named_children) if body is not None else ()
        return any(
            one is not None and one.type == "array_declarator" and text(one.child_by_field_name("size")) == name
            for one in declared
        )

    def _product(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """Threads of whole warps, the first lane of a warp, a lane some warps further on."""
        whole, other = left.parent, left if node == right else right
        if value != 32 or whole is None:
            return False
        found, around_ = self.quantities.of(other), outer(whole)
        distance = around_ is not None and around_.type == "assignment_expression"
        if found & Quantity.WARPS or (found & Quantity.WARP and (not distance or self._is_width(node))):
            return True
        name = made(whole)
        if "lane" in self.names.words(name) or self.names.words(name)[-1:] == ("warp",) or self._is_part_of_lane(other):
            return True
        if (
            around_ is not None
            and around_.type == "assignment_expression"
            and bare(around_.child_by_field_name("right")) == whole
        ):
            return self._moves(around_)
        if around_ is not None and around_.type == "argument_list":
            return around_.parent is not None and self._arrives(around_.parent, callee(around_))
        if around_ is None or around_.type != "binary_expression":
            return self._makes_threads(whole)
        sign = text(around_.child_by_field_name("operator"))
        if sign == b"+":
            return self._adds_lane(around_, whole) or self._is_row(other, around_)
        if sign in COMPARISONS and self.names.says_lanes(text(other)):
            return any(self.quantities.of(side) & Quantity.THREAD for side in around_.named_children)
        return self._makes_threads(whole)

    def _is_row(self, other: Node, sum_: Node) -> bool:
        """`threadIdx.y * 32 + threadIdx.x`."""
        return text(bare(other)) == b"threadIdx.y" and b"threadIdx.x" in text(sum_)

    def _shift(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """The bit of a lane, the lanes above one, a number of warps times 32."""
        bit = self.values.constant(left)
        if bit == 1 and self._is_width(right):
            return True
        if bit in (1, 2, _FULL) and node == right:
            lanes = Quantity.LANE | (Quantity.THREAD if bit == _FULL else Quantity.NONE)
            return bool(self.quantities.of(right) & lanes)
        if bit == _FULL:
            return bool(self.quantities.of(right) & _INDEX)
        return node == right and value == 5 and self._product(left, right, node, 32)

    def _sum(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """Lanes further on, lanes counted from the end, threads behind the first warp or in the last one."""
        whole = left.parent
        other = left if node == right else right
        if whole is None:
            return False
        found = self.quantities.of(other)
        if text(whole.child_by_field_name("operator")) == b"+":
            if value != 32:
                return False
            return bool(found & Quantity.LANE) or (bool(found & Quantity.THREAD) and self._in_first_warp(whole))
        if node == left:
            return self._is_from_end(other, whole, value)
        if value != 32:
            return False
        around_ = outer(whole)
        last = around_ is not None and text(around_.child_by_field_name("operator")) in COMPARISONS
        if found & Quantity.THREADS and last and around_ is not None:
            return bool(self.quantities.of(around_.child_by_field_name("left")) & Quantity.THREAD)
        return bool(found & Quantity.THREAD)

    def _is_from_end(self, other: Node, whole: Node, value: int) -> bool:
        """`31 - __clz(votes)`, `32 - n <= lane`."""
        inner = bare(other)
        if value == 31 and inner is not None and inner.type == "call_expression":
            listed = inner.child_by_field_name("arguments")
            given = listed.named_children[0] if listed is not None and listed.named_child_count == 1 else None
            clz = plain_name(inner.child_by_field_name("function")) in (b"__clz", b"__builtin_clz")
            return clz and bool(self.quantities.of(given) & Quantity.MASK)
        around_ = outer(whole)
        if around_ is None or text(around_.child_by_field_name("operator")) not in COMPARISONS:
            return False
        return any(self.quantities.of(side) & Quantity.LANE for side in around_.named_children)

    def _comparison(self, left: Node, right: Node, node: Node, value: int) -> bool:
        """The last lane, the first warp, a loop over lanes that shuffles, a block of one warp."""
        whole = left.parent
        if whole is None or value not in (31, 32) or node != right:
            return False
        found = self.quantities.of(left)
        if found & Quantity.LANE:
            return True
        if value != 32:
            return False
        if found & Quantity.THREAD:
            return not self._is_tree_step(whole, left)
        if found & Quantity.PLACE:
            around = self.quantities.function_at(left.start_byte)
            return around is not None and self.quantities.shuffles_within(left.end_byte, around.span.end)
        around_ = outer(whole)
        if around_ is not None and around_.type == "for_statement":
            return self.quantities.shuffles_within(whole.end_byte, around_.end_byte)
        return self._chooses_warp(whole)

    def _chooses_warp(self, comparison: Node) -> bool:
        """`if (threads == 32) x = warpSum(x); else x = blockSum(x);`."""
        around = next((one for one in tree_sitter_nodes.ancestors(comparison) if one.type.endswith("statement")), None)
        body = around.child_by_field_name("consequence") if around is not None else None
        if (
            body is None
            or comparison.end_byte > body.start_byte
            or text(comparison.child_by_field_name("operator")) == b"!="
        ):
            return False
        return self.quantities.works_within(body.start_byte, body.end_byte)

    def _is_tree_step(self, comparison: Node, thread: Node) -> bool:
        """Whether threads below 32 only take one more step of a tree, and nothing across lanes follows."""
        around = next((one for one in tree_sitter_nodes.ancestors(comparison) if one.type == "if_statement"), None)
        body = around.child_by_field_name("consequence") if around is not None else None
        if body is None or self.quantities.works_within(body.start_byte, body.end_byte) or b"volatile" in text(body):
            return False
        squeezed = b"".join(text(body).split())
        return text(thread) + b"+32]" in squeezed and text(thread) + b"+16]" not in squeezed

    def _elsewhere(self, parent: Node, node: Node, value: int) -> Span | None:
        """A number that is no operand: an argument, a step, a size."""
        kind, found = parent.type, False
        if kind == "assignment_expression":
            found = value == 32 and self._moves(parent)
            return span(parent) if found else None
        if kind in ("argument_list", "template_argument_list"):
            found = self._argument(parent, node, value)
        elif kind == "optional_parameter_declaration":
            found = value == 32 and self._default(parent)
        elif kind == "conditional_expression":
            wide = b"64" in text(parent)
            return span(parent) if value == 32 and self.names.says_width(made(parent)) and not wide else None
        return span(node) if found else None

    def _moves(self, step: Node) -> bool:
        """`i += 32` on what began as a lane or a thread of one warp, or in a loop that uses warp-level operations."""
        left = bare(step.child_by_field_name("left"))
        if text(step.child_by_field_name("operator")) != b"+=" or left is None:
            return False
        loop = next((one for one in tree_sitter_nodes.ancestors(step) if one.type in _LOOPS), None)
        if loop is None:
            return False
        at = bisect_left(self.calls, loop.start_byte)
        if at < len(self.calls) and self.calls[at] < loop.end_byte:
            return True
        if self.quantities.of(left) & (_INDEX | Quantity.SPREAD) or self._steps_over_blocks(loop):
            return True
        body = loop.child_by_field_name("body")
        at_lanes = self.quantities.indexed_by(text(left), step.start_byte)
        return body is not None and any(one & Quantity.LANE for one in at_lanes)

    def _steps_over_blocks(self, loop: Node) -> bool:
        """`i < blockDim.x; i += 32`: one value for each warp of a block."""
        test = bare(loop.child_by_field_name("condition")) if loop.type == "for_statement" else None
        if test is None or text(test.child_by_field_name("operator")) != b"<":
            return False
        bound = self.quantities.of(test.child_by_field_name("right"))
        return bool(bound & Quantity.THREADS) and b"*" not in text(test.child_by_field_name("right"))

    def _is_width(self, node: Node) -> bool:
        """Whether a number is spelled by the name of a warp's size."""
        return any(self.names.says_width(one) for one in identifiers(node))
