"""A launch whose grid or block is a `uint3`: CUDA makes a `dim3` of it, and HIP has no such conversion."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"<<<", b"uint3"),)

_NAME = re.compile(rb"[A-Za-z_]\w*")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first two arguments between the chevrons, where one is a variable that the function declares as `uint3`."""
    for use in parsed.uses:
        for span in use.args[:2] if use.kind == "launch" else ():
            name = parsed.data[span.start : span.end].strip()
            function = parsed.function(span.start)
            if function is None or _NAME.fullmatch(name) is None:
                continue
            declared = re.compile(rb"\b(?P<type>\w+)\s*&?\s+&?" + name + rb"\s*[=;,)({]")
            found_types = [one["type"] for one in declared.finditer(parsed.data, function.span.start, span.start)]
            if found_types[-1:] != [b"uint3"]:
                continue
            at = parsed.data.index(name, span.start)
            whole = Span(at, at + len(name))
            found = parsed.named_use(name.decode(), whole)
            yield Hit("launch/vector-size", found, {"name": name.decode()})
