"""Warp classes of CUB that leave their number of lanes to the library."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.cuda.parsed_file import ParsedFile
from migrate.lazy_re import re
from migrate.model import Hit, Span, Use

WORDS = (b"Warp",)

_WARP = re.compile(
    rb"(?<![\w:])(?:::)?(?:hip)?cub\s*::\s*(?P<name>Warp(?:Reduce|Scan|Exchange|MergeSort|Load|Store))\s*(?=<)"
)
_BEFORE_SIZE = {
    b"WarpReduce": 1,
    b"WarpScan": 1,
    b"WarpExchange": 2,
    b"WarpMergeSort": 2,
    b"WarpLoad": 3,
    b"WarpStore": 3,
}
_FARTHEST = 2000


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Classes without the argument; the arguments of the use are those that are there."""
    if parsed.named_for_amd:
        return
    for match in parsed.lexed.matches(_WARP, b"Warp"):
        opening = match.end()
        closing = parsed.lexed.angle_closing(opening, min(len(parsed.data), opening + _FARTHEST))
        if closing < 0 or parsed.hip(match.start()) is not None:
            continue
        args = tuple(Span(*pair) for pair in parsed.lexed.arguments(opening, closing))
        if not 0 < len(args) <= _BEFORE_SIZE[match["name"]]:
            continue
        name, extent = match["name"].decode(), Span(match.start(), closing + 1)
        scope, certainty = parsed.scope(extent.start), parsed.certainty(extent.start)
        use = Use("call", name, Span(match.start(), match.end("name")), extent, args, scope, certainty)
        yield Hit("library/cub-warp-size", use, {"name": name})
