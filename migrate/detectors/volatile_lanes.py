"""Shared memory through which lanes hand values on without a barrier between their steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import Function, ParsedFile

_VOLATILE = re.compile(rb"\bvolatile\b(?:\s+\w+)*?[^;(){}=]*?[&*\s](?P<name>[A-Za-z_]\w*)\s*(?=[\[,);=])")
_BARRIER = re.compile(rb"\bsync\w*\s*\(|\b__sync\w+|\b\w*(?:barrier|SYNC|BARRIER)\w*\b")
_STEPS = (1, 2, 4, 8, 16, 32)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Two steps or more of `s[i] += s[i + 16]` on a volatile array, with no barrier from one to the next.

    The finding stands at the first of them, once for each run of steps.
    """
    if b"volatile" not in parsed.data:
        return
    seen: set[int] = set()
    for match in parsed.lexed.matches(_VOLATILE):
        function = parsed.function(match.start())
        if function is None or function.scope != "device" or parsed.hip(match.start()) is not None:
            continue
        name = match["name"]
        for span in _runs(parsed, function, name):
            if span.start not in seen:
                seen.add(span.start)
                text = name.decode("latin-1")
                use = Use("name", text, span, span, (), "device", parsed.certainty(span.start))
                yield Hit("warp/volatile-lanes", use, {"name": text})


def _runs(parsed: ParsedFile, function: Function, name: bytes) -> Iterator[Span]:
    """The first step of each run without a barrier."""
    array = re.escape(name)
    step = re.compile(
        rb"\b" + array + rb"\s*\[\s*(?P<index>[\w.]+)\s*\]\s*(?:[-+*|&^]?=(?!=))[^;{}]*?\b" + array
        + rb"\s*\[\s*(?P=index)\s*\+\s*(?P<by>\d+)\s*\]"
    )  # fmt: skip
    first: Span | None = None
    length, last = 0, 0
    for match in step.finditer(parsed.data, function.span.start, function.span.end):
        if int(match["by"]) not in _STEPS or not parsed.lexed.is_code(match.start()):
            continue
        if first is not None and _BARRIER.search(parsed.data, last, match.start()) is None:
            length += 1
            if length == 2:
                yield first
        else:
            first, length = Span(match.start(), match.end()), 1
        last = match.end()
