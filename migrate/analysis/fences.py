"""Fences that other blocks see, in code and in the functions of the file that it calls."""

from __future__ import annotations

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span

_FENCES = frozenset((b"__threadfence", b"__threadfence_system", b"atomic_thread_fence", b"membar", b"fence"))
"""Fences that other blocks see, of CUDA, of libcu++ and of PTX."""


def has_fence(parsed: ParsedFile, span: Span) -> bool:
    """Whether code, or a function of the file that it calls, has a fence for the device."""
    graph = CallGraph.of(parsed)
    said = graph.words(span)
    called = graph.reached(name for name in graph.named if name.encode() in said)
    bodies = (graph.words(one.body) for name in called for one in graph.named[name])
    return not _FENCES.isdisjoint(said.union(*bodies))
