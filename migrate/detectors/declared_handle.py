"""A handle of CUDA's libraries that a header declares itself, as a pointer to a structure: HIP's is `void *`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import shadowed_names
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"Context",)
INSTEAD = True
"""No finding on the structure beside it."""
_TAG = rb"struct\s+cu(?:blas|blasLt|sparse|solverDn|solverSp)Context"
_HANDLE = rb"cu(?:blas|blasLt|sparse|solverDn|solverSp)Handle_t"
_DECLARED = re.compile(
    rb"\b(?:typedef\s+(?P<old>%b)\s*\*\s*(?P<of_old>%b)|using\s+(?P<of_new>%b)\s*=\s*(?P<new>%b)\s*\*)\s*;"
    % (_TAG, _HANDLE, _HANDLE, _TAG)
)
"""`typedef struct cublasContext *cublasHandle_t;`, or the same by `using`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The structure in each such declaration."""
    for match in parsed.lexed.matches(_DECLARED):
        tag, handle = ("old", "of_old") if match["old"] else ("new", "of_new")
        start = match.start(handle)
        if parsed.hip(start) is None and shadowed_names.is_declared_again(parsed, start):
            extent, name = Span(*match.span(tag)), match[tag].split()[1].decode()
            use = Use("name", name, Span(extent.end - len(name), extent.end), extent, certainty="token")
            yield Hit("build/declared-handle", use, {"handle": match[handle].decode()})
