"""Declarations of `threadIdx` and kin that a project makes itself: nvcc takes them, HIP's have another type."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.editor_macros import EDITORS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"extern",)

_ONE = rb"extern\s+(?:const\s+)?(?:dim3|uint3)\s+(?:const\s+)?(?P<name>threadIdx|blockIdx|blockDim|gridDim)\s*;"
_DECLARED = re.compile(rb"(?<![\w$])" + _ONE + rb"(?:\s*(?:" + _ONE.replace(b"?P<name>", b"?:") + rb"))*")
"""Declarations of CUDA's variables, one after another: `extern const dim3 blockDim;`."""
_OTHERS = re.compile(EDITORS + rb"|!\s*defined\s*\(?\s*__(?:CUDACC|NVCC)__")
"""What a condition asks where no compiler of GPU code gets the branch: the macros of editors, and `!__CUDACC__`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each run of such declarations that a compiler for HIP would see."""
    for match in parsed.lexed.matches(_DECLARED, b"extern"):
        span = Span(*match.span())
        around = parsed.branches_around(span.start)
        if parsed.hip(span.start) is False or any(
            _OTHERS.search(one) for branch in around for one in branch.conditions
        ):
            continue
        name = match["name"].decode()
        use = Use("name", name, Span(*match.span("name")), span, (), parsed.scope(span.start), "syntax")
        yield Hit("build/own-builtin", use, {"name": name})
