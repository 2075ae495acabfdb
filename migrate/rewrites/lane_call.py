"""Keep the 32 lanes of a shuffle, vote or other lane function, and of `warpSize` beside them, or follow the wave.

All warp-level code of one function is converted or none of it; see `migrate/warp/logical_warp_edits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import concerns as is_call
from cudamigrate.warp.lane_code import facts


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False where a name is only declared, and for a call that is right as it is."""
    return is_call(parsed, use) and not logical_warp_edits.is_right(parsed, use)


def group(parsed: ParsedFile, use: Use) -> tuple[str, tuple[str, ...]]:
    """The function whose warp-level code changes together, and the constants of other files that it takes for 32."""
    unit = facts(parsed).unit(use.span.start)
    return ("", ()) if unit is None else (unit.group, unit.borrowed)


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Edits between the arguments of the call, so that calls inside calls change too."""
    return logical_warp_edits.edits(parsed, use)
