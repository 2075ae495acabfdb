"""Components of `__half2_raw`: the bits of a half for CUDA, and since ROCm 7 a structure that holds them for HIP."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"half2_raw",)

_DECLARED = re.compile(rb"\b__(?:nv_)?half2_raw(?:\s+|\s*&\s*)(?P<name>[A-Za-z_]\w*)\s*[;=({,)]")
"""A variable or parameter of the type itself, in a function or in what a macro is given."""
_CAST = re.compile(
    rb"\b(?:(?:static|reinterpret)_cast\s*<\s*(?P<const>const\s+)?__(?:nv_)?half2_raw\s*(?P<mark>[&*]?)\s*>|__half2_raw)\s*(?=\()"
)
"""A value made one, or a place read as one: `static_cast<__half2_raw>(`, `reinterpret_cast<const __half2_raw *>(`."""
_PART = re.compile(rb"\s*(?:\.|->)\s*[xy](?![\w.]|\s*[.])")
_CONST = re.compile(rb"\bconst\s*\Z")
_NEAR = 16
_REFERRED = re.compile(rb"(?:\breinterpret_cast\s*<[^<>]*&\s*>\s*\(|&)\s*\Z")
"""What is before a component whose bytes are named already, or whose address is taken."""
_LONGEST = 60


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each component of such a variable, up to the end of the block that declares it; and of casts."""
    yield from _of_casts(parsed)
    for match in parsed.lexed.starting(_DECLARED, b"__"):
        part = re.compile(rb"(?<![\w.>:])" + re.escape(match["name"]) + rb"\s*\.\s*[xy](?![\w.])")
        is_const = _CONST.search(parsed.data, max(0, match.start() - _NEAR), match.start()) is not None
        end = _block_end(parsed, match.end() - 1)
        for found in part.finditer(parsed.data, match.end(), end):
            before = parsed.data[max(0, found.start() - _LONGEST) : found.start()]
            if not parsed.lexed.is_code(found.start()) or parsed.hip(found.start()) is not None:
                continue
            if _REFERRED.search(before) is None:
                span = Span(*found.span())
                name = found[0].decode("utf-8", "replace")
                kind = "const unsigned short" if is_const else "unsigned short"
                use = Use("name", kind, span, span, (), parsed.scope(span.start), "token")
                yield Hit("memory/half2-raw-component", use, {"name": name})


def _of_casts(parsed: ParsedFile) -> Iterator[Hit]:
    """Each component of what is cast: of a value of its own, or of a place."""
    for match in parsed.lexed.starting(_CAST, b"static_cast", b"reinterpret_cast", b"__half2_raw"):
        closing = parsed.lexed.closing(match.end())
        part = _PART.match(parsed.data, closing + 1) if closing > 0 else None
        before = parsed.data[max(0, match.start() - _LONGEST) : match.start()]
        if part is None or parsed.hip(match.start()) is not None or _REFERRED.search(before) is not None:
            continue
        span = Span(match.start(), part.end())
        kind = "const unsigned short" if match["const"] else "unsigned short"
        use = Use("name", kind, span, span, (), parsed.scope(span.start), "token")
        words = {"name": " ".join(parsed.data[span.start : span.end].decode("utf-8", "replace").split())}
        yield Hit("memory/half2-raw-component" if match["mark"] else "memory/half2-raw-value", use, words)


def _block_end(parsed: ParsedFile, offset: int) -> int:
    """Where the block ends that is around a declaration; of a parameter, the body behind it."""
    depth = bracket = 0
    for token in parsed.lexed.tokens(offset, len(parsed.data)):
        word = parsed.lexed.text(token)
        bracket += (word == b"(") - (word == b")")
        depth += (word == b"{") - (word == b"}")
        if depth < 0 or (depth == 0 and word in (b"}", b";") and bracket < 0):
            return token.end
    return len(parsed.data)
