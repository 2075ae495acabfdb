"""Take a word out, with the blanks that follow it on its line."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_NAMED = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_BLANKS = re.compile(rb"[ \t]*")
_NEAR = 200
"""Bytes behind a condition within which the first macro of its branch is looked for."""


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False where a file defines the macro itself, and where it asks whether it has to.

    `#ifndef __grid_constant__`, `#define __grid_constant__` is right with HIP, which has none.
    """
    directive = parsed.lexed.directive_at(use.span.start)
    if directive is None:
        return True
    name = parsed.data[use.span.start : use.span.end]
    if directive.name == "define":
        return directive.argument(parsed.data).split(b"(")[0].split()[:1] != [name]
    following = _NAMED.search(parsed.data, directive.end, directive.end + _NEAR)
    asks = directive.name == "ifndef" or b"!" in directive.argument(parsed.data)
    return not (asks and following is not None and following[1] == name)


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
