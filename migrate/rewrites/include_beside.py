"""Include a library's header among those of other libraries: before headers of the project, which may rely on it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import beside
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line; the use names the header."""
    return [beside(parsed, use.name)]
