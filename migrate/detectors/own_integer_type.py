"""Types of <stdint.h> that a project defines itself, as others of their size: HIP's header includes that one too."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"_t",)

_NAME = rb"u?int(?:8|16|32|64|ptr|max)_t"
_TYPE = rb"(?:(?:unsigned|signed|char|short|int|long)\b\s*)+"
_DEFINED = re.compile(
    rb"\btypedef\s+(?P<old>" + _TYPE + rb")(?<=\s)(?P<of>" + _NAME + rb")\s*;"
    rb"|\busing\s+(?P<name>" + _NAME + rb")\s*=\s*(?P<new>" + _TYPE + rb");"
)
"""A definition of such a name by words of C's own: `typedef unsigned long long uint64_t;`."""
_SIZED = {b"8": b"char", b"16": b"short", b"32": b"int", b"64": b"long", b"ptr": b"long", b"max": b"long"}
"""What the types are where `long` has 64 bits, as ROCm's hosts have. Source: <bits/types.h> of glibc."""
_SIZES = frozenset(_SIZED.values())


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such definition of the file's own scope and under no condition, in code that nvcc alone reads."""
    if not parsed.is_for_nvcc:
        return
    for match in parsed.lexed.starting(_DEFINED, b"typedef", b"using"):
        span, name = Span(*match.span()), match["of"] or match["name"]
        words = b" ".join((match["old"] or match["new"]).split())
        own, known = _canonical(words), _canonical(_known(name))
        if own == known or _size(own) != _size(known) or not _is_outermost(parsed, span.start):
            continue
        values = {"name": name.decode(), "type": words.decode(), "known": _known(name).decode()}
        at = match.start("of" if match["of"] else "name")
        place = Span(at, at + len(name))
        yield Hit("build/own-integer-type", Use("name", name.decode(), place, span, (), "unknown", "token"), values)


def _known(name: bytes) -> bytes:
    """The type that a name of <stdint.h> has."""
    size = _SIZED[name.removeprefix(b"u").removeprefix(b"int").removesuffix(b"_t")]
    if size == b"char" and not name.startswith(b"u"):
        return b"signed char"
    return b"unsigned " * name.startswith(b"u") + size


def _canonical(words: bytes) -> tuple[bytes, ...]:
    """The words of an integer type in one order, without those that change nothing: `long unsigned int`."""
    found = sorted(words.split())
    plain = [one for one in found if one != b"int"] or [b"int"]
    if b"char" in plain:
        return tuple(plain)
    kept = [one for one in plain if one != b"signed"]
    return tuple(kept if set(kept) - {b"unsigned"} else [*kept, b"int"])


def _size(words: tuple[bytes, ...]) -> tuple[bytes, bool]:
    """What decides the size of an integer type, `long long` being as long as `long`, and whether it has a sign."""
    return max(set(words) & _SIZES), b"unsigned" in words


def _is_outermost(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in no function, class, namespace or condition."""
    around = parsed.nodes_around(offset, offset + 1)
    inner = any(one.type in ("compound_statement", "field_declaration_list", "declaration_list") for one in around)
    return not inner and parsed.conditional(offset) is None
