"""Warp classes of CUB that leave their number of lanes to the library."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp import library_macros
from cudamigrate.warp.library_names import names, qualified
from cudamigrate.warp.sources import libraries

WORDS = (b"Warp",)

_NAME = re.compile(rb"\bWarp[A-Z]\w*(?=\s*<)")
_FARTHEST = 2000


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Classes without the argument, behind aliases, `using` and macros too; the use has what arguments are there."""
    widths = libraries()["CUB"].widths
    owners, bare = names(parsed, widths)
    for match in parsed.lexed.matches(_NAME, b"Warp"):
        if match[0].decode() not in widths or parsed.hip(match.start()) is not None:
            continue
        start = qualified(parsed, match.start(), owners, bare, match[0])
        hit = _hit(parsed, Span(start, match.end()), match[0]) if start >= 0 else None
        if hit is not None:
            yield hit
    yield from _by_macros(parsed, owners)


def _by_macros(parsed: ParsedFile, owners: set[bytes]) -> Iterator[Hit]:
    """The same where a macro of the file names the class."""
    widths = libraries()["CUB"].widths
    known = library_macros.aliases(parsed, owners, {name.encode() for name in widths})
    for alias, name in known.items():
        for start in parsed.lexed.places(alias):
            end = start + len(alias)
            following = parsed.lexed.text(parsed.lexed.after(parsed.lexed.token(start)))
            hit = _hit(parsed, Span(start, end), name) if following == b"<" and parsed.hip(start) is None else None
            if hit is not None:
                yield hit
    for one in library_macros.named(parsed, owners, widths):
        if parsed.hip(one.span.start) is None:
            yield _made(parsed, one.name, one.span, one.extent, one.args if one.fits else ())


def _hit(parsed: ParsedFile, span: Span, name: bytes) -> Hit | None:
    opening = parsed.data.index(b"<", span.end)
    closing = parsed.lexed.angle_closing(opening, min(len(parsed.data), opening + _FARTHEST))
    if closing < 0:
        return None
    args = parsed.arguments(opening, closing)
    if not 0 < len(args) < libraries()["CUB"].widths[name.decode()]:
        return None
    return _made(parsed, name, span, Span(span.start, closing + 1), args)


def _made(parsed: ParsedFile, name: bytes, span: Span, extent: Span, args: tuple[Span, ...]) -> Hit:
    scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
    use = Use("call", name.decode(), span, extent, args, scope, certainty)
    return Hit("library/cub-warp-size", use, {"name": name.decode()})
