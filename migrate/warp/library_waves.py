"""Functions whose waves a library decides: they call, or launch, what works on the wave of the GPU by itself.

PyTorch's reductions of a block are compiled for the wave that `C10_WARP_SIZE` names. Blocks and shared memory that such
code sizes by it are right on ROCm as they are, and 32 in its place would leave them without a single full wave.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Set

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.warp.sources import Library, constants, libraries

_QUALIFIER = re.compile(rb"((?:\w+\s*::\s*)+)\Z")
"""What a name is qualified by, up to the name: `at::native::cuda_utils::`."""
_SPACE = re.compile(rb"\s+")
_LONGEST = 200


def keeps_wave(parsed: ParsedFile, start: int) -> bool:
    """Whether the function around a place works with, or for, a library's functions that follow the wave."""
    names = on_library_waves(parsed)
    if not names:
        return False
    around = _around(parsed, start)
    return around is not None and around.name in names


def counts_wave(parsed: ParsedFile, start: int) -> bool:
    """Whether that function also counts with the size of the wave, under any of its names."""
    around = _around(parsed, start) if keeps_wave(parsed, start) else None
    return around is not None and bool(_counting(parsed, around.span))


def obstacle(parsed: ParsedFile, span: Span) -> str:
    """Why a function or macro with CUDA's lane calls cannot be converted, or an empty string."""
    if b"coalesced_threads" in CallGraph.of(parsed).words(span):
        return "a coalesced group spans the full wavefront of 64 lanes, its lane calls mean 32"
    names = _counting(parsed, span) if keeps_wave(parsed, span.start) else []
    if not names:
        return ""
    return f"it counts with `{names[0]}` for functions of PyTorch that work on the wave, and its lane calls mean 32"


def sized(parsed: ParsedFile) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The functions of a file that count with the size of the wave: where each is, and the names that it mentions."""
    graph = CallGraph.of(parsed)
    around = (_around(parsed, start) for start in parsed.lexed.words(_of_constants() | {b"warpSize"}))
    spans = {one.span for one in around if one is not None and one.scope != "device"}
    for span in sorted(spans):
        words = frozenset(word.decode("ascii", "replace") for word in graph.words(span))
        yield span.start, span.end, words - graph.named.keys()


def _counting(parsed: ParsedFile, span: Span) -> list[str]:
    """The names of the size of the wave in a range, in their order."""
    found = parsed.lexed.words(_of_constants() | {b"warpSize"})
    tokens = (parsed.lexed.token(at) for at in found if span.start <= at < span.end)
    return [parsed.lexed.text(token).decode("latin-1") for token in tokens]


def _of_constants() -> frozenset[bytes]:
    return frozenset(name.rpartition("::")[2].encode() for name in constants())


def on_library_waves(parsed: ParsedFile) -> frozenset[str]:
    """The functions of a file that keep the size of the wave, worked out once.

    They call one of the library's functions or come to such a call or launch through others. What these call or launch
    and is sized by the library's constants too goes along with them, and all that is so sized and calls it.
    """
    return parsed.once(_on_library_waves)


def _on_library_waves(parsed: ParsedFile) -> frozenset[str]:
    direct = {_around(parsed, start) for one in libraries().values() for start in _calls(parsed, one)}
    named = {function.name for function in direct if function is not None and function.name}
    if not named:
        return frozenset()
    callees, callers = _mentions(parsed)
    every, known = _closure(named, callers), _sized(parsed)
    kernels = _kernels(parsed) & every
    start = {name for name in every if name in named | known or callees.get(name, set()) & kernels}
    near = {name: (callees.get(name, set()) | callers.get(name, set())) & known for name in start | known}
    return frozenset(every | _closure(start, near))


def _mentions(parsed: ParsedFile) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each function those of the file that its code names, and those that name it; comments name none."""
    callees: dict[str, set[str]] = {}
    callers: dict[str, set[str]] = {}
    for start in parsed.lexed.words(frozenset(one.name.encode() for one in parsed.outer if one.name)):
        around, token = _around(parsed, start), parsed.lexed.token(start)
        if around is None or token is None or not around.name:
            continue
        name = parsed.lexed.text(token).decode("latin-1")
        if name != around.name:
            callees.setdefault(around.name, set()).add(name)
            callers.setdefault(name, set()).add(around.name)
    return callees, callers


def _closure(names: Set[str], edges: Mapping[str, Set[str]]) -> set[str]:
    found, waiting = set(names), list(names)
    while waiting:
        new = edges.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting.extend(new)
    return found


def _around(parsed: ParsedFile, start: int) -> Function | None:
    """The outermost function around a place: what a lambda in it does, it does."""
    outer, starts = parsed.once(_outer)
    at = bisect_right(starts, start) - 1
    return outer[at] if at >= 0 and start < outer[at].span.end else None


def _outer(parsed: ParsedFile) -> tuple[list[Function], list[int]]:
    outer = parsed.outer
    return outer, [one.span.start for one in outer]


def _kernels(parsed: ParsedFile) -> frozenset[str]:
    return frozenset(use.name.rpartition("::")[2] for use in parsed.uses if use.kind == "launch" and use.name)


def _calls(parsed: ParsedFile, library: Library) -> Iterator[int]:
    """Where a file names functions of a library that follow the wave, and not some of its own of these names."""
    names = frozenset(name.encode() for name in library.on_waves.get("names", ()))
    names -= {function.name.encode() for function in parsed.functions}
    spaces = frozenset(name.encode() for name in library.on_waves.get("namespaces", ()))
    included = any(one.path in library.on_waves.get("headers", ()) for one in parsed.includes)
    for start in parsed.lexed.words(names):
        before = _QUALIFIER.search(parsed.data, max(0, start - _LONGEST), start)
        if before is not None:
            if _SPACE.sub(b"", before[1]).removesuffix(b"::") in spaces:
                yield start
        elif included:
            yield start


def _sized(parsed: ParsedFile) -> frozenset[str]:
    """Functions that name a library's constant of the wave, or its shuffles without a width of their own."""
    library = libraries()["PyTorch"]
    words = _of_constants() | {name.encode() for name in (*library.widths, *library.votes)}
    around = (_around(parsed, start) for start in parsed.lexed.words(words))
    return frozenset(one.name for one in around if one is not None and one.name)
