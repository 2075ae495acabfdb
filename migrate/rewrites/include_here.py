"""Include a header at the start of the conditional branch that needs it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line after the directive that opens the branch."""
    branch = parsed.conditional(use.span.start)
    if branch is None:
        return []
    return [Edit(Span(branch.start, branch.start), newline(parsed.data) + f"#include <{words[0]}>".encode())]
