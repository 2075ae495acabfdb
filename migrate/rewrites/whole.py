"""Write a name in the place of an expression, where the use is a name in it: the rest has no effect of its own."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is what to write; no edit where the use is the whole expression."""
    return [Edit(use.extent, words[0].encode())] if use.span != use.extent else []
