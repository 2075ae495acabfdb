"""Where a number goes that was divided by 32 or multiplied with it: to warps, to lanes, to their shares."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import (
    COMPARISONS,
    bare,
    callee,
    comparisons,
    conditions,
    declared_name,
    expressions_around,
    is_sum,
    made,
    outer,
)
from cudamigrate.warp.vocabulary import Quantity, Vocabulary

_OF_WARPS = Quantity.WARP | Quantity.WARPS


class ValueFlow:
    """The uses of what is computed with a lane count, in one file."""

    def __init__(self, parsed: ParsedFile, names: Vocabulary) -> None:
        self.parsed, self.names = parsed, names
        self.quantities = Quantities.of_file(parsed, names)
        self.values = self.quantities.values

    def _goes_to_warps(self, quotient: Node, found: Quantity) -> bool:
        """Whether what is divided by 32 is used as a number of warps, or as the part of each lane."""
        array = next((one for one in expressions_around(quotient) if one.type == "array_declarator"), None)
        if array is not None and array.start_byte < quotient.start_byte:
            return self._holds_warps(array, found)
        around_ = outer(quotient)
        if around_ is not None and around_.type in ("argument_list", "template_argument_list"):
            return bool(self._parameter(quotient, around_) & _OF_WARPS)
        if around_ is not None and around_.type == "binary_expression":
            if text(around_.child_by_field_name("operator")) not in COMPARISONS:
                return (
                    bool(self.names.suspected(made(quotient)) & _OF_WARPS)
                    and text(around_.child_by_field_name("operator")) == b"*"
                )
            other = bare(next((side for side in around_.named_children if bare(side) != bare(quotient)), None))
            threads = bool(found & Quantity.BLOCK) and bool(self.quantities.of(other) & Quantity.THREAD)
            return threads or bool(self.quantities.of(other) & (Quantity.LANE | Quantity.WARP))
        name = made(quotient)
        by_name = (
            around_ is not None and around_.type == "init_declarator" and self.names.suspected(name) & Quantity.WARP
        )
        if by_name and self.values.constant(quotient) is None:
            return True
        return bool(name) and self._is_number_of_warps(name, quotient.start_byte)

    def _is_number_of_warps(self, name: bytes, offset: int) -> bool:
        """Whether a variable is set against lanes or warps, or bounds what counts groups of 32 lanes."""
        if self.quantities.meets(name, offset, Quantity.LANE | Quantity.WARP):
            return True
        return any(sign == b"<" and self._steps_by_lanes(other) for sign, other in self.quantities.met_by(name, offset))

    def _steps_by_lanes(self, counter: Node, whole: bool = True) -> bool:
        """Whether a variable times 32, or the variable itself, has a lane added to it."""
        if counter.type != "identifier":
            return False
        met = self.quantities.met_by(text(counter), counter.start_byte)
        if not whole:
            return any(sign == b"+" and self.quantities.of(other) & Quantity.LANE for sign, other in met)
        factors = [other for sign, other in met if sign == b"*" and self.values.constant(other) == 32]
        sums = ((outer(one.parent), one.parent) for one in factors if one.parent is not None)
        return any(sum_ is not None and is_sum(sum_) and self._adds_lane(sum_, part) for sum_, part in sums)

    def _holds_warps(self, array: Node, found: Quantity) -> bool:
        name = text(array.child_by_field_name("declarator"))
        if b"arps" in name or "warp" in self.names.words(name):
            return True
        around = next((one for one in tree_sitter_nodes.ancestors(array) if one.type.endswith("declaration")), None)
        if found & Quantity.BLOCK and around is not None and b"__shared__" in text(around).partition(b"=")[0]:
            return True
        return any(one & Quantity.WARP for one in self.quantities.indexed_by(name, array.start_byte))

    def _is_part_of_lane(self, share: Node) -> bool:
        """Whether each lane has as much: a lane is multiplied with it elsewhere."""
        met = self.quantities.met_by(text(bare(share)), share.start_byte)
        return any(sign == b"*" and self.quantities.of(other) & Quantity.LANE for sign, other in met)

    def _makes_threads(self, product: Node) -> bool:
        """Whether a multiple of 32 becomes a number of threads that is divided by 32 again."""
        name = made(product)
        met = list(self.quantities.met_by(name, product.start_byte))
        if any(sign == b"<" and self._steps_by_lanes(other, whole=False) for sign, other in met):
            return True
        if not self.names.suspected(name) & Quantity.THREADS:
            return False
        return any(sign in (b"/", b">>") and self.values.constant(other) in (32, 5) for sign, other in met)

    def _adds_lane(self, sum_: Node, part: Node) -> bool:
        """Whether a lane is among what a sum adds to one of its parts."""
        while sum_.parent is not None and is_sum(outer(sum_)):
            around = outer(sum_)
            assert around is not None
            sum_ = around
        waiting = [sum_]
        while waiting:
            node = waiting.pop()
            if is_sum(node):
                waiting.extend(one for side in node.named_children if (one := bare(side)) is not None)
            elif node != part and self.quantities.of(node) & Quantity.LANE:
                return True
        return False

    def _parameter(self, node: Node, listed: Node) -> Quantity:
        """What the parameter measures that an argument goes to, where the file defines the function."""
        for function, name in self._takers(node, listed, listed.type == "template_argument_list"):
            used = self.quantities.uses(function.body.start)
            meets = any(self.quantities.of(other) & Quantity.LANE for sign, other in used.met.get(name, ()))
            return self.names.suspected(name) | (Quantity.WARPS if meets else Quantity.NONE)
        return Quantity.NONE

    def _takers(self, node: Node, listed: Node, template: bool) -> Iterator[tuple[Function, bytes]]:
        """The functions of the file that an argument may go to, each with the parameter that takes it."""
        given = tree_sitter_nodes.elements(listed)
        at = next((n for n, one in enumerate(given) if one.start_byte <= node.start_byte < one.end_byte), -1)
        name = callee(listed).decode("latin-1")
        for function in self.parsed.functions if at >= 0 else ():
            if function.name == name:
                names = self._parameters(function.span.start, template)
                yield from ((function, one) for one in names[at : at + 1])

    def _parameters(self, start: int, template: bool) -> list[bytes]:
        node = self.parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        while node is not None and node.type != ("template_declaration" if template else "function_definition"):
            node = node.parent
        holder = node
        while holder is not None and holder.child_by_field_name("parameters") is None:
            holder = holder.child_by_field_name("declarator")
        listed = holder.child_by_field_name("parameters") if holder is not None else None
        return [declared_name(one) for one in (listed.named_children if listed is not None else ())]

    def _in_first_warp(self, node: Node) -> bool:
        """Whether only the first warp comes to a place and goes on without barriers."""
        for condition, body in conditions(self.parsed, node):
            kinds = {self._first_warp(one) for one in comparisons(condition)}
            works = self.quantities.works_within(body.start_byte, body.end_byte) or b"volatile" in text(body)
            if "warp" in kinds or ("threads" in kinds and works):
                return True
        return False

    def _first_warp(self, term: Node) -> str:
        left, right = term.child_by_field_name("left"), term.child_by_field_name("right")
        sign, bound = text(term.child_by_field_name("operator")), self.values.constant(right)
        if sign == b"==" and bound == 0 and self.quantities.of(left) & Quantity.WARP:
            return "warp"
        some = self.quantities.of(left) & (Quantity.THREAD | Quantity.PLACE)
        return "threads" if sign == b"<" and bound == 32 and some else ""
