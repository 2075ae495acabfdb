"""What only the files of a repository together show of its device code: findings and states through calls.

A file by itself takes what a function of another file returns for anything, and objects of a class for any memory. The
files that include it, and all that those include, may show that the threads of a wave answer a condition alike after
all: then what was found there goes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Target
from cudamigrate.model.lane_facts import LaneFacts, LaneUnit
from cudamigrate.model.warp_graph import FileGraph, Shape, Site
from cudamigrate.pipeline import deep_calls
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph
from cudamigrate.pipeline.tile_masks import with_known_tiles
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp import called_lanes, called_polls, lane_masks
from cudamigrate.warp.entering_lanes import is_alone
from cudamigrate.warp.lane_code import NAMES
from cudamigrate.warp.obligations import RULES, Failure, failures, hit
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator
from cudamigrate.warp.version_guards import is_left_out

_At = tuple[str, str, int]
"""The file, rule and place of a finding."""
_RULES = tuple(RULES.values())
_LANES = frozenset(name.encode() for name in NAMES)


def with_cross_file_findings(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with findings that need other files, and without graphs; `read` gives the source of a path."""
    every_graph = [result.graph for result in results if result.graph is not None]
    graphs = [one for one in every_graph if one.routines or one.blocks or one.makers or one.masks]
    launches, tree = _launched(results), _Compiled(results, read)
    evaluator = Evaluator(
        [*graphs, *(one for one in every_graph if _has_constants_alone(one))], launches, tree.together
    )
    results = with_known_tiles(results, evaluator, read, book)
    more: dict[str, list[Finding]] = {}
    gone: frozenset[_At] = frozenset()
    if len(graphs) > 1:
        # Only those: the place of any other would be read back from the spool, and held.
        named = (one for result in results for one in result.findings if one.rule in _RULES)
        known = {(one.path, one.rule, one.span.start) for one in named}
        alone = _Alone(read, book.goal)
        every = deep_calls.run(lambda: list(failures(evaluator, alone)))
        failed = partial(_failed, launches=launches, alone=alone, blocks=evaluator.blocks)
        gone = _refuted(graphs, known - set(map(_at, every)), tree, failed)
        for path, found in (
            *_new(every, known, alone, read),
            *_polls(results, evaluator, alone, read),
            *_cut_masks(graphs, evaluator, tree),
        ):
            source = read(path)
            more.setdefault(path, []).extend([] if source is None else _made(source, found, book))
    units = deep_calls.run(lambda: _called(results, evaluator, tree.together)) if graphs else {}
    evaluator.let_go()
    return [
        replace(
            result,
            graph=None,
            findings=_with(result, more.get(result.path, ()), gone),
            lanes=_with_units(result.lanes, units.get(result.path, ())),
        )
        if result.graph is not None
        else result
        for result in results
    ]


def without_graphs(results: Sequence[FileResult]) -> list[FileResult]:
    """The results without the graphs, for whoever is not to ask them."""
    return [replace(one, graph=None) if one.graph is not None else one for one in results]


def _new(every: Iterable[Failure], known: Collection[_At], alone: _Alone, read: Read) -> Iterator[tuple[str, Hit]]:
    """Failures that no file shows by itself, by path, in code that HIP compiles."""
    for failure in every:
        place, site = failure.place, failure.site
        if _at(failure) in known or alone.is_left_out(place, site):
            continue
        if (source := read(place.path)) is not None:
            yield place.path, hit(failure, source.data[site.start : site.end])


def _polls(results: Sequence[FileResult], evaluator: Evaluator, alone: _Alone, read: Read) -> Iterator[tuple[str, Hit]]:
    """Loops that wait for memory by functions of other files, by path, without those that a file shows by itself."""
    said = (one for result in results for one in result.findings if one.rule == called_polls.RULE)
    waits = {(one.path, one.span.start) for one in said}
    for place, site, found in deep_calls.run(lambda: list(called_polls.hits(evaluator, alone, read, waits))):
        if not alone.is_left_out(place, site):
            yield place.path, found


def _cut_masks(graphs: Sequence[FileGraph], evaluator: Evaluator, tree: _Compiled) -> Iterator[tuple[str, Hit]]:
    """Masks of HIP's votes that a function of another file takes in 32 bits, or gives and this one cuts; by path."""
    giving = {(one.path, name) for one in graphs for name in one.giving}
    for graph in graphs:
        for edge in graph.masks:
            together = tree.together(graph.path)
            found = [one for one in evaluator.by_name.get(edge.function, ()) if one.path in together]
            if edge.at < 0:
                if found and all((one.path, edge.function) in giving for one in found):
                    yield graph.path, lane_masks.hit(edge, edge.into)
                continue
            names = [one.routine.parameters[edge.at] for one in found if len(one.routine.parameters) > edge.at]
            kinds = [one.routine.types.get(name, "") for one, name in zip(found, names, strict=False)]
            if kinds and len(names) == len(found) and all(map(lane_masks.is_narrow, kinds)):
                yield graph.path, lane_masks.hit(edge, edge.function)


