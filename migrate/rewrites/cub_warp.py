"""Say that a warp class of CUB works on 32 lanes."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.cuda.parsed_file import ParsedFile
from migrate.lazy_re import re
from migrate.model import Edit, Span, Use

_WAVE = re.compile(rb"\b(?:warpSize|(?:CUB_PTX|HIPCUB|CUB)_(?:DEVICE_)?WARP_THREADS|WAVEFRONT\w*)\b")
_PLACE = {"WarpReduce": 1, "WarpScan": 1, "WarpExchange": 2, "WarpMergeSort": 2, "WarpLoad": 3, "WarpStore": 3}


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One more argument; none where another is left out before it, or where the file asks for the size of the wave."""
    if len(use.args) != _PLACE.get(use.name) or _WAVE.search(parsed.data) is not None:
        return []
    end = use.args[-1].end
    return [Edit(Span(end, end), b", 32")]
