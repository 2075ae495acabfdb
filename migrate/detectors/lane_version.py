"""Tests of the CUDA version that choose between warp functions with and without a mask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate import logical_warps
from migrate.lanes import LEGACY, NAMES, facts, has_lane_words
from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile
from migrate.tokens import Directive

_TEST = re.compile(
    rb"\(?\s*(?:defined\s*\(?\s*(?P<name>\w+)\s*\)?\s*&&\s*)?"
    rb"(?P<macro>CUDA(?:RT)?_VERSION|__CUDACC_VER_MAJOR__)\s*(?P<sign>>=|>|<=|<)\s*(?P<version>\d+)\s*\)?"
)
_MASKS_SINCE = {b"__CUDACC_VER_MAJOR__": 9}
"""The first version with masks, 9000 elsewhere; a test for a later one asks for something else besides."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """A single comparison with a version up to CUDA 9, where what it guards is lane code that gets converted.

    A branch with includes asks for more than warp functions, and stays.
    """
    if not (b"CUDA_VERSION" in parsed.data or b"CUDART_VERSION" in parsed.data or b"_VER_MAJOR__" in parsed.data):
        return
    if not has_lane_words(parsed) or facts(parsed).native:
        return
    for number, directive in enumerate(parsed.lexed.directives):
        if directive.name == "if" and asks_for_masks(directive.argument(parsed.data)):
            if not _guards_lane_code(parsed, number):
                continue
            start = parsed.data.index(directive.argument(parsed.data), directive.start)
            span = Span(start, start + len(directive.argument(parsed.data)))
            name = directive.argument(parsed.data).decode("utf-8", "replace")
            yield Hit("warp/version-branch", Use("name", name, span, span, (), "macro", "token"))


def asks_for_masks(condition: bytes) -> bool:
    """Whether a condition asks for CUDA 9, and for nothing else."""
    match = _TEST.fullmatch(condition.strip())
    if match is None or (match["name"] is not None and match["name"] != match["macro"]):
        return False
    return 0 < int(match["version"]) <= _MASKS_SINCE.get(match["macro"], 9000)


def _guards_lane_code(parsed: ParsedFile, number: int) -> bool:
    """Whether the branches of a conditional hold lane code with a mask, all of it converted, and no includes."""
    inside = list(_between(parsed.lexed.directives, number))
    if not inside or any(directive.name in ("include", "elif", "elifdef", "elifndef") for directive in inside):
        return False
    lanes, first, last = facts(parsed), parsed.lexed.directives[number].end, inside[-1].start
    masked = False
    for use in parsed.uses:
        if use.name not in NAMES or not first <= use.span.start < last:
            continue
        unit = lanes.unit(use.span.start)
        if unit is None or logical_warps.reason(lanes, unit):
            return False
        masked |= use.name not in LEGACY
    return masked


def _between(directives: list[Directive], number: int) -> Iterator[Directive]:
    """The directives after a conditional's first one, up to its `#endif` and that included."""
    depth = 1
    for directive in directives[number + 1 :]:
        depth += directive.name in ("if", "ifdef", "ifndef")
        depth -= directive.name == "endif"
        yield directive
        if depth == 0:
            return
