"""Numbers of lanes that are no operand: arguments, defaults of templates, the text of macros."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import CLASSES, bare, callee, made, outer, plain_name
from cudamigrate.warp.value_flow import ValueFlow
from cudamigrate.warp.vocabulary import Quantity

PER_THREAD = Quantity.THREAD | Quantity.THREADS | Quantity.PLACE


class LaneArguments(ValueFlow):
    """What functions, templates and macros of one file are given as a number of lanes."""

    def _argument(self, listed: Node, node: Node, value: int) -> bool:
        """A width, a last lane or a number of threads that goes to a function which uses warp-level operations."""
        call = listed.parent
        while call is not None and call.type in ("template_function", "template_type", "qualified_identifier"):
            call = call.parent
        name = callee(listed)
        if value == 31:
            return not name.startswith(b"__") and (self.names.shuffles(name) or self._picks_lane(node, listed))
        if value != 32 or call is None or name.startswith(b"__"):
            return False
        if self.names.works_across(name) or self.names.says_width(made(node)):
            return True
        if listed.type == "template_argument_list":
            return self._specialises(listed)
        if name in (b"min", b"max"):
            around_ = outer(call)
            return around_ is not None and around_.type == "argument_list" and self._argument(around_, call, 32)
        if self._parameter(node, listed) & Quantity.WIDTH or self._arrives(call, name):
            return True
        before, after = node.prev_named_sibling, node.next_named_sibling
        if before is None:
            return self._is_block(node, after)
        rounds = {"div", "ceil", "cdiv", "round", "align"} & set(self.names.words(name))
        whole = self.quantities.of(before)
        if rounds:
            return bool(whole & (Quantity.THREAD | Quantity.THREADS)) or self._goes_to_warps(call, whole)
        return bool(whole & Quantity.LANE)

    def _picks_lane(self, node: Node, listed: Node) -> bool:
        """Whether a function of the file hands an argument on to a shuffle, as the lane whose value all take."""
        root = self.parsed.tree.root_node
        for function, name in self._takers(node, listed, template=False):
            body = root.descendant_for_byte_range(function.body.start, function.body.end - 1)
            if body is not None and name in _lanes_picked(body):
                return True
        return False

    def _is_block(self, node: Node, after: Node | None) -> bool:
        """`dim3 block(32, warps)`."""
        around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "declaration"), None)
        if around is None or text(around.child_by_field_name("type")) != b"dim3":
            return False
        return after is not None and bool(self.quantities.of(after) & Quantity.WARPS)

    def _arrives(self, call: Node, name: bytes) -> bool:
        """Whether a call tells a barrier how many threads arrive."""
        if call.type != "call_expression":
            return False
        owner = self.names.words(text(call.child_by_field_name("function")).rpartition(name)[0].rstrip(b":"))
        said = set(owner) | set(self.names.words(name))
        barrier = any(part.startswith(("barrier", "mbar", "bar")) for part in said)
        return barrier and bool(
            {"init", "initialize", "arrive", "sync", "wait", "barrier"} & set(self.names.words(name))
        )

    def _specialises(self, listed: Node) -> bool:
        """Whether a class is written for these arguments alone, and shuffles."""
        owner = listed.parent.parent if listed.parent is not None else None
        if owner is None or owner.type not in CLASSES or owner.child_by_field_name("name") != listed.parent:
            return False
        return self.quantities.shuffles_within(owner.start_byte, owner.end_byte)

    def _default(self, parameter: Node) -> bool:
        """`template <int Width = 32>` of what shuffles by that width, or splits threads by it."""
        around = next(
            (one for one in tree_sitter_nodes.ancestors(parameter) if one.type == "template_declaration"), None
        )
        name = text(parameter.child_by_field_name("declarator"))
        if around is None or not name:
            return False
        inside = self.quantities.shuffles_within(around.start_byte, around.end_byte)
        if (self.names.says_lanes(name) or "width" in self.names.words(name)) and inside:
            return True
        body = next((one.body.start for one in self.parsed.functions if around.start_byte <= one.span.start), 0)
        splits = body < around.end_byte and self.quantities.meets(name, body, Quantity.THREAD)
        return splits and self.quantities.shuffles_within(0, len(self.parsed.data))

    def _in_macro(self, start: int) -> Span | None:
        """In the body of a macro, which has no tree: a thread's number right before the operator and the 32."""
        lexed = self.parsed.lexed
        sign = lexed.before(start)
        while sign is not None and lexed.text(sign) == b"(":
            sign = lexed.before(sign.start)
        twice = sign is not None and lexed.text(sign) in (b"<", b">")
        member = lexed.before(sign.start - twice) if sign is not None else None
        while member is not None and lexed.text(member) == b")":
            member = lexed.before(member.start)
        number, end = lexed.token(start), start
        if sign is None or member is None or number is None:
            return None
        end, value = number.end, self.values.spelled(lexed.text(number))
        operator, name, first = lexed.text(sign) * (1 + twice), lexed.text(member), member.start
        if name == b"x":
            dot = lexed.before(first)
            owner = lexed.before(dot.start) if dot is not None else None
            if owner is None or lexed.text(owner) not in (b"threadIdx", b"blockDim"):
                return None
            found, first = Quantity.THREAD, owner.start
        else:
            found = self.names.suspected(name)
        fits = {b"%": 32, b"&": 31, b"/": 32, b">>": 5}.get(operator) == value and found & PER_THREAD
        times = {b"*": 32, b"<<": 5}.get(operator) == value and found & Quantity.WARPS
        return Span(first, end) if fits or times else None


def _lanes_picked(body: Node) -> Iterator[bytes]:
    """The names that shuffles by index are given as their lane."""
    for call in CALLS.below(body):
        name, listed = plain_name(call.child_by_field_name("function")), call.child_by_field_name("arguments")
        given = tree_sitter_nodes.elements(listed)
        at = {b"__shfl": 1, b"__shfl_sync": 2}.get(name, len(given))
        if at < len(given):
            yield text(bare(given[at]))
