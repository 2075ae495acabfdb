"""Passes over the results of all files that ask nothing of each other, worked off by two processes at once.

Result: the results of the passes of this process, with what the others changed. What passes change are findings, which
go, come, or say something else, and other parts of a file's result. No two of them may change the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from typing import Any, NamedTuple

from cudamigrate import parallel
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import ReadAgain

Results = Sequence[FileResult]
_Key = tuple[str, Span, str]
_OTHERS: tuple[str, ...] = tuple(
    name for name in FileResult.__match_args__ if name not in ("path", "findings", "graph")
)
"""What passes change beside findings; the graph is let go by whoever has asked it."""


class _Change(NamedTuple):
    """What passes made of one file: by rule, place and name what they changed, what is there now, and other parts."""

    places: frozenset[_Key]
    more: tuple[Finding, ...]
    parts: dict[str, Any]


def begun(
    passes: Callable[[Results], Results], results: Results, read: Read, jobs: int
) -> Callable[[Results], list[FileResult]]:
    """Begin some passes over the results; what is returned takes those of other passes, and joins both.

    What was asked of texts meanwhile is kept by `read`. `jobs` is the number of processes, as `parallel.run` has it.
    """
    weight = sum(one.size for one in results if one.cuda)
    wait = parallel.apart(partial(_worked_off, passes, results, read), jobs, weight)

    def joined(made: Results) -> list[FileResult]:
        changes, facts = wait()
        if isinstance(read, ReadAgain):
            read.learn(facts)
        return [_with(one, changes[one.path]) if one.path in changes else one for one in made]

    return joined


def _worked_off(
    passes: Callable[[Results], Results], results: Results, read: Read
) -> tuple[dict[str, _Change], list[Any]]:
    """What the passes change, by path, and what was asked of texts on the way."""
    facts = read.watched() if isinstance(read, ReadAgain) else []
    before = {one.path: one for one in results}
    changes = ((one.path, _change(before[one.path], one)) for one in passes(results) if one is not before[one.path])
    return {path: change for path, change in changes if any(change)}, facts


def _change(before: FileResult, after: FileResult) -> _Change:
    parts: dict[str, Any] = {
        name: new for name in _OTHERS if (new := getattr(after, name)) is not getattr(before, name)
    }
    same = {id(one) for one in before.findings} & {id(one) for one in after.findings}
    old, new = _by_key(before.findings, same), _by_key(after.findings, same)
    changed = {key for key in old.keys() | new.keys() if not _alike(new.get(key, ()), old.get(key, ()))}
    rules = {rule for rule, *_ in changed}
    more = tuple(one for one in after.findings if one.rule in rules and _key(one) in changed)
    return _Change(frozenset(changed), more, parts)


def _by_key(findings: Iterable[Finding], same: Set[int]) -> dict[_Key, list[Finding]]:
    """Findings by what they are known again by, but for those that are the same objects before and after."""
    found: dict[_Key, list[Finding]] = {}
    for one in findings:
        if id(one) not in same:
            found.setdefault(_key(one), []).append(one)
    return found


def _key(one: Finding) -> _Key:
    return one.rule, one.span, one.name


def _alike(new: Sequence[Finding], old: Sequence[Finding]) -> bool:
    """Whether findings differ at most by how they are numbered among those that look alike."""
    return len(new) == len(old) and all(
        replace(one, ordinal=0) == replace(other, ordinal=0) for one, other in zip(new, old, strict=True)
    )


def _with(result: FileResult, change: _Change) -> FileResult:
    """A result with what other passes changed."""
    rules = {rule for rule, *_ in change.places}
    kept = [one for one in result.findings if one.rule not in rules or _key(one) not in change.places]
    findings = tuple(engine.in_order([*kept, *change.more])) if change.more else tuple(kept)
    return replace(result, findings=findings, **change.parts)
