"""Functions of CUB that give the number of a lane or of a warp."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.library_names import names, qualified
from cudamigrate.warp.sources import libraries

WORDS = (b"LaneId", b"WarpId", b"LaneMask")

_CALLED = re.compile(rb"\b(?:LaneId|WarpId|LaneMask[LG][te])\s*\(\s*\)")
"""A call of CUB for a lane, a warp or a mask of lanes: `LaneId()`, `WarpId()`, `LaneMaskLt()`, `LaneMaskGe()`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls, behind aliases and `using` too; functions of these names that the file declares are its own."""
    functions = libraries()["CUB"].functions
    owners, bare = names(parsed, functions)
    for match in parsed.lexed.matches(_CALLED):
        name = match[0].partition(b"(")[0].rstrip()
        start = qualified(parsed, match.start(), owners, bare, name)
        if start < 0 or name.decode() not in functions or parsed.hip(match.start()) is not None:
            continue
        span, extent = Span(start, match.start() + len(name)), Span(start, match.end())
        use = Use("call", name.decode(), span, extent, (), parsed.scope(start), parsed.certainty(start))
        yield Hit("warp/cub-lane", use, {"name": name.decode(), "ours": functions[name.decode()]})