def _called(
    results: Sequence[FileResult], evaluator: Evaluator, together: Callable[[str], frozenset[str]]
) -> dict[str, list[LaneUnit]]:
    """The functions whose warp-level code is in what they call, by path."""
    known = {one.path: one.lanes.units for one in results if one.lanes is not None and one.lanes.units}
    found: dict[str, list[LaneUnit]] = {}
    for path, unit in called_lanes.units(evaluator, known, together):
        found.setdefault(path, []).append(unit)
    return found


def _with_units(lanes: LaneFacts | None, units: Sequence[LaneUnit]) -> LaneFacts | None:
    """The facts of a file with more functions that have a state, and with what is new of those that it has."""
    if not units:
        return lanes
    lanes, made = lanes or LaneFacts(), {one.start: one for one in units}
    known = tuple(made.pop(one.start, one) for one in lanes.units)
    return replace(lanes, units=(*known, *made.values()))


def _launched(results: Sequence[FileResult]) -> frozenset[str]:
    """The names of kernels that files launch which others define."""
    launches = (name for one in results if one.lanes is not None for name in one.lanes.launches)
    return frozenset(name.rpartition("::")[2] for name in launches)


class _Compiled:
    """Which files are compiled together, as far as includes tell; they are read when it is asked first."""

    def __init__(self, results: Sequence[FileResult], read: Read) -> None:
        self._paths = [one.path for one in results if one.language in ("cuda", "cxx")]
        self._read, self._known = read, dict[str, frozenset[str]]()

    @cached_property
    def _tree(self) -> IncludeGraph:
        return include_graph(self._read, self._paths)

    def together(self, path: str) -> frozenset[str]:
        """A file, all that include it, and all that those include."""
        if path not in self._known:
            self._known[path] = self._tree.together((path,))
        return self._known[path]


def _has_constants_alone(graph: FileGraph) -> bool:
    """Whether a file has nothing but constants, by which others launch kernels."""
    return bool(graph.constants) and not (graph.routines or graph.blocks or graph.makers or graph.masks)


def _refuted(
    graphs: Sequence[FileGraph],
    doubtful: Collection[_At],
    tree: _Compiled,
    failed: Callable[[Sequence[FileGraph]], set[_At]],
) -> frozenset[_At]:
    """Those of the places that do not fail once all that is compiled together with their file is seen."""
    asked: dict[frozenset[str], set[_At]] = {}
    paths = frozenset(one.path for one in graphs)
    for one in doubtful:
        asked.setdefault(tree.together(one[0]) & paths, set()).add(one)
    found: set[_At] = set()
    for seen, places in asked.items():
        found |= places - deep_calls.run(partial(failed, [one for one in graphs if one.path in seen]))
    return frozenset(found)


def _failed(
    graphs: Sequence[FileGraph], launches: frozenset[str], alone: _Alone, blocks: Mapping[str, set[Shape]]
) -> set[_At]:
    """What fails in files that are compiled together; a kernel may be launched by any file, in `blocks`."""
    evaluator = Evaluator(graphs, launches)
    evaluator.blocks |= blocks
    found = {_at(one) for one in failures(evaluator, alone)}
    evaluator.let_go()
    return found


class _Alone:
    """Which sites one lane of a wave comes to by itself; files are read again for those that are asked for."""

    def __init__(self, read: Read, goal: Target) -> None:
        self._read, self._goal = read, goal
        self._parsed: dict[str, ParsedFile | None] = {}
        self._known: dict[tuple[str, int], bool] = {}

    def __call__(self, place: Place, site: Site) -> bool:
        key = place.path, site.start
        if key not in self._known:
            parsed = self._file(place.path)
            self._known[key] = parsed is not None and is_alone(parsed, site.start)
        return self._known[key]

    def is_left_out(self, place: Place, site: Site) -> bool:
        """Whether a site is in code for old GPUs that HIP does not compile once its condition is converted."""
        parsed = self._file(place.path)
        return parsed is not None and is_left_out(parsed, site.start)

    def _file(self, path: str) -> ParsedFile | None:
        if path not in self._parsed:
            source = self._read(path)
            made = None if source is None else replace(cuda.parse(source, _LANES), target=self._goal)
            self._parsed[path] = made
        return self._parsed[path]


def _at(failure: Failure) -> _At:
    return failure.place.path, RULES[failure.kind], failure.site.start


def _made(source: SourceFile, found: Hit, book: Rulebook) -> list[Finding]:
    rule = book.rules.get(found.rule)
    return [] if rule is None or rule.silent else [engine.finding(source, found, rule)]


def _with(result: FileResult, more: Sequence[Finding], gone: Collection[_At]) -> tuple[Finding, ...]:
    kept = [
        one for one in result.findings if one.rule not in _RULES or (one.path, one.rule, one.span.start) not in gone
    ]
    return tuple(engine.in_order([*kept, *more])) if more else tuple(kept)
