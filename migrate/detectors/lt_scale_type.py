"""Descriptors of cuBLASLt's products whose scale type hipBLASLt refuses: halves and complex numbers."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"cublasLtMatmulDesc",)

_CALLS = frozenset(("cublasLtMatmulDescCreate", "cublasLtMatmulDescInit"))
_SCALE = 2
"""The place of the scale type among the arguments of both."""
_REFUSED = re.compile(rb"(?:CUDA|HIP)_(?:R_16B?F|C_\d+B?[FIU])")
"""What the library tells apart from the three types that it takes: a float, a double and an `int`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such type that is written in a call, or is what a variable of the function starts as and keeps."""
    for use in parsed.uses:
        if use.kind != "call" or use.name not in _CALLS or len(use.args) != _SCALE + 1:
            continue
        given = use.args[_SCALE]
        value = _value(parsed, given)
        if value and _REFUSED.fullmatch(value):
            place = Use("name", value.decode(), given, given, (), use.scope, use.certainty)
            yield Hit("library/lt-scale-type", place)


def _value(parsed: ParsedFile, given: Span) -> bytes:
    """The constant that an argument is; empty where it is not seen."""
    written = parsed.data[given.start : given.end].strip()
    values = Values.of(parsed)
    found = values.locals(given.start).get(written)
    if found is None:
        return values.constants().get(written, written) or b""
    one = found[0]
    assigned = re.compile(rb"(?<![\w.>])" + re.escape(written) + rb"\s*=(?!=)")
    sets = sum(1 for _ in parsed.lexed.starting(assigned, written))
    return text(one.value) if len(found) == 1 and one.value is not None and sets == 1 else b""
