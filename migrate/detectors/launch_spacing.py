"""Launch chevrons with blanks in them: nvcc reads `<< <` as `<<<`, hipcc does not."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit

WORDS = (b"<<",)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Launches whose opening or closing chevrons are not in one piece."""
    for use in parsed.uses:
        if use.kind != "launch":
            continue
        opening = parsed.data[use.span.start : use.span.end]
        if opening != b"<<<" or not parsed.data.endswith(b">>>", 0, use.extent.end):
            yield Hit("launch/spaced-chevrons", use, {"kernel": use.name})
