"""Give a library's shuffle the 32 lanes that it goes across in CUDA, and take its votes from the caller's half."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import RUNTIME_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.library_waves import counts_wave
from cudamigrate.warp.sources import libraries


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One more argument, or the vote of 32 lanes; nothing in code that is written for AMD's wave."""
    unit = facts(parsed).unit(use.span.start)
    if use.kind != "call" or not use.args or (unit is not None and (unit.whole or unit.blocked)):
        return []
    if counts_wave(parsed, use.span.start):
        return []
    library = libraries()["PyTorch"]
    if use.name in library.votes:
        if len(use.args) != 1:
            return []
        first = use.args[0].start
        return [
            Edit(use.span, b"cudamigrate::" + library.votes[use.name].encode()),
            Edit(Span(first, first), b"0xffffffff, "),
            addition(parsed, RUNTIME_HEADER),
        ]
    if len(use.args) == library.widths.get(use.name, 0) - 1:
        return [Edit(Span(use.args[-1].end, use.args[-1].end), b", 32")]
    return []


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """Whether a call leaves its number of lanes to the library, or votes.

    A shuffle across the wave is right beside functions that work on it, in code that counts with its size.
    """
    library = libraries()["PyTorch"]
    short = len(use.args) < library.widths.get(use.name, 0) and not counts_wave(parsed, use.span.start)
    return use.kind == "call" and (use.name in library.votes or short)
