"""Fences that other blocks see, in code and in the functions of the file that it calls."""

from __future__ import annotations

from bisect import bisect_left

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_FENCES = frozenset((b"__threadfence", b"__threadfence_system", b"atomic_thread_fence", b"membar", b"fence"))
"""Fences that other blocks see, of CUDA, of libcu++ and of PTX, which is in strings."""


def has_fence(parsed: ParsedFile, span: Span) -> bool:
    """Whether code, or a function of the file that it calls, has a fence for the device."""
    places = parsed.once(_places)
    at = bisect_left(places, span.start)
    return at < len(places) and places[at] < span.end


def _places(parsed: ParsedFile) -> list[int]:
    """Where the file names a fence, or a function of its own that comes to one."""
    graph = CallGraph.of(parsed)
    direct = {
        name
        for name, every in graph.named.items()
        if any(not _FENCES.isdisjoint(graph.words(one.body)) for one in every)
    }
    names = sorted({*_FENCES, *(name.encode() for name in graph.reaching(direct) if name)})
    named = re.compile(rb"(?<!\w)(?:%s)(?!\w)" % b"|".join(map(re.escape, names)))
    return [match.start() for match in named.finditer(parsed.data)]
