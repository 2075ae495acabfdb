"""How deep brackets nest: what compilers and recursive readers give up on."""

from __future__ import annotations

from cudamigrate.cuda.lexer import lex
from cudamigrate.lazy_re import re

_BRACKET = re.compile(rb"[()\[\]{}]")
DEEPEST = 1_000
"""Brackets within each other; clang refuses more than 256 by default."""


def too_deep(data: bytes) -> int | None:
    """Where brackets nest deeper than `DEEPEST`, which exhausts a compiler's stack; None where they do not."""
    if sum(map(data.count, (b"(", b"[", b"{"))) <= DEEPEST:
        return None
    depth = 0
    for match in lex(data).matches(_BRACKET):
        depth = max(0, depth + (1 if match[0] in b"([{" else -1))
        if depth > DEEPEST:
            return match.start()
    return None
