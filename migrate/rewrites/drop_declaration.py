"""Take out a declaration that is the whole text of a use; its line too, where nothing else is on it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.removed_statements import removed
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty."""
    return [removed(parsed, use.span)]
