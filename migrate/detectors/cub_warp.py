"""Warp classes of CUB that leave their number of lanes to the library."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.sources import libraries

WORDS = (b"Warp",)

_NAME = re.compile(rb"\bWarp[A-Z]\w*(?=\s*<)")
_DIRECTIVE = re.compile(rb"\busing\s+namespace\s+(?:::)?(\w+)|\bnamespace\s+(\w+)\s*=\s*(?:::)?(\w+)\s*;")
_IMPORTED = re.compile(rb"\busing\s+(?:::)?(\w+)\s*::\s*(Warp\w+)\s*;")
_DECLARED = re.compile(rb"\b(?:class|struct)\s+(Warp\w+)|\busing\s+(Warp\w+)\s*=")
_FARTHEST = 2000


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Classes without the argument, behind aliases and `using` too; the use has the arguments that are there."""
    if parsed.named_for_amd or b"Warp" not in parsed.data:
        return
    widths = libraries()["CUB"].widths
    owners, opened, own = _names(parsed)
    for match in parsed.lexed.matches(_NAME, b"Warp"):
        place = widths.get(match[0].decode())
        if place is None or parsed.hip(match.start()) is not None:
            continue
        start = _qualified(parsed, match.start(), owners, opened - own, match[0])
        if start < 0:
            continue
        hit = _hit(parsed, start, match, place)
        if hit is not None:
            yield hit


def _names(parsed: ParsedFile) -> tuple[set[bytes], set[bytes], set[bytes]]:
    """Names of CUB's namespace in this file, its classes that go without it, and classes that the file declares."""
    library = libraries()["CUB"]
    known = {name.encode() for name in library.namespaces}
    classes = {name.encode() for name in library.widths}
    owners, opened = set(known), set[bytes]()
    for match in parsed.lexed.matches(_DIRECTIVE):
        if match[1] in owners:
            opened |= classes
        elif match[3] in owners:
            owners.add(match[2])
    opened |= {match[2] for match in parsed.lexed.matches(_IMPORTED) if match[1] in owners}
    own = {match[1] or match[2] for match in parsed.lexed.matches(_DECLARED)}
    return owners, opened, own


def _qualified(parsed: ParsedFile, start: int, owners: set[bytes], bare: set[bytes], name: bytes) -> int:
    """Where a name of CUB's begins with what is before it; -1 for another's."""
    before = parsed.lexed.before(start)
    if before is None or parsed.lexed.text(before) != b"::":
        declared = before is not None and parsed.lexed.text(before) in (b"class", b"struct", b"using")
        return start if name in bare and not declared else -1
    owner = parsed.lexed.before(before.start)
    if owner is None or parsed.lexed.text(owner) not in owners:
        return -1
    absolute = parsed.lexed.before(owner.start)
    if absolute is None or parsed.lexed.text(absolute) != b"::":
        return owner.start
    outer = parsed.lexed.before(absolute.start)
    return absolute.start if outer is None or outer.end != absolute.start else owner.start


def _hit(parsed: ParsedFile, start: int, match: re.Match[bytes], place: int) -> Hit | None:
    opening = parsed.data.index(b"<", match.end())
    closing = parsed.lexed.angle_closing(opening, min(len(parsed.data), opening + _FARTHEST))
    if closing < 0:
        return None
    args = tuple(Span(*pair) for pair in parsed.lexed.arguments(opening, closing))
    if not 0 < len(args) < place:
        return None
    name, extent = match[0].decode(), Span(start, closing + 1)
    scope, certainty = parsed.scope(start), parsed.certainty(start)
    use = Use("call", name, Span(start, match.end()), extent, args, scope, certainty)
    return Hit("library/cub-warp-size", use, {"name": name})
