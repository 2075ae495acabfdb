"""Where code asks a tile of cooperative groups for its size and the compiler has to know it: `int a[tile.size()];`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import constant_contexts
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_MEMBER = re.compile(rb"(?<![\w.>:])(?P<group>[A-Za-z_]\w*)\s*\.\s*(?:num_threads|size)\s*\(\s*\)")
_OF_TYPE = re.compile(
    rb"\b(?:typename\s+)?decltype\s*\(\s*(?P<group>[A-Za-z_]\w*)\s*\)\s*::\s*(?:num_threads|size)\s*\(\s*\)"
)
_NUMBER = re.compile(rb"\d+[uU]?[lL]{0,2}")


@dataclass(frozen=True, slots=True)
class TileSize:
    """Such a place, and what the size is as it can be written there; empty where that is not known."""

    span: Span
    size: bytes


def constant(parsed: ParsedFile) -> Iterator[TileSize]:
    """Each of them in a file."""
    known = groups(parsed)
    for pattern, words in ((_MEMBER, (b"num_threads", b"size")), (_OF_TYPE, (b"decltype",))):
        for match in parsed.lexed.matches(pattern, *words) if known.variables else ():
            span = Span(*match.span())
            is_tile = known.kind(match["group"], span.start) == "tile" and parsed.hip(span.start) is None
            if is_tile and constant_contexts.needs_constant(parsed, span):
                yield TileSize(span, _written(parsed, known.size(match["group"], span.start), span.start))


def _written(parsed: ParsedFile, size: bytes, offset: int) -> bytes:
    """A size where it means the same at another place: a number, or a parameter of a template around that."""
    plain = _NUMBER.fullmatch(size) is not None or constant_contexts.of_template(parsed, offset, size)
    return size if plain else b""
