"""Backslashes in the path of an include -> the slashes that every compiler takes for folders."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The path with slashes; two backslashes are one separator."""
    spelled = parsed.data[use.span.start : use.span.end]
    return [Edit(use.span, spelled.replace(b"\\\\", b"/").replace(b"\\", b"/"))]
