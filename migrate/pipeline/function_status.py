"""Results of all files -> which functions with warp-level code are fully converted, and which are left for manual
review.

Result: the same results, each with its `lane_functions`. A function that is converted in part is worse than one left
alone, so a reader has to know which are which.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Report
from cudamigrate.model.lane_facts import LaneFunction, LaneState, LaneUnit
from cudamigrate.pipeline.lane_includes import LaneIncludes

_GROUPS = frozenset(("warp", "ptx", "cooperative-groups"))
_HARMFUL = frozenset(("wrong-result", "compile-error"))
_HANGS = frozenset(("warp/waits-for-turn", "warp/waits-for-own-wave", "warp/lane-spin", "warp/sunk-release"))
"""The rules of loops in which lanes of a wave wait for each other."""
_PASTED = "warp/pasted-call"
_MACRO = re.compile(r"\s*#\s*define\s+(\w+)")


def annotate(
    results: Iterable[FileResult],
    rejected: Collection[Finding] = (),
    answered: Mapping[str, Sequence[tuple[Finding, str]]] | None = None,
) -> list[FileResult]:
    """The results with what becomes of their functions; fixes of findings in `rejected` are not applied.

    `answered` gives, by path, findings that a HIP port answers, each with how: such a function is the port's.
    """
    refused, results = {finding.fingerprint for finding in rejected}, list(results)
    facts = [result.lanes for result in results if result.lanes is not None]
    fixed = frozenset[str]().union(*(one.fixed for one in facts))
    includes = LaneIncludes.of(results)
    left = _left_macros(results)
    judged = (_judged(one, refused, fixed, includes, left) if one.lanes is not None else one for one in results)
    return _through_calls([_with_port(one, answered.get(one.path, ())) if answered else one for one in judged])


def as_withheld(report: Report, rejected: Sequence[Finding]) -> Report:
    """A report as it is where fixes are withheld: what they were for is manual work."""
    left = set(map(_place, rejected))

    def as_manual(found: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(_without_fix(one) if _place(one) in left else one for one in found)

    files = after_withheld(report.files, rejected)
    files = tuple(replace(one, findings=as_manual(one.findings)) if left and one.findings else one for one in files)
    return replace(report, files=files, findings=as_manual(report.findings))


def _place(finding: Finding) -> tuple[str, str, int, int]:
    return finding.path, finding.rule, finding.span.start, finding.span.end


def _without_fix(finding: Finding) -> Finding:
    return finding.without_fix("trivial" if finding.effort == "none" else finding.effort)


def after_withheld(results: Sequence[FileResult], rejected: Collection[Finding]) -> tuple[FileResult, ...]:
    """The results of a report, with what becomes of their functions where fixes are withheld.

    What a HIP port answers for, and nobody checks, stays so: the findings that showed it are no longer there.
    """
    made = zip(results, annotate(results, rejected), strict=True) if rejected else ()
    return tuple(
        replace(
            now,
            lane_functions=tuple(
                old if old.state == "unchecked" and new.state == "right" else new
                for old, new in zip(before.lane_functions, now.lane_functions, strict=True)
            ),
        )
        if before.lane_functions
        else now
        for before, now in made
    ) or tuple(results)


def _through_calls(results: list[FileResult]) -> list[FileResult]:
    """The results, with functions open whose warp-level code is in what they call, where one of those is open.

    Functions with code of their own too, where one that they come to can hang: they hang with it.
    """
    every = [
        ((result.path, unit.start), unit, function)
        for result in results
        if result.lanes is not None and result.lane_functions
        for unit, function in zip(result.lanes.units, result.lane_functions, strict=True)
    ]
    made = {place: function for place, _, function in every}
    callers: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for place, unit, _ in every:
        for end in unit.leads:
            callers.setdefault(end, []).append(place)
    own = frozenset(place for place, unit, _ in every if not unit.is_of_called)
    hung = frozenset(place for place, function in made.items() if not _HANGS.isdisjoint(function.rules))
    waiting = [(place, place in hung) for place, one in made.items() if one.wave != "narrowed" and place in callers]
    changed: set[str] = set()
    seen = set(waiting)
    while waiting:
        end, hangs = waiting.pop()
        for place in callers.get(end, ()):
            if (place, hangs) in seen or not (hangs or place not in own):
                continue
            if made[place].wave == "narrowed":
                made[place] = replace(made[place], wave="open", why=_why(made[end], end[0], hangs))
                changed.add(place[0])
            elif not hangs:
                continue
            seen.add((place, hangs))
            waiting.append((place, hangs))
    return [
        replace(one, lane_functions=tuple(made[one.path, unit.start] for unit in one.lanes.units))
        if one.path in changed and one.lanes is not None
        else one
        for one in results
    ]


def _why(end: LaneFunction, path: str, hangs: bool) -> str:
    """Why a function is open that comes to another one."""
    said = "is open" if end.wave == "open" else "follows the wave of the GPU"
    said = "can hang: lanes of a wave wait for each other" if hangs else said
    return f"it comes to `{end.name}`, which {said}, at {path}:{end.line}"


def _left_macros(results: Iterable[FileResult]) -> frozenset[str]:
    """The macros that stand for functions of HIP's across the wave, and are left as they are."""
    found = (one for result in results for one in result.findings if one.rule == _PASTED and not one.automatic)
    return frozenset(match[1] for one in found if (match := _MACRO.match(one.excerpt)) is not None)


