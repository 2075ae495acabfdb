"""Warp classes of CUB that leave their number of lanes to the library."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.library_names import names, qualified
from cudamigrate.warp.sources import libraries

WORDS = (b"Warp",)

_NAME = re.compile(rb"\bWarp[A-Z]\w*(?=\s*<)")
_FARTHEST = 2000


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Classes without the argument, behind aliases and `using` too; the use has the arguments that are there."""
    widths = libraries()["CUB"].widths
    owners, bare = names(parsed, widths)
    for match in parsed.lexed.matches(_NAME, b"Warp"):
        place = widths.get(match[0].decode())
        if place is None or parsed.hip(match.start()) is not None:
            continue
        start = qualified(parsed, match.start(), owners, bare, match[0])
        if start < 0:
            continue
        hit = _hit(parsed, start, match, place)
        if hit is not None:
            yield hit


def _hit(parsed: ParsedFile, start: int, match: re.Match[bytes], place: int) -> Hit | None:
    opening = parsed.data.index(b"<", match.end())
    closing = parsed.lexed.angle_closing(opening, min(len(parsed.data), opening + _FARTHEST))
    if closing < 0:
        return None
    args = parsed.arguments(opening, closing)
    if not 0 < len(args) < place:
        return None
    name, extent = match[0].decode(), Span(start, closing + 1)
    scope, certainty = parsed.scope(start), parsed.certainty(start)
    use = Use("call", name, Span(start, match.end()), extent, args, scope, certainty)
    return Hit("library/cub-warp-size", use, {"name": name})
