"""Which loops run the products of matrices that a run found, through calls from file to file.

What it costs to keep NVIDIA's fragments is paid in loops, and those are often elsewhere: a header holds the helper with
the instruction, a kernel in another file calls it in its loop. Calls come from the graphs of device code; the loops
around them are looked for in the files themselves, read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import FileResult, Finding, Step
from cudamigrate.model.warp_graph import FileGraph, Routine
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included
from cudamigrate.ptx import loops

_PTX = "ptx/matrix-function"
_FRAGMENTS = "library/matrix-fragments"
_MULTIPLIES = "mma_sync"
_DEEPEST = 4
"""How many files are gone through, from one to those that call its functions."""


def named(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, the loops that run each product in its message; `read` gives the source of a path."""
    seen = _Repository(results, read)
    return [
        replace(result, findings=tuple(_with_loops(one, seen) if _is_product(one) else one for one in result.findings))
        if any(map(_is_product, result.findings))
        else result
        for result in results
    ]


def _is_product(finding: Finding) -> bool:
    return finding.rule == _PTX or (finding.rule == _FRAGMENTS and finding.name.endswith(_MULTIPLIES))


def _with_loops(finding: Finding, seen: _Repository) -> Finding:
    """A finding with all loops in its message, those of its own file first where they run it as often."""
    parsed = seen.parsed(finding.path)
    if parsed is None:
        return finding
    own = loops.around(parsed, finding.span.start)
    found, steps = seen.elsewhere(finding)
    if not found:
        return finding if finding.rule == _PTX else _reworded(finding, "", loops.words(own))
    every = sorted([*own, *found], key=lambda one: (-one.times, one.path, one.line))
    written = loops.words(own) if finding.rule == _PTX else ""
    return replace(_reworded(finding, written, loops.words(every)), trace=(*finding.trace, *steps))


def _reworded(finding: Finding, before: str, after: str) -> Finding:
    """The finding with other words about loops at the end of its message."""
    said = finding.message.removesuffix(".").removesuffix(before)
    return replace(finding, message=f"{said}{after}.")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a device function: the file, the name of the function around it, and its first byte."""

    path: str
    function: str
    start: int


@dataclass(slots=True)
class _Repository:
    """The calls of all files by what they call, and the files that were read again."""

    results: Sequence[FileResult]
    read: Read
    _calls: dict[str, list[_Call]] = field(default_factory=dict)
    _parsed: dict[str, ParsedFile | None] = field(default_factory=dict)
    _includes: dict[str, list[str]] = field(default_factory=dict)
    _below: dict[str, frozenset[str]] = field(default_factory=dict)
    _paths: IncludePaths = field(init=False)

    def __post_init__(self) -> None:
        self._paths = IncludePaths(result.path for result in self.results)
        for result in self.results:
            if result.graph is not None:
                self._add(result.graph)

    def _add(self, graph: FileGraph) -> None:
        for routine in graph.routines:
            for site in routine.sites:
                if site.kind == "call":
                    call = _Call(graph.path, _around(graph, routine), site.start)
                    self._calls.setdefault(site.callee, []).append(call)

    def parsed(self, path: str) -> ParsedFile | None:
        """A file, read again; None where it is no longer there."""
        if path not in self._parsed:
            source = self.read(path)
            self._parsed[path] = None if source is None else cuda.parse(source, frozenset())
        return self._parsed[path]

    def elsewhere(self, finding: Finding) -> tuple[list[loops.Loop], tuple[Step, ...]]:
        """The loops of other files that run a product, and the calls that lead to the first of them."""
        found: Counter[tuple[str, int, str]] = Counter()
        first: tuple[Step, ...] = ()
        for path, loop, steps in self._followed(finding.path, finding.span.start, (), {finding.path}):
            found[path, loop.line, loop.function] += loop.times
            first = first or (*steps, Step(path, loop.line, "this loop runs it"))
        made = [loops.Loop(line, function, times, path) for (path, line, function), times in found.items()]
        return made, first

    def _followed(
        self, path: str, at: int, steps: tuple[Step, ...], through: set[str]
    ) -> Iterator[tuple[str, loops.Loop, tuple[Step, ...]]]:
        """The loops of other files around calls that lead to a place, each with the file and the calls."""
        parsed = self.parsed(path)
        if parsed is None or len(steps) >= _DEEPEST:
            return
        for name, times in loops.holders(parsed, at).items():
            for call in self._calls.get(name, ()):
                other = self.parsed(call.path) if call.path not in through and self._sees(call.path, path) else None
                if other is None:
                    continue
                line = other.source.position(call.start).line
                more = (*steps, Step(call.path, line, f"`{call.function}` calls `{name}`"))
                for loop in loops.around(other, call.start):
                    yield call.path, replace(loop, times=loop.times * times), more
                for further, loop, all_steps in self._followed(call.path, call.start, more, through | {call.path}):
                    yield further, replace(loop, times=loop.times * times), all_steps

    def _sees(self, path: str, header: str) -> bool:
        """Whether a file includes another, directly or not, as far as the paths of files tell."""
        if path not in self._below:
            self._below[path] = closure((path,), self._included)
        return header in self._below[path]

    def _included(self, path: str) -> list[str]:
        """The files that one includes itself."""
        if path not in self._includes:
            source = self.read(path)
            named = [name for name, _, _ in included(source)] if source is not None else []
            self._includes[path] = [found for name in named for found in self._paths.nearest(path, name)]
        return self._includes[path]


def _around(graph: FileGraph, routine: Routine) -> str:
    """The name of a routine, for a lambda that of the function around it."""
    while routine.parent >= 0:
        routine = graph.routines[routine.parent]
    return routine.name
