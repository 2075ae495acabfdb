"""Which threads of a block come to a place, where the conditions around it are understood as a whole.

What is the same for all threads of a block leaves out nobody: some block comes by. So does a bound on the number of a
thread in its grid: some block is whole. Any other condition that is not worked out leaves the question open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.block_threads import BlockThreads
from cudamigrate.warp.entering_lanes import Condition, conditions_at, leaving
from cudamigrate.warp.transfer import is_uniform

_LOOPS = frozenset(("while_statement", "do_statement", "for_statement", "for_range_loop"))
_ROUTINES = frozenset(("function_definition", "lambda_expression"))
_LEFT_BY = _LOOPS | {"switch_statement"}
_JUMPS = tree_sitter_nodes.Kinds("cuda", "return_statement", "break_statement", "continue_statement", "goto_statement")
_ORDERS = (b"<", b"<=", b">", b">=")


def reaching(block: BlockThreads, place: Node, threads: Iterable[int]) -> set[int] | None:
    """Those of some threads of a block that come to a place; None where that is not seen."""
    parsed, left = block.parsed, set(threads)
    if not _is_plain(parsed, place):
        return None
    for condition, wanted in (*conditions_at(parsed, place), *_turns(place)):
        gone = _left_out(block, (condition, wanted), left)
        if gone is None:
            return None
        left -= gone
    return left


def _left_out(block: BlockThreads, condition: Condition, threads: set[int]) -> set[int] | None:
    """Those of some threads that a condition does not let through; None where that is not seen."""
    node, wanted = condition
    gone = set[int]()
    for thread in sorted(threads):
        block.turn_to(thread)
        number = block.number(node)
        if number is None:
            is_open = _is_of_grid(block, node) or is_uniform(block.parsed, node)
            return set() if is_open else None
        if number.of_block:
            return None if number.own else set()
        if bool(number.value) != wanted:
            gone.add(thread)
    return gone


def _is_of_grid(block: BlockThreads, condition: Node) -> bool:
    """Whether a condition is a bound on the number of a thread in its grid: `blockIdx.x * blockDim.x + threadIdx.x`."""
    if condition.type != "binary_expression" or text(condition.child_by_field_name("operator")) not in _ORDERS:
        return False
    sides = [block.number(condition.child_by_field_name(side)) for side in ("left", "right")]
    return None not in sides and any(one is not None and one.own and one.of_block for one in sides)


def _turns(place: Node) -> Iterator[Condition]:
    """The conditions of the loops that a place is in the body of."""
    inner = place
    for around in tree_sitter_nodes.ancestors(place):
        if around.type in _ROUTINES:
            return
        test = around.child_by_field_name("condition") if around.type in ("while_statement", "for_statement") else None
        if test is not None and around.child_by_field_name("body") == inner:
            yield (test.child_by_field_name("value") or test), True
        inner = around


def _is_plain(parsed: ParsedFile, place: Node) -> bool:
    """Whether nothing but branches, choices and loops decides who comes to a place."""
    holding = set[int]()
    function: Node | None = None
    for around in tree_sitter_nodes.ancestors(place):
        if around.type == "switch_statement":
            return False
        holding.add(around.id)
        if around.type in _ROUTINES:
            function = around
            break
    if function is None:
        return False
    before = (one for one in _JUMPS.within(parsed.tree.root_node, function) if one.start_byte < place.start_byte)
    return all(parsed.is_dead(one.start_byte) or _is_followed(one, holding) for one in before)


def _is_followed(jump: Node, holding: set[int]) -> bool:
    """Whether a jump before a place passes it by on a condition that is looked at, or does not pass it by at all."""
    local = jump.type in ("break_statement", "continue_statement")
    for around in tree_sitter_nodes.ancestors(jump):
        if around.type == "lambda_expression" and around.id not in holding:
            return True
        if local and around.type in _LEFT_BY and around.id not in holding:
            return True
        if around.id in holding:
            return False
        if around.type == "if_statement" and leaving(around) is not None:
            return around.parent is not None and around.parent.id in holding
    return False
