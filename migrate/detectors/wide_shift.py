"""Shifts of 32-bit integers by 32 bits or more in device code: NVIDIA's GPUs give zero, AMD's take five bits of it.

In code that HIP compiles as it is, lanes go up to 63, and so do shifts by the number of one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import macro_routines
from cudamigrate.warp.reached_shifts import WIDTH
from cudamigrate.warp.shift_amounts import ShiftAmounts, beyond_warp
from cudamigrate.warp.tree_queries import bare, span

WORDS = (b"<<", b">>")
IN_HIP = True
"""Code that HIP alone compiles is read too."""
_SHIFTS = tree_sitter_nodes.Kinds("cuda", "binary_expression", "assignment_expression")
_SIGNS = ("<<", ">>", "<<=", ">>=")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Those whose amount is shown to leave 0 to 31, in code and in the bodies of macros."""
    yield from _in_code(parsed)
    if any(b"<<" in one or b">>" in one for one in _bodies(parsed)):
        yield from _in_macros(parsed)


def _bodies(parsed: ParsedFile) -> Iterator[bytes]:
    """What the file's macros stand for, with their names."""
    return (parsed.data[one.rest : one.end] for one in parsed.lexed.directives if one.name == "define")


def _in_macros(parsed: ParsedFile) -> Iterator[Hit]:
    """Those in the bodies of macros whose amount is made of the number of a lane, which only device code has."""
    _, macros = parsed.once(macro_routines.read)
    for node in (one for macro in macros for one in _SHIFTS.below(macro.body)):
        sign, amount = node.child_by_field_name("operator"), bare(node.child_by_field_name("right"))
        if sign is None or sign.type not in _SIGNS or amount is None or _is_small(amount):
            continue
        amounts = parsed.once(ShiftAmounts)
        if parsed.hip(node.start_byte) is not None or not amounts.is_of_32_bits(node.child_by_field_name("left")):
            continue
        found = amounts.beyond_by_value(amount)
        if " in lane " in found:
            yield _hit(parsed, node, "warp/wide-shift", found)


def _hit(parsed: ParsedFile, node: Node, rule: str, amount: str) -> Hit:
    """The hit for a shift."""
    place = span(node)
    spelled = " ".join(text(node).decode("latin-1").split())
    use = Use("name", spelled, place, place, (), "device", parsed.certainty(place.start))
    return Hit(rule, use, {"shift": spelled, "amount": amount})


def _in_code(parsed: ParsedFile) -> Iterator[Hit]:
    for node in _SHIFTS.below(parsed.tree.root_node):
        sign = node.child_by_field_name("operator")
        if sign is None or sign.type not in _SIGNS:
            continue
        amount = bare(node.child_by_field_name("right"))
        hip = parsed.hip(node.start_byte)
        if amount is None or _is_small(amount) or hip is False or parsed.scope(node.start_byte) != "device":
            continue
        amounts = parsed.once(ShiftAmounts)
        if not amounts.is_of_32_bits(node.child_by_field_name("left")):
            continue
        most = beyond_warp(parsed, amount)
        own = hip is True or parsed.once(is_native)
        found = "" if hip or (own and most) else amounts.beyond(amount)
        if most and not found:
            found = f"up to {most} on a wave of 64 lanes"
        if found:
            yield _hit(parsed, node, "warp/lane-shift" if own and most else "warp/wide-shift", found)


def _is_small(amount: Node) -> bool:
    """Whether an amount is a number below 32, as most are."""
    return amount.type == "number_literal" and text(amount).isdigit() and int(text(amount)) < WIDTH
