"""Members of the C++ library in device code that throw, and so end in functions of the host."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"std::array", b"std::optional")

_THROWING = {b"at": b"array", b"value": b"optional"}
_CALL = re.compile(rb"(?P<object>\b[A-Za-z_]\w*)\s*(?P<member>\.\s*(?P<name>at|value)\s*)(?=\()")
"""A call of a member that throws: `values.at(`, `found.value(`. The bracket stays outside: `member` ends before it."""
_CALLED = re.compile(rb"\.\s*(?:at|value)\s*\(")
_BEFORE_NAME = rb"\s*<[^;{}()]*>\s*(?:const\s*)?[&\s]*"
_OWN = re.compile(rb"\bat\s*\([^()]*\)\s*(?:const\s*)?(?:noexcept\s*)?\{")
"""A file's own definition of a member `at`: `T at(int i) const {`. Then `.at(i)` may be of any class."""
_TYPE = re.compile(rb"([A-Za-z_]\w*|>)(?:\s*const)?(?:\s*[&*]+\s*|\s+)\Z")
"""What is before a name that is declared."""
_NEAR = 200
_LEADING = frozenset(b"return case else new throw goto delete co_return".split())


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`.at(i)` of a `std::array` and `.value()` of a `std::optional`, where the file shows that it is one.

    Functions of the host are left alone, and those that run on both sides are not: they are compiled for the device.
    `cuda::std` throws nothing there, it ends the kernel.
    """
    is_one = cache(partial(_is_one, parsed))
    for match in parsed.lexed.matches(_CALL) if _CALLED.search(parsed.data) else ():
        start = match.start("member")
        if parsed.scope(start) != "device" or parsed.hip(start) is not None:
            continue
        kind = _THROWING[match["name"]]
        closing = parsed.lexed.closing(match.end())
        sure = is_one(match["object"], kind)
        if (
            closing < 0
            or sure is False
            or (sure is None and (kind != b"array" or not _is_member(parsed, match.start())))
        ):
            continue
        span = Span(start, closing + 1)
        name = f"std::{kind.decode()}::{match['name'].decode()}" if sure else f".{match['name'].decode()}"
        arguments = parsed.arguments(match.end(), closing)
        use = Use("call", name, Span(start, match.end("member")), span, arguments, "device", parsed.certainty(start))
        yield Hit("math/host-std-function", use, {"name": name})


def _is_one(parsed: ParsedFile, name: bytes, kind: bytes) -> bool | None:
    """Whether every variable, parameter or member of that name in the file is of the class; None where none is seen."""
    declared = re.compile(rb"(?<!cuda::)\bstd::" + kind + _BEFORE_NAME + re.escape(name) + rb"\b(?!\s*[.(])")
    right = sum(1 for _ in parsed.lexed.starting(declared, b"std::" + kind))
    named = parsed.lexed.starting(re.compile(re.escape(name) + rb"\s*[;,)={\[]"), name)
    types = (_TYPE.search(parsed.data, max(0, at - _NEAR), at) for at in (match.start() for match in named))
    every = sum(one is not None and one[1] not in _LEADING for one in types)
    return None if not right and not every else right == every


def _is_member(parsed: ParsedFile, offset: int) -> bool:
    """Whether a name is a member of something: then it may be declared in another file, which deals in arrays too."""
    before = parsed.lexed.text(parsed.lexed.before(offset))
    return before in (b".", b"->") and _OWN.search(parsed.data) is None
