"""A launch whose grid or block is a list in braces: nvcc makes a `dim3` of it, hipcc reads no braces there."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

WORDS = (b"<<<",)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first two arguments between the chevrons, where one is a list in braces."""
    for use in parsed.uses:
        for span in use.args[:2] if use.kind == "launch" else ():
            token = parsed.lexed.token(span.start)
            if token is None or token.start >= span.end or parsed.lexed.text(token) != b"{":
                continue
            whole = Span(token.start, span.end)
            name = parsed.data[whole.start : whole.end].decode("utf-8", "replace").strip()
            found = parsed.named_use(name, whole)
            yield Hit("launch/braces", found, {"list": " ".join(name.split())})
