"""Comparisons of `__CUDA_ARCH__` with a compute capability: undefined on AMD, so they read as zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_COMPARISON = re.compile(
    rb"\b__CUDA_ARCH__[ \t]*(?:[<>]=?|[!=]=)[ \t]*\w+|\b\w+[ \t]*(?:[<>]=?|[!=]=)[ \t]*__CUDA_ARCH__\b"
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each comparison that stands in code; the fall-back branch, or none, is what AMD compiles.

    A condition that also names a HIP macro was written for both.
    """
    if b"__CUDA_ARCH__" not in parsed.data:
        return
    for match in parsed.lexed.matches(_COMPARISON):
        span = Span(match.start(), match.end())
        directive = parsed.lexed.directive_at(span.start)
        text = b"" if directive is None else directive.argument(parsed.data)
        if b"ROCM" in text or b"HIP" in text:
            continue
        scope = parsed.scope(span.start)
        yield Hit("build/arch-gate", Use("name", "__CUDA_ARCH__", span, span, (), scope, "token"))
