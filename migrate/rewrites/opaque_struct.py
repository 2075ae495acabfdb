"""The struct behind a handle of CUDA's, in a pointer to it: HIP's handle is a pointer to anything, `void *`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_CLASS_KEYS = (b"struct", b"class")


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False for a declaration without a body, `struct cublasContext;`, which compiles for every vendor."""
    lexed = parsed.lexed
    declared = lexed.text(lexed.before(use.span.start)) in _CLASS_KEYS
    return not (declared and lexed.text(lexed.token(use.span.end)) == b";")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`void` before a star, without the word `struct`; none elsewhere. `words` is empty."""
    lexed = parsed.lexed
    if not lexed.text(lexed.token(use.span.end)).startswith(b"*"):
        return []
    key = lexed.before(use.span.start)
    start = key.start if key is not None and lexed.text(key) in _CLASS_KEYS else use.span.start
    return [Edit(Span(start, use.span.end), b"void")]
