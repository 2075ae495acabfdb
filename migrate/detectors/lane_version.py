"""Tests of the CUDA version or the architecture that choose between warp functions."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.version_guards import gates

WORDS = (b"CUDA_VERSION", b"CUDART_VERSION", b"_VER_MAJOR__", b"__CUDA_ARCH__")
INSTEAD = True  # the rule for the name has no fix

_MACRO = re.compile(rb"\bCUDA(?:RT)?_VERSION\b")
"""A macro with a rule of its own; the last in a condition is what is compared, behind `defined(X) &&`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """A comparison with a version up to CUDA 9, or with an architecture, that guards converted warp-level code."""
    for gate in gates(parsed).values():
        span = gate.condition
        name = parsed.data[span.start : span.end].decode("utf-8", "replace")
        rule = "warp/arch-branch" if gate.arch else "warp/version-branch"
        named = [Span(*match.span()) for match in _MACRO.finditer(parsed.data, span.start, span.end)]
        at = named[-1] if named else span
        yield Hit(rule, Use("name", name, at, span, (), "macro", "token"))
