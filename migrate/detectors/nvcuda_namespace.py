"""Using directives and aliases for `nvcuda`, a namespace that HIP does not have."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"nvcuda",)

_USING = re.compile(rb"\b(?:using\s+namespace\s+(?:::\s*)?|namespace\s+\w+\s*=\s*(?:::\s*)?)(nvcuda)(?!\w)")
"""The namespace of `mma.h`, opened or renamed: `using namespace nvcuda`, `namespace w = nvcuda`. Not `nvcuda_x`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first one of a file without `mma.h`, whose replacement has the namespace, and without its project's own.

    Without such a header nothing in the file declares it for HIP.
    """
    if any(include.quoted or include.path.endswith("mma.h") for include in parsed.includes):
        return
    for match in parsed.lexed.matches(_USING, b"nvcuda"):
        span = Span(*match.span(1))
        yield Hit("library/nvcuda-namespace", parsed.named_use("nvcuda", span, "token"))
        return
