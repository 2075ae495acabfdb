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
from cudamigrate.warp.shift_amounts import WIDTH, ShiftAmounts, beyond_warp
from cudamigrate.warp.tree_queries import bare, span

WORDS = (b"<<", b">>")
IN_HIP = True
"""Code that HIP alone compiles is read too."""
_SHIFTS = tree_sitter_nodes.Kinds("cuda", "binary_expression", "assignment_expression")
_SIGNS = ("<<", ">>", "<<=", ">>=")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Those whose amount is shown to leave 0 to 31."""
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
            place = span(node)
            spelled = " ".join(text(node).decode("latin-1").split())
            use = Use("name", spelled, place, place, (), "device", parsed.certainty(place.start))
            rule = "warp/lane-shift" if own and most else "warp/wide-shift"
            yield Hit(rule, use, {"shift": spelled, "amount": found})


def _is_small(amount: Node) -> bool:
    """Whether an amount is a number below 32, as most are."""
    return amount.type == "number_literal" and text(amount).isdigit() and int(text(amount)) < WIDTH
