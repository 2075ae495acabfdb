"""Write words before the declaration of what a use names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty: the use is named by what is written, and its argument is the place."""
    return [Edit(use.args[0], f"{use.name} ".encode())]
