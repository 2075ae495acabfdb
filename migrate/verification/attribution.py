"""A compiler's complaint about a converted file -> the place in the original, and the finding that foresaw it.

Result: the same verdicts with the origin and the finding of each complaint. A complaint that no finding foresaw becomes
a finding of its own: see `unforeseen.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cudamigrate import edits
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Finding, SourceFile
from cudamigrate.model.verification import PASSED_OVER, UNFORESEEN, Diagnostic, Place, Verdict
from cudamigrate.verification import hints

_QUOTED = re.compile(r"'([A-Za-z_][\w:]*)")
_NEAR = 2
"""Lines between a finding and a complaint that it may still explain: calls run over several lines."""


def broken(findings: Iterable[Finding], verdicts: Iterable[Verdict]) -> dict[str, frozenset[str]]:
    """By file, the groups of fixes in whose text a compiler found an error; one beside it on the line is not theirs."""
    failed: dict[str, list[Place]] = {}
    for verdict in verdicts:
        for entry in verdict.diagnostics:
            if verdict.word == "failed" and entry.origin is not None:
                failed.setdefault(entry.origin.path, []).append(entry.origin)
    groups: dict[str, set[str]] = {}
    for finding in findings:
        if finding.fix is None or not finding.fix.group:
            continue
        if any(_within(place, finding) for place in failed.get(finding.path, ())):
            groups.setdefault(finding.path, set()).add(finding.fix.group)
    return {path: frozenset(found) for path, found in groups.items()}


def _within(place: Place, finding: Finding) -> bool:
    start, end = finding.position, finding.end
    return (start.line, start.column) <= (place.line, place.column) < (end.line, end.column)


@dataclass(slots=True)
class DiagnosticTracer:
    """Findings by file and by name, and the conversions that moved them."""

    findings: Sequence[Finding]
    conversions: Mapping[str, Conversion]
    _by_path: dict[str, list[Finding]] = field(default_factory=dict)
    _names: dict[str, Finding] = field(default_factory=dict)
    _passed_over: dict[str, Finding] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for finding in self.findings:
            self._by_path.setdefault(finding.path, []).append(finding)
            if finding.rule == PASSED_OVER:
                self._passed_over[finding.name] = finding
            elif not finding.automatic and finding.name:
                self._names.setdefault(finding.name.rpartition("::")[2], finding)

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict with each complaint traced back."""
        return replace(verdict, diagnostics=tuple(self._traced(entry) for entry in verdict.diagnostics))

    def _traced(self, entry: Diagnostic) -> Diagnostic:
        places = [self.original(place) for place in (entry.place, *entry.notes) if not place.path.startswith("/")]
        cause = next((found for place in places for found in self._at(place) if not found.automatic), None)
        cause = cause or self._included(places) or self._named(entry.message)
        if cause is None:
            cause = next((found for place in places for found in self._at(place, near=0)), None)
        origin = places[0] if places else None
        if cause is not None and not cause.automatic:
            return replace(entry, origin=origin, rule=cause.rule, foreseen=True, advice=cause.message)
        rule = cause.rule if cause is not None else UNFORESEEN if origin is not None else ""
        return replace(entry, origin=origin, rule=rule, advice=hints.advice(entry, self._line(entry.place)))

    def _line(self, place: Place) -> str:
        """The line of converted code at a place, empty where the file was not converted."""
        conversion = self.conversions.get(place.path)
        lines = conversion.after.splitlines() if conversion is not None else []
        return lines[place.line - 1].decode("utf-8", "replace") if 0 < place.line <= len(lines) else ""

    def original(self, place: Place) -> Place:
        """The place in the file as it was."""
        conversion = self.conversions.get(place.path)
        if conversion is None:
            return place
        after, before = SourceFile(place.path, conversion.after, ""), SourceFile(place.path, conversion.before, "")
        starts = after.line_starts()
        if not 0 < place.line <= len(starts):
            return place
        offset = edits.origin(conversion.fixes, starts[place.line - 1] + place.column - 1)
        lines = before.line_starts()
        line = bisect_right(lines, min(offset, len(conversion.before)))
        return Place(place.path, line, max(1, offset - lines[line - 1] + 1))

    def _at(self, place: Place, near: int = _NEAR) -> Iterable[Finding]:
        """Findings around a place of the original, the nearest first."""

        def away(finding: Finding) -> int:
            return max(finding.position.line - place.line, place.line - finding.end.line, 0)

        return sorted((found for found in self._by_path.get(place.path, ()) if away(found) <= near), key=away)

    def _included(self, places: Sequence[Place]) -> Finding | None:
        """The finding on a file of other people's code that a complaint is in."""
        return next((self._passed_over[place.path] for place in places if place.path in self._passed_over), None)

    def _named(self, message: str) -> Finding | None:
        """The finding on a name that the complaint quotes."""
        for name in _QUOTED.findall(message):
            found = self._names.get(name.rpartition("::")[2])
            if found is not None:
                return found
        return None