def _judged(
    result: FileResult,
    refused: Collection[str],
    fixed: frozenset[str],
    includes: LaneIncludes,
    macros: frozenset[str],
) -> FileResult:
    assert result.lanes is not None
    if not result.lanes.units:
        return result
    asks = any(unit.borrowed or unit.calls for unit in result.lanes.units)
    reached = includes.reached(result.path) if asks else []
    ported = frozenset[str]().union(*(one.ported for one in reached))
    wide = frozenset[str]().union(*(one.for_amd | one.branched for one in reached if one.on_waves))
    harmful = sorted(_harmful(result.findings), key=_start)
    found = tuple(
        _by_macro(_function(unit, harmful, refused, fixed, (ported, wide)), unit.calls & macros)
        for unit in result.lanes.units
    )
    return replace(result, lane_functions=found)


def _by_macro(function: LaneFunction, macros: frozenset[str]) -> LaneFunction:
    """What becomes of a function that calls macros which are left for manual review."""
    if not macros:
        return function
    rules = tuple(sorted({*function.rules, _PASTED}))
    why = f"calls the macro `{min(macros)}`, which is left for manual review"
    return replace(function, state="left", rules=rules, wave="open", why=why)


def _start(finding: Finding) -> int:
    return finding.span.start


def _harmful(findings: Iterable[Finding]) -> list[Finding]:
    return [f for f in findings if f.group in _GROUPS and f.outcome in _HARMFUL]


def _with_port(result: FileResult, answered: Sequence[tuple[Finding, str]]) -> FileResult:
    """The result, its functions open where they are taken to be right only because the port answers their findings."""
    if result.lanes is None or not answered:
        return result
    how = {finding.span.start: reason for finding, reason in answered if _harmful([finding])}
    made = []
    for unit, one in zip(result.lanes.units, result.lane_functions, strict=True):
        reason = next((why for at, why in how.items() if unit.start <= at < unit.end), "")
        said = f"the HIP port answers for it, and is not checked: {reason}"
        asked = reason and one.state != "left"
        made.append(replace(one, state="unchecked", wave="open", why=said) if asked else one)
    return replace(result, lane_functions=tuple(made))


def _function(
    unit: LaneUnit,
    harmful: Sequence[Finding],
    refused: Collection[str],
    fixed: frozenset[str],
    waves: tuple[frozenset[str], frozenset[str]],
) -> LaneFunction:
    """What becomes of a unit; `waves` are constants that are 64 for HIP where it is, and functions that follow one."""
    ported, wide = waves
    inside = harmful[bisect_left(harmful, unit.start, key=_start) : bisect_left(harmful, unit.end, key=_start)]
    left = {f.rule for f in inside if not f.automatic or (refused and f.fingerprint in refused)}
    state: LaneState = "left" if left else "converted" if inside else "right"
    wave, why = unit.wave, unit.why
    if unit.borrowed and fixed.issuperset(unit.borrowed):
        wave, why = "narrowed", "groups of 32 lanes"  # another file of the repository defines the constants as 32
    if follows := ported.intersection(unit.borrowed):
        why = f"follows `{min(follows)}`, another number for HIP; that it is right there is the project's claim"
        wave = "open"
    if wave == "narrowed" and (called := wide.intersection(unit.calls)):
        wave, why = "open", f"calls `{min(called)}`, which is written for HIP in another file"
    if state == "right" and wave == "open":
        state = "unchecked"
    if left:
        wave, why = "open", f"left for manual review: {', '.join(sorted(left))}"
    return LaneFunction(unit.name, unit.line, state, tuple(sorted(left)), wave, why, unit.trace)
