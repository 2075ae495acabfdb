"""Shifts of integers by as many bits as they have, or more, in device code: NVIDIA's GPUs give zero, AMD's do not.

In code that HIP compiles as it is, lanes go up to 63, and so do shifts by the number of one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use
from cudamigrate.warp.masked_results import is_cleared
from cudamigrate.warp.shift_amounts import (
    ShiftAmounts,
    beyond_warp,
    by_table,
    counted_in_macros,
    in_device_code,
    in_macros,
    in_macros_by_tables,
)
from cudamigrate.warp.tree_queries import span
from cudamigrate.warp.wide_counts import by_wide_count

WORDS = (b"<<", b">>")
IN_HIP = True
"""Code that HIP alone compiles is read too."""
_WORDS = {
    32: {"bits": "32", "low": "five", "cure": "Shift 64 bits, or ask before"},
    64: {"bits": "64", "low": "six", "cure": "Ask for it before"},
}
"""What a finding says of a type's width."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Those whose amount is shown to leave 0 to 31, or 63, in code and in the bodies of macros."""
    yield from _in_code(parsed)
    yield from _in_macros(parsed)


def _in_macros(parsed: ParsedFile) -> Iterator[Hit]:
    """Those in the bodies of macros whose amount is a lane's number, or a count of lanes as device code gives it."""
    for shift, found in counted_in_macros(parsed):
        if parsed.hip(shift.start_byte) is None:
            yield _hit(parsed, shift, "warp/wide-shift", found)
    yield from _by_tables(parsed)
    for node, amount in parsed.once(in_macros):
        amounts = parsed.once(ShiftAmounts)
        if parsed.hip(node.start_byte) is not None or not amounts.is_of_32_bits(node.child_by_field_name("left")):
            continue
        found = amounts.beyond_by_value(amount)
        if " in lane " in found and not is_cleared(parsed, node, amount):
            yield _hit(parsed, node, "warp/wide-shift", found)


def _by_tables(parsed: ParsedFile) -> Iterator[Hit]:
    """Those in the bodies of macros by an element of a table."""
    for shift, found in in_macros_by_tables(parsed):
        if parsed.hip(shift.start_byte) is None:
            yield _hit(parsed, shift, "warp/wide-shift", found.amount, found.width)


def _hit(parsed: ParsedFile, node: Node, rule: str, amount: str, width: int = 32) -> Hit:
    """The hit for a shift of a value with so many bits."""
    place = span(node)
    spelled = " ".join(text(node).decode("latin-1").split())
    use = Use("name", spelled, place, place, (), "device", parsed.certainty(place.start))
    return Hit(rule, use, {"shift": spelled, "amount": amount, **_WORDS[width]})


def _in_code(parsed: ParsedFile) -> Iterator[Hit]:
    for node, amount in parsed.once(in_device_code):
        hip = parsed.hip(node.start_byte)
        if hip is False:
            continue
        amounts = parsed.once(ShiftAmounts)
        listed = by_table(parsed, node, amount) if hip is None else None
        if listed is not None:
            yield _hit(parsed, node, "warp/wide-shift", listed.amount, listed.width)
            continue
        if not amounts.is_of_32_bits(node.child_by_field_name("left")):
            yield from _in_64_bits(parsed, node, amount)
            continue
        most = beyond_warp(parsed, amount)
        own = hip is True or parsed.once(is_native)
        found = "" if hip or (own and most) or is_cleared(parsed, node, amount) else amounts.beyond(amount)
        if most and not found:
            found = f"up to {most} on a wave of 64 lanes"
        if found:
            yield _hit(parsed, node, "warp/lane-shift" if own and most else "warp/wide-shift", found)


def _in_64_bits(parsed: ParsedFile, node: Node, amount: Node) -> Iterator[Hit]:
    """What is wrong with a shift that is not of 32 bits: by a count of lanes, or by what is shown to reach 64."""
    if (count := by_wide_count(parsed, node, amount)) is not None:
        yield _hit(parsed, node, "warp/wave-mask-shift" if count.of_wave else "warp/wide-shift", count.amount, 64)
        return
    amounts = parsed.once(ShiftAmounts)
    if parsed.hip(node.start_byte) is not None or parsed.once(is_native):
        return
    if amounts.width(node.child_by_field_name("left")) == 64 and not is_cleared(parsed, node, amount, 64):
        found = amounts.beyond(amount, 64)
        if found:
            yield _hit(parsed, node, "warp/wide-shift", found, 64)
