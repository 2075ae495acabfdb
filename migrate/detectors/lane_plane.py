"""`threadIdx.x` taken for a lane in blocks whose rows are no whole warps."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.lane_code import Lanes, facts, has_lane_words

WORDS = (b"dim3",)

_BLOCK = re.compile(rb"\bdim3\s+(?P<name>\w+)\s*(?:=\s*(?:dim3\s*)?)?[({](?P<sizes>[^(){};]*)[)}]\s*[,;]")
"""A variable for a block: `dim3 b(32, 4);`, `dim3 b = dim3(32, 4);`, `dim3 b{32, 4};`; no calls among the sizes."""
_DIRECT = re.compile(rb"dim3\s*[({](?P<sizes>[^(){};]*)[)}]")
_ROW = re.compile(rb"threadIdx\.x\b(?!.*threadIdx\.y)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane numbers of `threadIdx.x` alone, in kernels that the file launches in such blocks and in no others."""
    if b"threadIdx.x" not in parsed.data or b"dim3" not in parsed.data or not has_lane_words(parsed):
        return
    lanes = facts(parsed)
    shapes = _shapes(parsed, lanes)
    for unit in lanes.units.values():
        known = shapes.get(unit.name, [])
        if not known or not all(shape is not None and shape[1] > 1 and shape[0] % 32 for shape in known):
            continue
        for span in unit.counts:
            if _ROW.match(parsed.data, span.start, span.end) is not None:
                words = {"rows": str(known[0][0] if known[0] is not None else "")}
                use = Use("name", "32", span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
                yield Hit("warp/lane-in-plane", use, words)


def _shapes(parsed: ParsedFile, lanes: Lanes) -> dict[str, list[tuple[int, int] | None]]:
    """The blocks that each kernel is launched with, by its name: width and height, None where not seen."""
    shapes: dict[str, list[tuple[int, int] | None]] = {}
    for use in parsed.uses:
        if use.kind == "launch" and use.name and len(use.args) > 1:
            shapes.setdefault(use.name, []).append(_shape(parsed, lanes, use.args[1]))
    return shapes


def _shape(parsed: ParsedFile, lanes: Lanes, argument: Span) -> tuple[int, int] | None:
    """What the second launch argument says of the block."""
    start, block = argument.start, parsed.data[argument.start : argument.end]
    match = _DIRECT.fullmatch(block)
    if match is None:
        function = parsed.function(start)
        begin = 0 if function is None else function.span.start
        made = [one for one in _BLOCK.finditer(parsed.data, begin, start) if one["name"] == block]
        match = made[0] if len(made) == 1 else None
    if match is None:
        return None
    sizes = [lanes.values.spelled(size) for size in match["sizes"].split(b",")]
    if len(sizes) < 2 or sizes[0] is None or sizes[1] is None:
        return None
    return sizes[0], sizes[1]
