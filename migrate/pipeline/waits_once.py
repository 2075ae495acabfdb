"""One finding for a wait: of several rules that a loop breaks, the one that says most of it, and what to do about it.

A loop in which lanes of one wave wait for each other hangs, whatever fences there are, and however many blocks run. It
is reported by its lock, by its turns or by the branch that it is in; that it waits for memory at all is said where
nothing more is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding

_WEAKEST = "memory/block-spin"
RULES = ("warp/lane-spin", "warp/waits-for-turn", "warp/waits-for-own-wave", _WEAKEST)
"""The rules on loops that wait, the one that says most first."""


def without_repeated_waits(results: Sequence[FileResult]) -> list[FileResult]:
    """The results with one finding for each loop that waits."""
    return [_once(one) if any(finding.rule in RULES for finding in one.findings) else one for one in results]


def _once(result: FileResult) -> FileResult:
    waits: dict[int, list[Finding]] = {}
    for one in result.findings:
        if one.rule in RULES:
            waits.setdefault(one.span.start, []).append(one)
    kept = {start: _joined(sorted(found, key=_strength)) for start, found in waits.items()}
    left = (kept.pop(one.span.start, None) if one.rule in RULES else one for one in result.findings)
    return replace(result, findings=tuple(one for one in left if one is not None))


def _strength(finding: Finding) -> int:
    return RULES.index(finding.rule)


def _joined(found: Sequence[Finding]) -> Finding:
    """The first of some findings on one loop, with what else the wait needs by the last where other blocks end it.

    Who takes a lock waits for its holder, which runs: no more than fences is needed.
    """
    first, last = found[0], found[-1]
    if last.rule != _WEAKEST or last is first:
        return first
    needed = last.fact("fences" if first.fact("waits for") == "a lock" else "needs") or ""
    more = f" Where other blocks end the wait, {needed} too." if needed else ""
    return replace(first, message=first.message + more)
