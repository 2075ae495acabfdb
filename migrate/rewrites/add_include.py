"""Include a header that the file needs and lacks."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import addition, addition_for
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line for the header that `words` name, or else the use, after the include block."""
    return [addition(parsed, words[0]) if words else addition_for(parsed, use.name)]
