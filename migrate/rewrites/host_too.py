"""Qualify for both sides what only the device's pass of nvcc qualifies: `__device__` becomes `__host__ __device__`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.pass_qualifiers import OneSided, choosing, one_sided
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit where the conditional does nothing but choose qualifiers; its condition is widened by another rule.

    Where it holds more, what follows the pass stays so, and the macro is for both sides in either branch.
    """
    around = parsed.conditional(use.span.start)
    if around is not None and around.chain in choosing(parsed):
        return [Edit(use.span, b"__host__ __device__")]
    found = next((one for one in one_sided(parsed) if one.device.start <= use.span.start < one.device.end), None)
    return [] if found is None else list(_beside(parsed, use, found))


def _beside(parsed: ParsedFile, use: Use, found: OneSided) -> Iterator[Edit]:
    """The edits of both branches; the host's compiler alone, which knows no qualifiers, gets what it got."""
    line = newline(parsed.data)
    define = b"#define " + found.name + b" " + found.value + line
    if b"__host__" not in found.device.argument(parsed.data):
        yield Edit(use.span, b"__host__ __device__")
    if found.host is not None:
        start, end = found.host.start, found.host.end
        yield Edit(Span(start, start), b"#ifdef __HIPCC__" + line + define + b"#else" + line)
        yield Edit(Span(end, end), line + b"#endif")
        return
    block = b"#if defined(__HIPCC__) && !defined(" + found.name + b")" + line + define + b"#endif"
    if found.end < 0:
        yield Edit(Span(found.start, found.start), line + block)
    else:
        yield Edit(Span(found.end, found.end), b"#else" + line + block + line)
