"""What only the files of a repository together show of its device code: findings through calls from file to file.

A file by itself takes what a function of another file returns for anything, and objects of a class for any memory. The
files that include it, and all that those include, may show that the threads of a wave answer a condition alike after
all: then what was found there goes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from cudamigrate.cuda.include_paths import IncludeGraph, spelled
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Hit, SourceFile
from cudamigrate.model.warp_graph import FileGraph
from cudamigrate.pipeline import deep_calls
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp.obligations import Failure, failures, hit
from cudamigrate.warp.transfer import Evaluator

Read = Callable[[str], "SourceFile | None"]
_At = tuple[str, str, int]
"""The file, rule and place of a finding."""
_RULES = ("warp/waits-for-own-wave", "launch/barrier-in-branch")


def with_cross_file_findings(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with findings that need other files, and without graphs; `read` gives the source of a path."""
    graphs = [result.graph for result in results if result.graph is not None and result.graph.routines]
    more: dict[str, list[Finding]] = {}
    gone: frozenset[_At] = frozenset()
    if len(graphs) > 1:
        # Only those: the place of any other would be read back from the spool, and held.
        named = (one for result in results for one in result.findings if one.rule in _RULES)
        known = {(one.path, one.rule, one.span.start) for one in named}
        every = deep_calls.run(lambda: list(failures(Evaluator(graphs))))
        gone = _refuted(results, known - set(map(_at, every)), read)
        for failure in every:
            if _at(failure) not in known:
                source = read(failure.place.path)
                if source is not None:
                    text = source.data[failure.site.start : failure.site.end]
                    more.setdefault(failure.place.path, []).extend(_made(source, hit(failure, text), book))
    return [
        replace(result, graph=None, findings=_with(result, more.get(result.path, ()), gone))
        if result.graph is not None
        else result
        for result in results
    ]


def _refuted(results: Sequence[FileResult], doubtful: Collection[_At], read: Read) -> frozenset[_At]:
    """Those of the places that do not fail once all that is compiled together with their file is seen."""
    if not doubtful:
        return frozenset()
    graphs = {one.path: one.graph for one in results if one.graph is not None and one.graph.routines}
    sources = ((one.path, read(one.path)) for one in results if one.language in ("cuda", "cxx"))
    tree = IncludeGraph({path: [name for name, *_ in spelled(one.data)] for path, one in sources if one is not None})
    asked: dict[frozenset[str], set[_At]] = {}
    for one in doubtful:
        asked.setdefault(tree.below(tree.above(one[:1])) & frozenset(graphs), set()).add(one)
    found: set[_At] = set()
    for seen, places in asked.items():
        found |= places - deep_calls.run(partial(_failed, [graphs[path] for path in sorted(seen)]))
    return frozenset(found)


def _failed(graphs: Sequence[FileGraph]) -> set[_At]:
    return {_at(one) for one in failures(Evaluator(graphs))}


def _at(failure: Failure) -> _At:
    rule = _RULES[0] if failure.kind == "spin" else _RULES[1]
    return failure.place.path, rule, failure.site.start


def _made(source: SourceFile, found: Hit, book: Rulebook) -> list[Finding]:
    rule = book.rules.get(found.rule)
    return [] if rule is None or rule.silent else [engine.finding(source, found, rule)]


def _with(result: FileResult, more: Sequence[Finding], gone: Collection[_At]) -> tuple[Finding, ...]:
    kept = [
        one for one in result.findings if one.rule not in _RULES or (one.path, one.rule, one.span.start) not in gone
    ]
    return tuple(engine.in_order([*kept, *more])) if more else tuple(kept)
