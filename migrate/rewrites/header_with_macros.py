"""A header of ROCm that has the interface which converted code uses only where macros are defined before it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Define the macros, the words after the header's path, unless they are, and include the header.

    Each file that includes it defines them: what the header makes of its names is then the same in all of them, and no
    build file has to be changed. No edits where something is before the directive on its line.
    """
    header, *macros = words
    data = parsed.data
    line = data.rfind(b"\n", 0, use.extent.start) + 1
    if data[line : use.extent.start].strip(b" \t\xef\xbb\xbf"):
        return []
    if any(one.path == use.name and not one.conditional and one.span.start < use.span.start for one in parsed.includes):
        macros = []  # an earlier line of the file has defined them
    end = newline(data)
    text = b"".join(
        end.join([b"#ifndef " + macro.encode(), b"#define " + macro.encode(), b"#endif", b""]) for macro in macros
    )
    return [Edit(Span(use.extent.start, use.span.end), text + b"#include <" + header.encode() + b">")]
