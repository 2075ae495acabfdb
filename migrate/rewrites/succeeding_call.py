"""Write a call of HIP whose result is no reason to stop, and success as the value: CUDA's own call succeeds there."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are HIP's function and the value: `f()` becomes `((void)hipF(), hipSuccess)`; of calls alone."""
    if use.kind != "call":
        return []
    function, value = words
    end = use.extent.end
    return [Edit(use.span, f"((void){function}".encode()), Edit(Span(end, end), f", {value})".encode())]
