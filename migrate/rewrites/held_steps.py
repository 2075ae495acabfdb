"""Hold the steps that lanes take through shared memory: all read, then all write (`warp.warp_synchronous_edits`)."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp import warp_synchronous_edits
from cudamigrate.warp.warp_synchronous import runs


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The edits for the run that begins at the use: all of its steps or none."""
    for run in runs(parsed):
        if run.first == use.span:
            return warp_synchronous_edits.edits(parsed, run)
    return []
