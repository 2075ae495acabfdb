"""`isfinite`, `isnan` and `isinf` without `std::` in host code: HIP declares the global ones for devices."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"isfinite", b"isnan", b"isinf")

_CALL = re.compile(rb"(?<![\w.:>])(?:isfinite|isnan|isinf)(?=[ \t]*\()")
"""A call of the global function, `isnan(x)`: not `std::isnan`, `a.isnan`, `p->isnan` or `my_isnan`."""
_USING = re.compile(rb"\busing\s+(?:namespace\s+std\s*;|std\s*::\s*is(?:finite|nan|inf))")
"""What makes the unqualified name that of `std`: `using namespace std;`, `using std::isnan;`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call in a function of the host's, in a file that brings nothing of `std` into view."""
    if not parsed.is_for_nvcc or _USING.search(parsed.data):
        return
    own = {definition.name for definition in parsed.definitions}
    for match in parsed.lexed.matches(_CALL, b"isfinite", b"isnan", b"isinf"):
        name = match[0].decode()
        if parsed.scope(match.start()) == "host" and name not in own:
            span = Span(*match.span())
            yield Hit("build/host-classification", Use("name", name, span, span, (), "host", "syntax"), {"name": name})
