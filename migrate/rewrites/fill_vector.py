"""Write the components of a vector that its braces leave out: they are zero."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_ZERO = re.compile(rb"0(?:\.0*)?[fF]?|\.0+[fF]?")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: `{0.0f}` of a `float4` becomes `{0.0f, 0.0f, 0.0f, 0.0f}`, and `{a, b}` `{a, b, 0, 0}`."""
    first, end = use.args[0], use.args[-1].end
    text = parsed.data[first.start : first.end]
    zero = text if _ZERO.fullmatch(text) is not None else b"0"
    return [Edit(Span(end, end), (b", " + zero) * (int(use.name[-1]) - len(use.args)))]
