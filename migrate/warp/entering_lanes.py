"""How many lanes of a wavefront come to a place: the conditions around it, worked out for each thread of a block.

The threads of the blocks that a kernel is launched with are put in one by one. What is the same for all threads of a
block (`blockIdx`, a kernel's parameters) has one value that nobody knows; a condition that needs anything else leaves
out nobody. No name says which thread it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.launched_blocks import blocks
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.block_threads import BlockThreads, Number, joined

Condition = tuple[Node, bool]
"""An expression, and whether it is true at the place."""

_ROW: tuple[tuple[int, int], ...] = ((256, 1),)
_PLANES = ((16, 16), (32, 8), (8, 32))
"""Blocks that are tried where no launch is seen: of one dimension, or of two where a second index is asked for."""
_SECOND = (b"threadIdx.y", b"threadIdx.z", b"blockDim.y", b"blockDim.z")
_LEAVES = ("return_statement", "continue_statement", "break_statement")
_EQUALITIES = {b"==": True, b"!=": False}
_SHORT = {b"&&": True, b"||": False}
"""Operators that ask for their right side only where the left one is so."""
_THREADS = 1024


def one_lane(parsed: ParsedFile, place: Node, wave: int) -> bool:
    """Whether at most one lane of each wavefront of `wave` lanes comes to a place of device code."""
    conditions = conditions_at(parsed, place)
    if not conditions:
        return False
    return all(_is_lone(BlockThreads(parsed, shape), conditions, wave) for shape in _shapes(parsed, place))


def is_alone(parsed: ParsedFile, offset: int) -> bool:
    """Whether at most one lane of each wavefront of the target's GPUs comes to what begins at an offset."""
    place = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    return place is not None and one_lane(parsed, place, 64 if any_wide(parsed.target.arch) else 32)


def _shapes(parsed: ParsedFile, place: Node) -> tuple[tuple[int, int], ...]:
    """The blocks that the function around a place may run in: those of its launches, else usual ones."""
    function = parsed.function(place.start_byte)
    if function is None:
        return _PLANES
    seen = {one.shape for one in blocks(parsed) if one.kernel == function.name}
    if seen and None not in seen:
        return tuple(shape for shape in seen if shape is not None and shape[0] * shape[1] <= _THREADS)
    asked = parsed.data[function.span.start : function.span.end]
    return _PLANES if any(word in asked for word in _SECOND) else _ROW


class _Leaving:
    """The statements of blocks that leave on a condition, looked for once in each block."""

    def __init__(self, _parsed: ParsedFile) -> None:
        self._of = dict[int, list[tuple[int, Node]]]()

    def before(self, block: Node, start: int) -> Iterator[Node]:
        """The conditions of those of a block that are before a place."""
        known = self._of.get(block.id)
        if known is None:
            found = ((one.start_byte, leaving(one)) for one in block.named_children)
            known = self._of[block.id] = [(at, condition) for at, condition in found if condition is not None]
        return (condition for at, condition in known if at < start)


def conditions_at(parsed: ParsedFile, place: Node) -> list[Condition]:
    """All that holds at a place of a function: see `_around`; joined conditions are taken apart."""
    return [one for condition in _around(place, parsed.once(_Leaving)) for one in _parts(*condition)]


def _around(place: Node, leaving: _Leaving) -> Iterator[Condition]:
    """What holds at a place: conditions of the branches and choices that it is in, and of those that left before it."""
    inner = place
    for around in tree_sitter_nodes.ancestors(place):
        if around.type in ("if_statement", "conditional_expression"):
            condition = around.child_by_field_name("condition")
            taken = around.child_by_field_name("consequence") == inner
            if condition is not None and condition != inner:
                yield condition, taken
        if around.type == "binary_expression" and around.child_by_field_name("right") == inner:
            left, sign = around.child_by_field_name("left"), text(around.child_by_field_name("operator"))
            if left is not None and sign in _SHORT:
                yield left, _SHORT[sign]
        if around.type == "compound_statement":
            for condition in leaving.before(around, inner.start_byte):
                yield condition, False
        if around.type in ("function_definition", "lambda_expression"):
            return
        inner = around


def leaving(statement: Node) -> Node | None:
    """The condition under which a statement leaves the block that it is in: `if (tid) return;`."""
    if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
        return None
    body = statement.child_by_field_name("consequence")
    while body is not None and body.type == "compound_statement" and body.named_child_count:
        body = body.named_children[-1]
    return statement.child_by_field_name("condition") if body is not None and body.type in _LEAVES else None


def _parts(condition: Node, holds: bool) -> Iterator[Condition]:
    """The conditions that must all hold for one to hold."""
    waiting: list[Condition] = [(condition, holds)]
    while waiting:
        node, wanted = waiting.pop()
        while node.type in ("parenthesized_expression", "condition_clause") and node.named_child_count == 1:
            node = node.named_children[0]
        sign = text(node.child_by_field_name("operator"))
        if node.type == "unary_expression" and sign == b"!":
            waiting += [(one, not wanted) for one in node.named_children]
        elif node.type == "binary_expression" and sign == (b"&&" if wanted else b"||"):
            waiting += [(one, wanted) for one in node.named_children]
        else:
            yield node, wanted


def _is_lone(block: BlockThreads, conditions: list[Condition], wave: int) -> bool:
    """Whether conditions leave no two threads of a wavefront of so many lanes."""
    left = {thread: [thread // wave] for thread in range(block.shape[0] * block.shape[1])}
    for node, wanted in conditions:
        found = _distances(block, node, wanted, list(left))
        for thread, one in found.items():
            if one.value and not one.of_block:
                del left[thread]
            else:
                left[thread].append(one.value)
    return max(Counter(map(tuple, left.values())).values(), default=0) <= 1


def _distances(block: BlockThreads, node: Node, wanted: bool, threads: list[int]) -> dict[int, Number]:
    """For each thread a number that is 0 where a condition holds; none for a condition that is not understood.

    Two threads whose numbers differ are never both left, also where the numbers rest on the block.
    """
    is_compared = node.type == "binary_expression"
    equal = _EQUALITIES.get(text(node.child_by_field_name("operator"))) if is_compared else None
    found = {}
    for thread in threads:
        block.turn_to(thread)
        sides = [block.number(one) for one in (node.named_children[:2] if equal == wanted else (node,))]
        numbers = [one for one in sides if one is not None]
        if len(numbers) != len(sides):
            return {}
        if len(numbers) == 2:
            number = joined(numbers[0].value - numbers[1].value, numbers)
        else:
            number = numbers[0]._replace(value=int(not numbers[0].value)) if wanted else numbers[0]
            if number.of_block and wanted:
                return {}
        found[thread] = number
    return found
