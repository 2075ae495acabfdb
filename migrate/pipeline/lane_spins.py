"""Loops in which lanes seem to wait for their own wave, asked again once it is seen what other files' functions take.

A file by itself takes a variable that it hands to a function of another file for one that the function may write. Where
all functions of the name take values, the variable is what it was: then one lane of a wave may be in the loop, no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Target
from cudamigrate.model.warp_graph import FileGraph
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

_RULE = "warp/lane-spin"


def without_single(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, which have their graphs yet, without findings on loops that one lane of a wave is in."""
    if not any(finding.rule == _RULE for one in results for finding in one.findings):
        return list(results)
    names = _taking_values(one.graph for one in results if one.graph is not None)
    return [_asked(one, names, book.goal, read) for one in results]


def _taking_values(graphs: Iterable[FileGraph]) -> frozenset[bytes]:
    """The names of functions that take values alone, whichever of a name is called."""
    values: set[str] = set()
    others: set[str] = set()
    for graph in graphs:
        for one in graph.routines:
            (values if one.held.issuperset(one.parameters) else others).add(one.name)
    return frozenset(name.encode("latin-1") for name in values - others - {""})


def _asked(result: FileResult, names: frozenset[bytes], goal: Target, read: Read) -> FileResult:
    source = read(result.path) if any(one.rule == _RULE for one in result.findings) else None
    if source is None:
        return result
    parsed = replace(cuda.parse(source, frozenset()), target=goal, values_taken=names)
    left = {hit.use.span.start for hit in engine.hits("lane_spin", parsed)}
    kept = tuple(one for one in result.findings if one.rule != _RULE or one.span.start in left)
    return replace(result, findings=kept)
