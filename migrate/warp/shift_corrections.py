"""Branches for the host that correct shifts by the full width, which NVIDIA's GPUs clamp and nobody else does.

`over = x >> (BITS - n)` is zero for `n == 0` on NVIDIA's GPUs. Elsewhere C++ gives it no meaning, and the processor of
the host and AMD's GPUs take the low bits of the amount, so that nothing is shifted: code puts what follows behind
`#ifndef __CUDA_ARCH__`. AMD needs it as the host does.

Source: PTX manual, `shl` and `shr`; AMD instruction set manuals, `V_LSHLREV_B32`; C++ standard, [expr.shift].
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import is_bounded
from cudamigrate.warp.tree_queries import bare

_HOST_ALONE = re.compile(
    rb"#[ \t]*(?:ifndef[ \t]+__CUDA_ARCH__|if[ \t]*!(?:[ \t]*defined)?[ \t]*\(?[ \t]*__CUDA_ARCH__[ \t]*\)?)"
    rb"[ \t]*(?://.*|/\*.*)?"
)
"""A condition that holds in the host's pass alone, with nothing else in it: `#ifndef __CUDA_ARCH__`."""
_GIVEN = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "init_declarator")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_OTHERS = tree_sitter_nodes.Kinds("cuda", "call_expression", "update_expression", "init_declarator", "return_statement")
"""What code has that does more than correct a value."""
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_FUNCTIONS = ("function_definition", "lambda_expression")


def corrected(parsed: ParsedFile, directive: Directive) -> str:
    """The shift that the branch of a directive corrects for the host; empty where it does something else.

    Everything that the branch changes was shifted before, in the same function, by an amount that no condition bounds,
    and the branch names nothing but that and what the amounts are made of.
    """
    start, end = directive.end, _end(parsed, directive)
    if not end or not _HOST_ALONE.fullmatch(parsed.data[directive.start : directive.end].strip()):
        return ""
    function = _function(parsed, start, end)
    if function is None or any(start <= one.start_byte < end for one in _OTHERS.below(function)):
        return ""
    changed = {text(one.child_by_field_name("left")) for one in _CHANGES.below(function) if _is_in(one, start, end)}
    shifts = {name: shift for name, shift in _shifts(parsed, function, start) if name in changed}
    if not changed or shifts.keys() != changed:
        return ""
    made = {text(one) for shift in shifts.values() for one in _NAMES.below(_amount(shift))}
    named = {text(one) for one in _NAMES.below(function) if _is_in(one, start, end)}
    asked = {name for name in named - changed if name in made and Values.of(parsed).constants().get(name) is None}
    return " ".join(text(shifts[min(shifts)]).decode("latin-1").split()) if asked and named <= changed | made else ""


def _end(parsed: ParsedFile, directive: Directive) -> int:
    """Where the branch of a conditional ends that has no other; 0 where it has."""
    depth, directives = 1, parsed.lexed.directives
    at = bisect_right(directives, directive.start, key=lambda one: one.start)
    for one in itertools.islice(directives, at, None):
        depth += one.name in ("if", "ifdef", "ifndef")
        depth -= one.name == "endif"
        if depth == 0:
            return one.start
        if depth == 1 and one.name.startswith("el"):
            return 0
    return 0


def _function(parsed: ParsedFile, start: int, end: int) -> Node | None:
    node = parsed.tree.root_node.descendant_for_byte_range(start, end - 1)
    around = tree_sitter_nodes.ancestors(node) if node is not None else ()
    return next((one for one in around if one.type in _FUNCTIONS), None)


def _is_in(node: Node, start: int, end: int) -> bool:
    return start <= node.start_byte < end


def _amount(shift: Node) -> Node:
    found = bare(shift.child_by_field_name("right"))
    return shift if found is None else found


def _shifts(parsed: ParsedFile, function: Node, end: int) -> Iterator[tuple[bytes, Node]]:
    """The variables that get a shift before a place, by an amount made of names that nothing bounds below the width."""
    for given in _GIVEN.below(function):
        left = given.child_by_field_name("left") or given.child_by_field_name("declarator")
        value = bare(given.child_by_field_name("right") or given.child_by_field_name("value"))
        if given.end_byte > end or value is None or value.type != "binary_expression":
            continue
        amount = _amount(value)
        names = {text(one).decode("latin-1") for one in _NAMES.below(amount)}
        masked = amount.type == "binary_expression" and text(amount.child_by_field_name("operator")) in (b"%", b"&")
        if text(value.child_by_field_name("operator")) not in (b"<<", b">>") or not names or masked:
            continue
        if not is_bounded(amount, names):
            yield text(left), value
