"""A launch whose grid or block is a `uint3`: CUDA makes a `dim3` of it, and HIP has no such conversion."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"<<<", b"uint3"),)

_VECTOR = re.compile(rb"\buint3\s*&?\s+&?(?P<name>[A-Za-z_]\w*)\s*[=;,)({]")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first two arguments between the chevrons, where one is a variable that the function declares as `uint3`."""
    vectors = {match["name"] for match in _VECTOR.finditer(parsed.data)}
    declared: dict[tuple[bytes, Span], list[tuple[int, bytes]]] = {}
    for use in parsed.uses:
        for span in use.args[:2] if use.kind == "launch" else ():
            name = parsed.data[span.start : span.end].strip()
            function = parsed.function(span.start)
            if function is None or name not in vectors:
                continue
            key = name, function.span
            if key not in declared:
                declared[key] = list(_types(parsed, *key))
            before = bisect_right(declared[key], span.start, key=lambda one: one[0])
            if before == 0 or declared[key][before - 1][1] != b"uint3":
                continue
            at = parsed.data.index(name, span.start)
            whole = Span(at, at + len(name))
            found = parsed.named_use(name.decode(), whole)
            yield Hit("launch/vector-size", found, {"name": name.decode()})


def _types(parsed: ParsedFile, name: bytes, span: Span) -> Iterator[tuple[int, bytes]]:
    """The types that a function declares a variable with, each with where its declaration ends."""
    pattern = re.compile(rb"\b(?P<type>\w+)\s*&?\s+&?" + name + rb"\s*[=;,)({]")
    for match in pattern.finditer(parsed.data, span.start, span.end):
        yield match.end(), match["type"]
