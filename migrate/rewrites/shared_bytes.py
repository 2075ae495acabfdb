"""Declare dynamic shared memory as bytes, with a pointer of the type that a template leaves open."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use

_TYPE = re.compile(rb"([A-Za-z_]\w*)\s+[A-Za-z_]\w*\s*\[\s*\]\s*;\Z")
"""The type, name and end of a declaration without a size: `T data[];` of `extern __shared__ T data[];`."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit in place of the declaration; none where the array's own size is asked for."""
    declared = _TYPE.search(parsed.data[use.span.start : use.span.end])
    function = parsed.function(use.span.start)
    if declared is None or function is None:
        return []
    body, kind = parsed.data[function.body.start : function.body.end], declared[1].decode()
    if re.search(rb"sizeof\s*\(\s*" + use.name.encode() + rb"\s*\)", body) is not None:
        return []
    made = (
        f"extern __shared__ __align__(16) unsigned char {use.name}_bytes[]; "
        f"{kind} *{use.name} = reinterpret_cast<{kind} *>({use.name}_bytes);"
    )
    return [Edit(use.span, made.encode())]
