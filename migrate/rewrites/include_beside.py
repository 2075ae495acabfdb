"""Include a library's header among those of other libraries: before headers of the project, which may rely on it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import addition, block, newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line after the includes in angle brackets that come before the first in quotes; the use names the header."""
    includes = block(parsed)
    leading = list(itertools.takewhile(lambda include: not include.quoted, includes))
    if not leading or len(leading) == len(includes):
        return [addition(parsed, use.name)]
    at = parsed.data.find(b"\n", leading[-1].line.end) + 1
    return [Edit(Span(at, at), f"#include <{use.name}>".encode() + newline(parsed.data))]
