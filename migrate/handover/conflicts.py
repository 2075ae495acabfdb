"""A merge with conflicts -> the places, each with its findings.

Result: one line for each place, with the rule of the finding and what it says; a place without a finding is
listed too. Lines are those of the new conversion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cudamigrate.handover.result import Result
from cudamigrate.output import patch


@dataclass(frozen=True, slots=True)
class Sides:
    """One file in a merge: as both sides had it, as it was edited manually, and as it is converted now."""

    base: bytes | None
    edited: bytes | None
    converted: bytes | None


def described(made: Result, path: str, sides: Sides) -> list[str]:
    """What to say of a file whose merge has conflicts."""
    if sides.base is None or sides.edited is None or sides.converted is None:
        how = "deleted" if sides.edited is None else "added" if sides.base is None else "changed"
        other = "deleted" if sides.converted is None else "added" if sides.base is None else "changed"
        return [f"{path}: {how} manually, {other} by the new conversion"]
    found = [(made.line(finding), finding) for finding in made.report.findings if finding.path == path]
    lines = []
    for start, end in _overlaps(sides.base, sides.edited, sides.converted):
        here = sorted((line, one.rule, one.message) for line, one in found if start <= line <= max(start, end))
        lines += [f"{path}:{line}: {rule}: {message}" for line, rule, message in dict.fromkeys(here)]
        if not here:
            lines.append(f"{path}:{start}: no finding; the same lines were changed manually and upstream")
    return lines or [f"{path}: the same lines were changed manually and upstream"]


def _overlaps(base: bytes, edited: bytes, converted: bytes) -> Iterator[tuple[int, int]]:
    """First and last line, in the converted file, of the changes that a manual edit overlaps or touches, and of the
    lines that were edited: a merge reports both as one conflict.

    What both sides change to the same is no conflict, such as comments that were removed and are no longer made.
    """
    old, own, new = patch.lines(base), patch.lines(edited), patch.lines(converted)
    manual = [(one.start, one.end, own[one.new_start : one.new_end]) for one in patch.changes(old, own)]
    for change in patch.changes(old, new):
        if (change.start, change.end, new[change.new_start : change.new_end]) in manual:
            continue
        touching = [(start, end) for start, end, _ in manual if start <= change.end and change.start <= end]
        if touching:
            before = max(0, change.start - min(start for start, _ in touching))
            behind = max(0, max(end for _, end in touching) - change.end)
            yield max(0, change.new_start - before) + 1, min(len(new), change.new_end + behind)
