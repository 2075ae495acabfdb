"""Zeros for the components of a vector that its list of values leaves out; or none, for an array of vectors."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One insertion behind the last value; with `none` in `words`, the values of an array go, which are all zero."""
    if "none" in words:
        return [Edit(Span(use.args[0].start, use.args[-1].end), b"")]
    at = use.args[-1].end
    return [Edit(Span(at, at), b", 0" * (int(use.name[-1]) - len(use.args)))]
