"""`#pragma unroll` in a macro -> `_Pragma("unroll")`, which every compiler reads after the preprocessor.

Where a use of the macro in its file goes on with a number, `UNROLL 4`, that is a part of the pragma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_NUMBER = re.compile(rb"[ \t]+(\d+)(?=[ \t]*(?:\\?\r?\n|//|/\*))")
"""A number alone behind a use, up to the end of its line."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The whole of the pragma, and each use of the macro that gives it a number. `words` is empty."""
    text = parsed.data[use.span.start : use.span.end].decode("utf-8", "replace").partition("pragma")[2].strip()
    return [Edit(use.span, f'_Pragma("{text}")'.encode()), *_numbered(parsed, use, text)]


def _numbered(parsed: ParsedFile, use: Use, text: str) -> Iterator[Edit]:
    """The uses that give a number; of several definitions of the macro they are the first one's."""
    name = use.name.encode()
    first = re.search(rb"#[ \t]*define[ \t]+%s\b" % name, parsed.data)
    if text[-1].isdigit() or first is None or parsed.data[first.end() : use.span.start].strip(b" \t\\\r\n"):
        return
    for at in parsed.lexed.words(frozenset((name,))):
        number = _NUMBER.match(parsed.data, at + len(name))
        if number is not None:
            yield Edit(Span(at, number.end()), f'_Pragma("{text} {number[1].decode()}")'.encode())
