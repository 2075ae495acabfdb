"""Launches whose blocks a branch for HIP makes smaller than the groups of 32 lanes that the kernel counts."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import launched_blocks, listed_numbers
from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span
from cudamigrate.warp.lane_code import Lanes, facts, has_lane_words

WORDS = (b"<<",)
_LANES = 32
_MOST = 16
"""Sizes of the blocks of one launch that are looked at."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Blocks that are no whole groups of 32 lanes for HIP, and are for CUDA, of a kernel that counts such groups.

    Blocks that are no whole groups for CUDA either are what the kernel is written for.
    """
    if not any(branch.hip is not None for branch in parsed.branches) or not has_lane_words(parsed):
        return
    for use in parsed.uses:
        if use.kind != "launch" or not use.name or len(use.args) < 2 or parsed.hip(use.span.start) is False:
            continue
        parts = [one for one in _sizes(parsed, use.args[1], hip=True) if one % _LANES]
        others = _sizes(parsed, use.args[1], hip=False)
        counting = _counting(facts(parsed), use.name) if parts and others else ""
        if counting and not any(one % _LANES for one in others):
            said = " or ".join(map(str, parts))
            words = {"threads": said, "name": use.name, "function": counting}
            yield Hit("launch/part-groups", parsed.named_use(use.name, use.args[1]), words)


def _sizes(parsed: ParsedFile, block: Span, hip: bool) -> list[int]:
    """The numbers of threads that blocks have for one vendor; none where a size is not seen, or too many are."""
    found = {1}
    for size in launched_blocks.sizes(parsed, node_at(parsed, block.start, block.end)):
        known = listed_numbers.numbers(parsed, size, hip=hip)
        found = {one * other for one in found for other in known}
    return sorted(found) if len(found) <= _MOST else []


def _counting(lanes: Lanes, kernel: str) -> str:
    """The first function that a kernel comes to, or itself, which counts groups of 32 lanes; empty for none."""
    reached = lanes.calls.reached({kernel})
    found = (one for one in lanes.units.values() if one.name in reached and one.counts and not one.whole)
    return next((one.name for one in found), "")
