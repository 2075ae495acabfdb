"""Functions whose warps wait at barriers for a part of the block, and what is said of the width of a warp there.

Two warps of 32 that have different roles share a wave of 64. With no barrier but that of the whole block, one of them
waits for what the other one can only do behind it: that its numbers are right is no answer there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, Span

_BARRIERS = ("ptx/named-barrier", "api/named-barriers")
_COUNT = "warp/hardcoded-size"
_SHARED = (
    "This counts 32 lanes. Two warps of 32 share a wave of 64, and with barriers for parts of the block their roles "
    "cannot wait for each other: see what is said of these barriers."
)
_NAME = re.compile(rb"[A-Za-z_]\w*")


def with_shared_waves(parsed: ParsedFile, found: Sequence[Finding]) -> list[Finding]:
    """The findings; those on a count of 32 lanes where such a barrier is, or is called, do not say that it is right.

    So it is with the definition of a constant that a function with one counts by.
    """
    spans = list(_waiting(parsed, found)) if any(one.rule == _COUNT for one in found) else []
    if not spans:
        return list(found)
    graph = CallGraph.of(parsed)
    said = frozenset[bytes]().union(*map(graph.words, spans))
    return [
        replace(one, message=_SHARED) if one.rule == _COUNT and _concerns(parsed, one, spans, said) else one
        for one in found
    ]


def _waiting(parsed: ParsedFile, found: Sequence[Finding]) -> Iterator[Span]:
    """The functions in which a finding says that there is such a barrier, and those that call them."""
    inside = (parsed.function(one.span.start) for one in found if one.rule in _BARRIERS)
    graph = CallGraph.of(parsed)
    for name in graph.reaching({function.name for function in inside if function is not None}):
        yield from (function.span for function in graph.named.get(name, ()))


def _concerns(parsed: ParsedFile, count: Finding, spans: Sequence[Span], said: frozenset[bytes]) -> bool:
    """Whether a count is in one of the functions, or in the definition of a constant that one of them names."""
    start = count.span.start
    if any(span.start <= start < span.end for span in spans):
        return True
    name = _NAME.match(parsed.data, start, count.span.end)
    return parsed.function(start) is None and name is not None and name[0] in said
