"""What all threads of a block see alike: variables that change in step, and places in memory that they all name.

Comes in: a function, and what its names mean. Goes out: the variables, and whether an address is one for the block.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.native_wave.lane_idioms import BUILT_IN, Shapes, assignments, below, parameters

_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_STRAY = re.compile(rb"\b(?:continue|break|goto|return)\b")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEPTH = 3


def go_in_step(shapes: Shapes, function: Node) -> None:
    """Add to what is uniform in a kernel the variables that change in step: all that goes into them is uniform."""
    if b"__global__" not in text(function).partition(b"{")[0]:
        return
    given: dict[bytes, list[Node]] = {}
    for left, _, right in assignments(function):
        given.setdefault(text(left), []).append(right)
    table = shapes.values.locals(function.start_byte)
    names = {name for name in given.keys() & table.keys() if shapes.is_one(name) and table[name][0].rank == 0}
    names -= _handed_on(function) if names else set()
    for name in names:
        value = table[name][0].value
        given[name] += [value] if value is not None else []
    shapes.uniform |= names
    while names:
        wrong = {name for name in names if not all(_is_in_step(shapes, function, node) for node in given[name])}
        if not wrong:
            return
        names -= wrong
        shapes.uniform -= wrong


def _is_in_step(shapes: Shapes, function: Node, value: Node) -> bool:
    """Whether all threads come to where a variable is given a value, and find the same one."""
    child = value
    for around in tree_sitter_nodes.ancestors(value):
        if around == function:
            return shapes.is_uniform(value)
        if around.type in _LOOPS and _STRAY.search(text(around)) is not None:
            return False
        condition = around.child_by_field_name("condition")
        if condition is not None and condition != child and not shapes.is_uniform(condition):
            return False
        child = around
    return False


def _handed_on(function: Node) -> set[bytes]:
    """Variables that a call may change: they are given to one as they stand, or to assembly."""
    found: set[bytes] = set()
    for inner in below(function):
        if inner.type == "argument_list":
            found |= {text(one) for one in inner.named_children if one.type == "identifier"}
        elif inner.type == "gnu_asm_expression":
            found |= set(_WORD.findall(text(inner)))
    return found


def is_one_place(shapes: Shapes, node: Node, depth: int = _DEPTH) -> bool:
    """Whether all threads of a block name the same place: `out`, `out + row`, `&out[row]`, `&shared`.

    What a function is given must be one place wherever the file calls it.
    """
    for inner in below(node):
        if inner.type in ("call_expression", "lambda_expression"):
            return False
        if inner.type != "identifier" or text(inner) in shapes.uniform | shapes.places or text(inner) in BUILT_IN:
            continue
        if not depth or not _is_given_one_place(shapes, inner, depth - 1):
            return False
    return True


def _is_given_one_place(shapes: Shapes, name: Node, depth: int) -> bool:
    function = _function(name)
    if function is None or not shapes.is_one(text(name)) or text(name) not in parameters(function):
        return False
    if any(text(left) == text(name) for left, _, _ in assignments(function)):
        return False
    given = shapes.values.given(name)
    for one in given:
        caller = _function(one)
        if caller is None:
            return False
        around = Shapes(shapes.values)
        around.learn(caller)
        if not is_one_place(around, one, depth):
            return False
    return bool(given)


def _function(node: Node) -> Node | None:
    return next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)
