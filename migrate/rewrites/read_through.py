"""Read through the pointer that a call is given, in place of the call: `__ldg(p + 1)` becomes `(*(p + 1))`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_NAME = re.compile(rb"[A-Za-z_]\w*")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit before the argument and one behind it, which keeps its text; brackets where it is no plain name."""
    if len(use.args) != 1:
        return []
    given = use.args[0]
    plain = _NAME.fullmatch(parsed.data, given.start, given.end) is not None
    before, after = (b"(*", b")") if plain else (b"(*(", b"))")
    return [Edit(Span(use.extent.start, given.start), before), Edit(Span(given.end, use.extent.end), after)]
