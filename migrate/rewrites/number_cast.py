"""Cast between a number and a texture or surface object, which is a pointer for HIP."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_WHOLE = re.compile(rb"[-+~]*\w+|\(.*\)", re.DOTALL)
"""What a cast binds to as a whole."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The other kind of cast in the place of `static_cast`, or a cast to the type that the use is named by."""
    start, end = use.span.start, use.span.end
    if use.name == "reinterpret_cast":
        return [Edit(use.span, use.name.encode())]
    cast = f"({use.name})".encode()
    if _WHOLE.fullmatch(parsed.data, start, end):
        return [Edit(Span(start, start), cast)]
    return [Edit(Span(start, start), cast + b"("), Edit(Span(end, end), b")")]
