"""Conditions on a release or a GPU of CUDA -> the edits by which AMD takes the side of the newest."""

from __future__ import annotations

from cudamigrate.cuda.conditions import pass_tests, question
from cudamigrate.cuda.lexer import COMMENT, CONTINUED
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span


def for_hip(parsed: ParsedFile, extent: Span, macro: str = "") -> list[Edit]:
    """Words behind the condition in `extent`: a test for what is old must not hold, one for what is new must.

    `macro` is what HIP defines where the test is made: in device code alone, for an architecture. Without one it is
    that of the compiler for `.cu` files. The host's compiler reads all others too, where CUDA's headers define the
    release, and what HIP's headers ask for is there in their place.
    """
    condition = COMMENT.sub(b" ", CONTINUED.sub(b" ", parsed.data[extent.start : extent.end]))
    defined = (macro or compiler_macro(parsed)).encode()
    old = question(expanded(condition, macros(parsed))).undefined
    weaker = b"?" in condition or (old and b"||" in condition)
    more = b" && !defined(" + defined + b")" if old else b" || defined(" + defined + b")"
    return behind(extent, more, bracketed=bool(weaker))


def behind(condition: Span, words: bytes, bracketed: bool) -> list[Edit]:
    """The edits that write words behind a condition, with brackets around it where its operators bind less strongly."""
    start, end = Span(condition.start, condition.start), Span(condition.end, condition.end)
    return [Edit(start, b"("), Edit(end, b")" + words)] if bracketed else [Edit(end, words)]


def compiler_macro(parsed: ParsedFile) -> str:
    """The macro that tells HIP from CUDA in a file: of its compiler, or of headers that the host's reads too."""
    return "__HIPCC__" if parsed.source.path.endswith(".cu") else "__HIP_PLATFORM_AMD__"


def for_pass(condition: bytes) -> bool | None:
    """Whether a condition that only asks for the pass holds where GPUs are compiled for; None for another.

    Such a test is converted to one that is true for AMD's GPUs, too.
    """
    tests = pass_tests(condition)
    rest = condition[: tests[0].start] + condition[tests[0].end :] if len(tests) == 1 else b"several"
    sign = rest.strip(b" \t()\r\n")
    return tests[0].device is not (sign == b"!") if sign in (b"", b"!") else None
