"""Rename a call and cast pointers that HIP's function takes as pointers to another type: `__half` to `hipblasHalf`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_BINDS = re.compile(rb"&?\s*[A-Za-z_]\w*(?:\s*(?:\.|->)\s*[A-Za-z_]\w*|\s*\[\s*\w+\s*\])*")
"""An argument that a cast before it is a cast of: `a`, `&alpha`, `plan->rows[i]`."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the new name, how many arguments the call has, and what some of them are cast to: `7=hipblasHalf *`.

    What is no call is renamed alone; a call with another number of arguments is left.
    """
    name, count, *casts = words
    renamed = Edit(Span(use.span.start, use.span.start + len(use.name)), name.encode())
    if use.kind != "call":
        return [renamed]
    if len(use.args) != int(count):
        return []
    types = dict(cast.split("=", 1) for cast in casts)
    return [renamed, *(edit for place, kind in types.items() for edit in _cast(parsed, use.args[int(place) - 1], kind))]


def _cast(parsed: ParsedFile, given: Span, kind: str) -> Iterator[Edit]:
    """The edits that cast an argument as C does, which takes a null pointer too."""
    alone = _BINDS.fullmatch(parsed.data, given.start, given.end) is not None
    yield Edit(Span(given.start, given.start), f"({kind}){'' if alone else '('}".encode())
    if not alone:
        yield Edit(Span(given.end, given.end), b")")
