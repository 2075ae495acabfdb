"""A file read again as if it began with what other files of the tree declare -> what a detector finds then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Hit, SourceFile, Span


def hits(detector: str, source: SourceFile, ahead: bytes, marks: Sequence[str]) -> Iterator[Hit]:
    """The hits in a file behind some text, at their places in the file itself; `marks` are HIP's macros in the tree."""
    whole = SourceFile(source.path, ahead + source.data, source.language)
    for hit in engine.hits(detector, cuda.parse(whole, frozenset(), marks)):
        if hit.use.span.start >= len(ahead):
            span, extent, *places = (_moved(one, len(ahead)) for one in (hit.use.span, hit.use.extent, *hit.use.args))
            yield replace(hit, use=replace(hit.use, span=span, extent=extent, args=tuple(places)))


def _moved(span: Span, by: int) -> Span:
    return Span(span.start - by, span.end - by)
