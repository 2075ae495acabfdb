"""`__launch_bounds__` with more than one argument: the second means something else under HIP, the third is unknown."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__launch_bounds__",)

_BOUNDS = re.compile(rb"\b__launch_bounds__[ \t]*\(")
_HARMLESS = (b"0", b"1")
_NUMBER = re.compile(rb"[1-9][0-9]{0,5}")
_THREADS = 256
"""Threads of one wave in each of the four execution units."""
_AMD_CODE = re.compile(rb"\b__builtin_amdgcn_|\b__gfx\d")
_AMD_HEADER = re.compile(r"(?:ck|ck_tile|rocprim|rocwmma)/")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """One hit for a second argument above 1, and one for a third.

    One block for each multiprocessor asks for as little as one wave for each execution unit: both are no bound. Nor is
    a number of waves that a block of the first argument's threads brings to each of the four units. In a file that was
    written for AMD GPUs the second argument means what HIP says.
    """
    if _is_amd(parsed):
        return
    for match in parsed.lexed.starting(_BOUNDS, b"__launch_bounds__"):
        if parsed.lexed.text(parsed.lexed.before(match.start())) == b"define":
            continue
        opening = match.end() - 1
        closing = parsed.lexed.closing(opening)
        if closing < 0:
            continue
        args = parsed.arguments(opening, closing)
        span, extent = Span(match.start(), match.start() + 17), Span(match.start(), closing + 1)
        use = Use("call", "__launch_bounds__", span, extent, args, parsed.scope(match.start()), "token")
        if len(args) > 1 and not _is_no_bound(*(parsed.data[one.start : one.end] for one in args[:2])):
            yield Hit("launch/bounds-second-argument", use)
        if len(args) > 2:
            yield Hit("launch/bounds-third-argument", use)


def _is_no_bound(threads: bytes, second: bytes) -> bool:
    """Whether the second argument asks for no more waves of an execution unit than a block of `threads` has there."""
    if second in _HARMLESS:
        return True
    is_known = _NUMBER.fullmatch(threads) is not None and _NUMBER.fullmatch(second) is not None
    return is_known and int(threads) >= int(second) * _THREADS


def _is_amd(parsed: ParsedFile) -> bool:
    if any(_AMD_HEADER.match(include.path) for include in parsed.includes):
        return True
    return any(
        parsed.hip(match.start()) is None for match in parsed.lexed.matches(_AMD_CODE, b"__builtin_amdgcn_", b"__gfx")
    )
