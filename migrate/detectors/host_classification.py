"""Host code that calls what HIP gives devices alone: `isfinite` without `std::`, and what CUDA gives hosts too."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_CUDAS = (b"rsqrt", b"rcbrt", b"rhypot", b"sinpi", b"cospi", b"sincospi", b"normcdf", b"erfinv", b"erfcinv", b"erfcx")
WORDS = (b"isfinite", b"isnan", b"isinf", *_CUDAS)

_CALL = re.compile(rb"(?<![\w.:>])(?:isfinite|isnan|isinf)(?=[ \t]*\()")
"""A call of the global function, `isnan(x)`: not `std::isnan`, `a.isnan`, `p->isnan` or `my_isnan`."""
_USING = re.compile(rb"\busing\s+(?:namespace\s+std\s*;|std\s*::\s*is(?:finite|nan|inf))")
"""What makes the unqualified name that of `std`: `using namespace std;`, `using std::isnan;`."""
_OF_CUDA = re.compile(rb"(?<![\w.:>])(?:normcdfinv|" + b"|".join(_CUDAS) + rb")f?(?=[ \t]*\()")
"""A call of a function that the C library lacks, `rsqrtf(x)`: not `mine::rsqrtf` or `a.rsqrt`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call in a function of the host's, in a file that declares no such function and has none of `std` in view."""
    if not parsed.is_for_nvcc:
        return
    yield from _math(parsed)
    if _USING.search(parsed.data):
        return
    own = {definition.name for definition in parsed.definitions}
    for match in parsed.lexed.matches(_CALL, b"isfinite", b"isnan", b"isinf"):
        name = match[0].decode()
        if parsed.scope(match.start()) == "host" and name not in own:
            span = Span(*match.span())
            yield Hit("build/host-classification", Use("name", name, span, span, (), "host", "syntax"), {"name": name})


def _math(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of the functions that CUDA's headers define for hosts too."""
    own = {function.name for function in parsed.functions}
    for match in parsed.lexed.matches(_OF_CUDA, *_CUDAS):
        name = match[0].decode()
        if parsed.scope(match.start()) == "host" and name not in own and parsed.hip(match.start()) is None:
            span = Span(*match.span())
            yield Hit("build/host-math", Use("name", name, span, span, (), "host", "syntax"), {"name": name})
