"""Take a word out, with the blanks that follow it on its line."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_BLANKS = re.compile(rb"[ \t]*")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One deletion; where nothing follows on the line, the blanks before the word stay.

    A condition on the word, `#ifdef CUDART_CB`, would be left without it.
    """
    directive = parsed.lexed.directive_at(use.span.start)
    if directive is not None and directive.name != "define":
        return []
    blanks = _BLANKS.match(parsed.data, use.span.end)
    end = use.span.end if blanks is None else blanks.end()
    return [Edit(Span(use.span.start, end), b"")]
