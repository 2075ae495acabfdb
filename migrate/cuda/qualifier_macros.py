"""Macros that stand for qualifiers of device code: `#define DEV_FN __device__ inline`. Who has one runs on the GPU.

Result: their names, of a file and of the headers that it includes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.lazy_re import re

DEFINED = re.compile(rb"([A-Za-z_]\w*)(?![\w(])\s*(.*)", re.DOTALL)
"""A macro without parameters, and its body: `RESTRICT __restrict__`. The lookahead refuses `MAX(a, b)`, or a part."""
QUALIFIERS = frozenset(
    b"const volatile inline static restrict __restrict __restrict__ __inline__ __forceinline__ __noinline__".split()
)
_DEVICE = frozenset((b"__global__", b"__device__"))
_HOST = b"__host__"
_ALL = QUALIFIERS | _DEVICE | {_HOST}
_DIRECTIVE = b"#define "


def defined(lexed: Lexed) -> Iterator[tuple[bytes, list[bytes]]]:
    """Those that a file defines, under whatever conditions, with the words that they stand for."""
    for line in lexed.directives:
        match = DEFINED.match(line.argument(lexed.data)) if line.name == "define" else None
        words = [] if match is None else match[2].split()
        if match is not None and _ALL.issuperset(words) and not _DEVICE.isdisjoint(words):
            yield match[1], words


def spelled(data: bytes) -> list[str]:
    """Those of a text as directives in plain spelling, for the files that include it; none that is for both sides.

    What such a function does for the host alone is no device code's, and its head in the other file does not say so.
    """
    if b"define" not in data or not any(word in data for word in _DEVICE):
        return []
    lines = (b" ".join((name, *words)) for name, words in defined(lex(data)) if _HOST not in words)
    return sorted({(_DIRECTIVE + line).decode("latin-1") for line in lines})


def among(directives: Iterable[bytes]) -> list[bytes]:
    """The names of those among the directives that a file sees of others."""
    return [one.split()[1] for one in directives if one.startswith(_DIRECTIVE)]
