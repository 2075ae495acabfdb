"""Descriptors of cuBLASLt's products whose scale type hipBLASLt refuses: halves and complex numbers."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.argument_constants import constant_argument
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use

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
        value = constant_argument(parsed, given)
        if value and _REFUSED.fullmatch(value):
            place = Use("name", value.decode(), given, given, (), use.scope, use.certainty)
            yield Hit("library/lt-scale-type", place)
