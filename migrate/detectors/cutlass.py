"""CUTLASS and CuTe: once for each file, at the first thing that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_INCLUDE = re.compile(r"(?:cutlass|cute)/")
_NAME = re.compile(
    rb"\b(?:(?:cutlass|cute)\s*::|(?:using\s+)?namespace\s+(?:cutlass|cute)\b|(?:CUTLASS|CUTE)_[A-Z]\w*)"
)
"""A use of CUTLASS or CuTe without its include: `cutlass::half_t`, `using namespace cute`, `CUTE_HOST_DEVICE`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first include of a CUTLASS header; without one, the first use of its namespaces or macros."""
    for include in parsed.includes:
        if _INCLUDE.match(include.path) and parsed.hip(include.span.start) is None:
            yield _hit(parsed, include.span)
            return
    for match in parsed.lexed.matches(
        _NAME, b"cutlass", b"CUTLASS_", b"CUTE_", b"cute::", b"cute ::", b"namespace cute"
    ):
        directive = parsed.lexed.directive_at(match.start())
        in_code = directive is None or directive.name == "define"
        if in_code and parsed.hip(match.start()) is None:
            yield _hit(parsed, Span(match.start(), match.end()))
            return


def _hit(parsed: ParsedFile, span: Span) -> Hit:
    use = parsed.named_use("cutlass", span, "token")
    return Hit("library/cutlass", use)
