"""Shifts of 64 bits by a count that may be all 64 lanes of a wave: `(1ull << n) - 1`, and such of a template's type."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.counted_amounts import SIZE
from cudamigrate.warp.counted_shifts import CountedShifts
from cudamigrate.warp.integer_ranges import LONG, ULONG
from cudamigrate.warp.tree_queries import bare
from cudamigrate.warp.value_ranges import ValueRanges
from cudamigrate.warp.vote_widths import WAVE

_DEPTH = 12


class WideCount(NamedTuple):
    """By what a value is shifted, in words, and whether that counts the lanes of a wave that voted."""

    amount: str
    of_wave: bool


def by_wide_count(parsed: ParsedFile, shift: Node, amount: Node) -> WideCount | None:
    """How a shift of 64 bits is by 64: by a count that is clamped, of bits, or of lanes; None where none shows it.

    A value of a template's type has at least a bit for each lane where the mask that it makes meets votes.
    """
    left = shift.child_by_field_name("left")
    rank = ValueRanges.of_file(parsed).rank(left, _DEPTH)
    if rank not in (LONG, ULONG) and (rank is not None or not _is_of_template(left)):
        return None
    counts = parsed.once(_of_waves)
    found = counts.counted(amount)
    return None if found is None else WideCount(counts.said(found), found.kind == SIZE)


def _of_waves(parsed: ParsedFile) -> CountedShifts:
    return CountedShifts(parsed, WAVE)


def _is_of_template(value: Node | None) -> bool:
    """Whether a value is cast to a type that the template around is given."""
    inner = bare(value)
    if inner is None or inner.type != "cast_expression":
        return False
    spelled = text(inner.child_by_field_name("type")).strip()
    around = (one for one in tree_sitter_nodes.ancestors(inner) if one.type == "template_declaration")
    listed = (one.child_by_field_name("parameters") for one in around)
    names = (one.named_children[0] for held in listed if held for one in held.named_children if one.named_children)
    return any(text(one) == spelled for one in names)
