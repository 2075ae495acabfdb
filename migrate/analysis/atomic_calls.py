"""Calls of atomic functions: where they are, and the type of what they change."""

from __future__ import annotations

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

_CAST = re.compile(
    rb"\(?\s*(?:reinterpret_cast|static_cast)\s*<\s*(?P<type>[\w:][\w:\s]*?)\s*\*\s*>|^\(\s*(?P<old>[\w:][\w:\s]*?)\s*\*\s*\)"
)
"""A cast that an address begins with: `reinterpret_cast<int *>` (`type`), or C's `(int *)` (`old`)."""
_LONG_LONG = re.compile(rb"(?:signed\s+)?long\s+long(?:\s+int)?")
_BESIDE_LONG = frozenset((b"const", b"volatile", b"signed", b"int", b"__restrict__", b"__shared__"))
BASE = re.compile(rb"^[&*(\s]*(?P<name>[A-Za-z_]\w*)\s*(?P<rest>.*)$", re.S)
"""The name that an address begins with, behind `&`, `*` or brackets, and what follows: `&sums[i]`, `(p + 1`."""


def atomic_call(parsed: ParsedFile, match: re.Match[bytes]) -> Use | None:
    """The call whose name and opening bracket a pattern has found; None where it does not close."""
    opening = match.end() - 1
    closing = parsed.lexed.closing(opening)
    if closing < 0:
        return None
    args = parsed.arguments(opening, closing)
    start = match.start()
    name = match[0].strip(b": (\t\n").decode("latin-1")
    scope, certainty = parsed.scope(start), parsed.certainty(start)
    return Use("call", name, Span(start, opening), Span(start, closing + 1), args, scope, certainty)


def pointed_type(parsed: ParsedFile, values: Values, address: Span) -> bytes:
    """The type that an address points to, as far as a cast or a declaration in the function says; else empty."""
    spelled = parsed.data[address.start : address.end]
    cast = _CAST.match(spelled)
    if cast is not None:
        return _last(cast["type"] or cast["old"])
    base = BASE.match(spelled)
    if base is None or base["rest"].startswith((b".", b"->", b"(", b"::")):
        return b""
    found = values.locals(address.start).get(base["name"], ())
    kinds = {_last(b" ".join(sorted(local.words - {b"const", b"volatile"}))) for local in found if local.rank}
    member = re.search(rb"\]\s*(?:\.|->)", base["rest"]) is not None
    return kinds.pop() if len(kinds) == 1 and not member else b""


def is_long_long(parsed: ParsedFile, values: Values, address: Span) -> bool:
    """Whether an address points to signed numbers of 64 bits, as a cast or all declarations of the function say.

    A declaration is known by its words alone. CUDA has no atomic function for `long`.
    """
    spelled = parsed.data[address.start : address.end]
    cast = _CAST.match(spelled)
    if cast is not None:
        return _LONG_LONG.fullmatch((cast["type"] or cast["old"]).strip()) is not None
    base = BASE.match(spelled)
    if base is None or base["rest"].startswith((b".", b"->", b"(", b"::")) or re.search(rb"\]\s*[.-]", base["rest"]):
        return False
    found = [one.words - _BESIDE_LONG for one in values.locals(address.start).get(base["name"], ()) if one.rank]
    return bool(found) and all(words == {b"long"} for words in found)


def _last(spelling: bytes) -> bytes:
    words = [word for word in re.findall(rb"\w+", spelling) if word not in (b"const", b"volatile")]
    return words[0] if len(words) == 1 else b""
