"""Take back a macro above the line of a use."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line of its own, `#undef NAME`; `words` is empty."""
    start = parsed.data.rfind(b"\n", 0, use.span.start) + 1
    end = b"\r\n" if parsed.data[:start].endswith(b"\r\n") else b"\n"
    return [Edit(Span(start, start), b"#undef " + use.name.encode() + end)]
