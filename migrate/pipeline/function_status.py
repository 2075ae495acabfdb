"""Results of all files -> which functions with warp-level code are fully converted, and which are left for manual
review.

Result: the same results, each with its `lane_functions`. A function that is converted in part is worse than one left
alone, so a reader has to know which are which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.lane_facts import LaneFunction, LaneState, LaneUnit

_GROUPS = frozenset(("warp", "ptx", "cooperative-groups"))
_HARMFUL = frozenset(("wrong-result", "compile-error"))


def annotate(results: Iterable[FileResult], rejected: Collection[Finding] = ()) -> list[FileResult]:
    """The results with what becomes of their functions; fixes of findings in `rejected` are not applied."""
    refused, results = {finding.fingerprint for finding in rejected}, list(results)
    fixed = frozenset[str]().union(*(result.lanes.fixed for result in results if result.lanes is not None))
    return [_judged(result, refused, fixed) if result.lanes is not None else result for result in results]


def _judged(result: FileResult, refused: Collection[str], fixed: frozenset[str]) -> FileResult:
    assert result.lanes is not None
    if not result.lanes.units:
        return result
    harmful = [f for f in result.findings if f.group in _GROUPS and f.outcome in _HARMFUL]
    found = tuple(_function(unit, harmful, refused, fixed) for unit in result.lanes.units)
    return replace(result, lane_functions=found)


def _function(
    unit: LaneUnit, harmful: Sequence[Finding], refused: Collection[str], fixed: frozenset[str]
) -> LaneFunction:
    inside = [f for f in harmful if unit.start <= f.span.start < unit.end]
    left = {f.rule for f in inside if not f.automatic or (refused and f.fingerprint in refused)}
    state: LaneState = "left" if left else "converted" if inside else "right"
    wave, why = unit.wave, unit.why
    if unit.borrowed and fixed.issuperset(unit.borrowed):
        wave, why = "narrowed", "groups of 32 lanes"  # another file of the repository defines the constants as 32
    if left:
        wave, why = "open", f"left for manual review: {', '.join(sorted(left))}"
    return LaneFunction(unit.name, unit.line, state, tuple(sorted(left)), wave, why)
