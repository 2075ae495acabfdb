"""`threadIdx` and its kin taken for a `uint3`, which they are in CUDA only."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"uint3",)

_BUILTIN = rb"(?P<name>threadIdx|blockIdx|blockDim|gridDim)\b(?!\s*[.\w])"
_NAMES = (b"threadidx", b"blockidx", b"blockdim", b"griddim")
_MADE = re.compile(rb"\buint3\s+(?:const\s*)?&?\s*\w+\s*[=({]\s*" + _BUILTIN + rb"\s*[;,)}]")
"""A `uint3` made from a built-in vector: `const uint3& t = threadIdx;`, `uint3 t(threadIdx),`."""
_CAST = re.compile(rb"\buint3\s*(?:>\s*)?[({]\s*" + _BUILTIN + rb"\s*[)}]")
"""A cast to `uint3`: `uint3(threadIdx)`, and `static_cast<uint3>(threadIdx)`, thus an optional `>`."""
_GIVEN = re.compile(rb"(?P<to>\b\w+)\s*=\s*" + _BUILTIN + rb"\s*;")
"""An assignment to a name: `t = threadIdx;`; whether the name is a `uint3` is looked up."""
_RETURN = re.compile(rb"\breturn\s+" + _BUILTIN + rb"\s*;")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Where one of the four is made into a `uint3`, given to one, or returned as one."""
    seen: set[int] = set()
    for pattern in (_MADE, _CAST, _GIVEN, _RETURN):
        for match in parsed.lexed.on_lines(pattern, *_NAMES):
            start = match.start("name")
            if start in seen or not _is_vector(parsed, match):
                continue
            seen.add(start)
            span, name = Span(*match.span("name")), match["name"].decode()
            use = parsed.named_use(name, span)
            yield Hit("memory/builtin-vector", use, {"name": name})


def _is_vector(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """For an assignment or a return: whether the function around shows that a `uint3` is meant."""
    if match.re.pattern not in (_GIVEN.pattern, _RETURN.pattern):
        return True
    function = parsed.function(match.start())
    if function is None:
        return False
    if match.re.pattern == _RETURN.pattern:
        head = parsed.data[function.span.start : function.body.start]
        return (
            re.search(
                rb"\buint3\s+(?:[\w:]+::)?" + re.escape(function.name.rpartition("::")[2].encode()) + rb"\s*\(", head
            )
            is not None
        )
    around = parsed.data[function.span.start : match.start()]
    return re.search(rb"\buint3\s+(?:\w+\s*,\s*)*" + match["to"] + rb"\s*[;,)]", around) is not None
