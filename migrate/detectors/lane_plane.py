"""`threadIdx.x` taken for a lane in blocks whose rows are no whole warps."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.launched_blocks import blocks
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit
from cudamigrate.warp.lane_code import facts, has_lane_words

WORDS = (b"dim3",)

_ROW = re.compile(rb"threadIdx\.x\b(?!.*threadIdx\.y)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane numbers of `threadIdx.x` alone, in kernels that the file launches in such blocks and in no others."""
    if b"threadIdx.x" not in parsed.data or not has_lane_words(parsed):
        return
    lanes = facts(parsed)
    shapes = _shapes(parsed)
    for unit in lanes.units.values():
        known = shapes.get(unit.name, [])
        if not known or not all(shape is not None and shape[1] > 1 and shape[0] % 32 for shape in known):
            continue
        for span in unit.counts:
            if _ROW.match(parsed.data, span.start, span.end) is not None:
                words = {"rows": str(known[0][0] if known[0] is not None else "")}
                use = parsed.named_use("32", span)
                yield Hit("warp/lane-in-plane", use, words)


def _shapes(parsed: ParsedFile) -> dict[str, list[tuple[int, int] | None]]:
    """The blocks that each kernel is launched with, by its name: width and height, None where not seen."""
    shapes: dict[str, list[tuple[int, int] | None]] = {}
    for one in blocks(parsed):
        shapes.setdefault(one.kernel, []).append(one.shape)
    return shapes
