"""Write a function of our headers for one of a library that numbers lanes or warps by the wave of the GPU."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import PTX_HEADER, RUNTIME_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.sources import libraries

_OF_PTX = frozenset(("warp_id",))


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name and the header; nothing in code that keeps the full wavefront, or that stays as it is."""
    unit = facts(parsed).unit(use.span.start)
    if unit is not None and (unit.whole or unit.blocked):
        return []
    ours = libraries()[words[0]].functions[use.name]
    header = PTX_HEADER if ours in _OF_PTX else RUNTIME_HEADER
    made = [Edit(use.span, f"cudamigrate::{ours}".encode())]
    if not any(include.path.endswith(header) for include in parsed.includes):
        made.append(addition(parsed, header))
    return made
