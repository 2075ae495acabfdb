"""The default stream: the macro that gives each thread its own, and copies on it that other streams do not wait for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"CUDA_API_PER_THREAD", b"StreamNonBlocking")

_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(rb"\bCUDA_API_PER_THREAD_DEFAULT_STREAM\b")
"""The macro that gives each thread its own default stream, as a word of its own."""
_APART = re.compile(
    rb"\b(?:cuda|hip)StreamCreateWith(?:Flags|Priority)\s*\(\s*&?\s*(?P<name>[\w.>\[\]-]+)\s*,\s*(?:cuda|hip)StreamNonBlocking\b"
)
"""A stream that does not wait for the default one: `cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking`."""
_COPY = re.compile(rb"\b(?:cuda|hip)(?:Memcpy(?:2D|3D|ToSymbol|FromSymbol)?|Memset(?:2D)?)(?=\s*\()")
"""A copy or fill without a stream: `cudaMemcpy2D (`. The `(` must follow, so the `Async` forms do not match."""
_MEETS = frozenset(
    f"{vendor}{call}".encode()
    for vendor in ("cuda", "hip")
    for call in ("StreamSynchronize", "DeviceSynchronize", "EventSynchronize", "StreamWaitEvent", "StreamQuery")
) | {b"cuStreamSynchronize", b"cuCtxSynchronize", b"cuEventSynchronize", b"cuStreamWaitEvent", b"cudaThreadSynchronize"}
"""Calls that may order the streams between."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The macro where it is defined or asked for; copies between a launch on another stream and the wait for it."""
    data = parsed.data
    if b"CUDA_API_PER_THREAD" in data:
        for match in _MACRO.finditer(data):
            if parsed.lexed.is_code(match.start()) and parsed.hip(match.start()) is None:
                name, span = match[0].decode(), Span(*match.span())
                use = Use("name", name, span, span, (), "macro", "token")
                yield Hit("launch/per-thread-stream-macro", use, {"name": name})
    streams = {match["name"] for match in parsed.lexed.matches(_APART, b"StreamNonBlocking")}
    launches = [use for use in parsed.uses if use.kind == "launch" and len(use.args) > 3] if streams else []
    apart = [use for use in launches if parsed.data[use.args[3].start : use.args[3].end] in streams]
    waits = _waits(parsed) if apart else frozenset()
    for function in parsed.functions if apart else ():
        if function.scope == "host":
            yield from _copies(parsed, function, apart, waits)


def _waits(parsed: ParsedFile) -> frozenset[bytes]:
    """What waits: CUDA's calls, macros that make them, and functions that are seen to come to one."""
    graph = CallGraph.of(parsed)
    defined = (one.argument(parsed.data) for one in parsed.lexed.directives if one.name == "define")
    macros = (_WORD.findall(text) for text in defined)
    meets = _MEETS.union(words[0] for words in macros if not _MEETS.isdisjoint(words[1:]))
    direct = (name for name, found in graph.named.items() if any(meets & graph.words(one.body) for one in found))
    return meets.union(name.encode() for name in graph.reaching(direct))


def _copies(parsed: ParsedFile, function: Function, launches: Sequence[Use], waits: frozenset[bytes]) -> Iterator[Hit]:
    """The first copy of a function that is after work on a stream apart, with nothing between that waits."""
    first, last = (
        bisect_left(launches, at, key=lambda use: use.span.start) for at in (function.body.start, function.body.end)
    )
    for use in launches[first:last]:
        copy = next(
            (
                at
                for at in _COPY.finditer(parsed.data, use.extent.end, function.body.end)
                if parsed.lexed.is_code(at.start())
            ),
            None,
        )
        if (
            copy is None
            or b"\n}" in parsed.data[use.extent.end : copy.start()]
            or not waits.isdisjoint(_WORD.findall(parsed.data, use.extent.end, copy.start()))
        ):
            continue
        name, span = copy[0].decode(), Span(*copy.span())
        yield Hit("launch/copy-without-wait", Use("name", name, span, span, (), "host", "syntax"), {"name": name})
        return
