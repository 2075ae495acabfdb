"""Take out a call that is a statement of its own; its line too, where nothing else is on it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.removed_statements import removed
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty. A call whose value is used stays; one that an `if` decides about leaves its semicolon."""
    before, after = parsed.lexed.before(use.span.start), parsed.lexed.token(use.extent.end)
    if use.kind != "call" or parsed.lexed.text(after) != b";" or after is None:
        return []
    place = parsed.lexed.text(before)
    if before is not None and parsed.lexed.directive_at(before.start) is not None:
        place = b";"  # what is before a directive, as `#if`, ends before it
    if place in (b")", b"else", b"do"):
        return [Edit(use.extent, b"")]
    if place not in (b"{", b"}", b";", b":"):
        return []
    return [Edit(use.extent, b"") if place == b":" else removed(parsed, Span(use.extent.start, after.end))]
