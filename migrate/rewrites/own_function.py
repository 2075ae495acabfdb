"""Write a function of one of our headers for one of CUDA's that HIP lacks: the same name and arguments."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use

_LEADING = {b"return", b"else", b"do", b"case", b"throw", b"co_return", b"co_yield", b"and", b"or", b"not"}
"""Words that are before an expression; any other makes the name one that is declared."""
_OF_BF16 = frozenset({"__hmax2", "__hmin2"})
"""What HIP has for pairs of bfloat16."""


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False for what is not CUDA's function, or what HIP has here.

    A name without underscores that is not called may be anybody's, and one that is declared is the project's own for
    older CUDA. A function that names bfloat16 alone has HIP's own.
    """
    if (use.kind != "call" and not use.name.startswith("__")) or _is_declared(parsed, use):
        return False
    function = parsed.function(use.span.start) if use.name in _OF_BF16 else None
    if function is None:
        return True
    text = parsed.data[function.span.start : function.span.end]
    return b"bfloat16" not in text or b"half" in text.replace(b"__halves2bfloat16", b"")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit, of the name of a call: `__vadd4` becomes `cudamigrate::vadd4`; `words` are what is behind the name.

    A name that is not called may be an overload that its context picks: that is left alone.
    """
    if use.kind != "call":
        return []
    return [Edit(use.span, f"cudamigrate::{use.name.lstrip('_')}{''.join(words)}".encode())]


def _is_declared(parsed: ParsedFile, use: Use) -> bool:
    before = parsed.lexed.text(parsed.lexed.before(use.span.start))
    if before[:1].isalpha() or before[:1] == b"_":
        return before not in _LEADING
    return parsed.lexed.text(parsed.lexed.token(use.extent.end)) == b"{"
