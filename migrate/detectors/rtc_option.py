"""Options of NVIDIA's compilers, and code in PTX, that a program hands over while it runs."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_COMPILING = (b"nvrtc", b"hiprtc", b"jitify", b"Jitify")
_OPTION = re.compile(
    rb'"-{1,2}(?:use_fast_math|default-device|device-as-default-execution-space|(?:rdc|relocatable-device-code)(?:=\w+)?|dc'
    rb"|maxrregcount(?:=\w*)?|lineinfo|generate-line-info|device-debug|dopt(?:=\w+)?|extra-device-vectorization|restrict"
    rb"|fmad=?\w*|ftz=?\w*|prec-(?:div|sqrt)=?\w*|ptxas-options=?[^\"]*|disable-warnings|std=c\+\+\w+(?=\")|split-compile=?\w*"
    rb'|pre-include=?[^"]*|device-int128|modify-stack-limit=?\w*|dlto|dlink-time-opt)"'
)
"""A string that is exactly one option of nvrtc, with one dash or two: `"--use_fast_math"`, `"-ftz=true"`."""
_SAME = re.compile(rb'"--?std=')
_ASSEMBLY = re.compile(rb'"[^"\n]*(?:\.target\s+sm_\d|\.visible\s+\.entry|\.version\s+\d+\.\d)[^"\n]*"')
"""A string that is PTX: one with `.target sm_80`, `.visible .entry` or `.version 8.0` on its line."""

WORDS = (*_COMPILING, b".target", b".entry", b".version")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Strings that are such an option, in files that compile at run time; and strings that hold a module in PTX."""
    if any(word in parsed.data for word in _COMPILING):
        for match in _OPTION.finditer(parsed.data):
            if not parsed.lexed.is_code(match.start()) and _is_string(parsed, match) and not _SAME.match(match[0]):
                yield _hit(parsed, "build/rtc-option", match)
    if b".target" in parsed.data or b".entry" in parsed.data or b".version" in parsed.data:
        reported = -1
        for match in _ASSEMBLY.finditer(parsed.data):
            if _is_string(parsed, match) and parsed.data.find(b";", reported, match.start()) >= reported:
                reported = match.end()
                yield _hit(parsed, "build/ptx-module", match)


def _is_string(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    token = parsed.lexed.token(match.start())
    return token is not None and token.start == match.start() and token.end == match.end()


def _hit(parsed: ParsedFile, rule: str, match: re.Match[bytes]) -> Hit:
    span = Span(*match.span())
    use = Use("string", "", span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
    return Hit(rule, use, {"name": match[0].decode("latin-1").strip('"')})
