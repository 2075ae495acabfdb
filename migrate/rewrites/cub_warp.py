"""Say that a warp class of CUB works on 32 lanes."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.sources import libraries

_WAVE = re.compile(rb"\b(?:HIPCUB_(?:DEVICE_)?WARP_THREADS|WAVEFRONT\w*)\b")
"""What code says that already counts with wavefronts of its own size: `HIPCUB_WARP_THREADS`, `WAVEFRONT_SIZE`."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One more argument; none where another is left out before it, or where the code is written for AMD's wave."""
    unit = facts(parsed).unit(use.span.start)
    whole = unit is not None and (unit.whole or bool(unit.blocked))
    place = libraries()["CUB"].widths.get(use.name, 0)
    if whole or len(use.args) != place - 1 or _WAVE.search(parsed.data) is not None:
        return []
    end = use.args[-1].end
    return [Edit(Span(end, end), b", 32")]
