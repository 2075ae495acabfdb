"""NVIDIA's driver by the name of its library, as a program has it that loads it when it runs: `"libcuda.so.1"`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.code_files import DRIVER_LIBRARY, DRIVER_WORDS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

WORDS = DRIVER_WORDS


def _literals(parsed: ParsedFile) -> frozenset[int]:
    """Where comments and literals begin."""
    return frozenset(parsed.lexed.starts)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each text in code that is the name of the driver's library."""
    for match in DRIVER_LIBRARY.finditer(parsed.data):
        directive = parsed.lexed.directive_at(match.start())
        if match.start() not in parsed.once(_literals):
            continue
        if directive is None or directive.name == "define":
            span = Span(*match.span())
            yield Hit("library/driver-loader", parsed.named_use(match[0].decode("latin-1"), span, "token"))
