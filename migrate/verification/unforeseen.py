"""Complaints that no finding foresaw -> findings of their own, at their lines of the original.

An error that the original has as well is none: the verdict says so.
One for each file and message, at the first of its lines: one name that HIP lacks is one thing to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from cudamigrate.model import Finding, Position, Report, Rule, SourceFile, Span, numbered
from cudamigrate.model.verification import UNFORESEEN, Diagnostic, Place, Verification
from cudamigrate.verification import causes

_MOST = 160
"""Characters of a compiler's message that a finding repeats."""


def with_findings(report: Report, judged: Verification, rule: Rule, read: Callable[[str], bytes]) -> Report:
    """The report with a finding for each complaint that none foresaw; `read` gives the original bytes of a file."""
    paths = {result.path for result in report.files}
    found: dict[tuple[str, str], dict[Place, Diagnostic]] = {}
    for verdict in judged.verdicts:
        for entry in verdict.diagnostics if verdict.word == "failed" else ():
            place = entry.origin or entry.place
            if not (entry.foreseen or entry.before) and causes.is_of_code(entry) and place.path in paths:
                found.setdefault((place.path, entry.message), {}).setdefault(place, entry)
    if not found:
        return report
    made = [_finding(rule, places, read(path)) for (path, _), places in found.items()]
    new = [replace(finding, ordinal=ordinal) for finding, ordinal in numbered(made)]
    by_path: dict[str, list[Finding]] = {}
    for finding in new:
        by_path.setdefault(finding.path, []).append(finding)
    files = tuple(
        replace(result, findings=_sorted([*result.findings, *by_path.get(result.path, ())])) for result in report.files
    )
    return replace(
        report, files=files, findings=_sorted([*report.findings, *new]), rules={**report.rules, rule.id: rule}
    )


def _sorted(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: (finding.path, finding.span, finding.rule)))


def _finding(rule: Rule, places: Mapping[Place, Diagnostic], data: bytes) -> Finding:
    place, entry = min(places.items(), key=lambda item: (item[0].line, item[0].column))
    starts = SourceFile(place.path, data, "").line_starts()
    number = min(max(place.line, 1), len(starts))
    start = starts[number - 1]
    end = starts[number] - 1 if number < len(starts) else len(data)
    line = data[start:end].decode("utf-8", "replace")
    at = min(start + max(place.column, 1) - 1, end)
    return Finding(
        rule=rule.id,
        path=place.path,
        span=Span(at, end),
        position=Position(number, at - start + 1),
        end=Position(number, end - start + 1),
        excerpt=line.strip()[:_MOST],
        message=rule.message.replace("{name}", _reported(entry, len(places))),
        support=rule.support,
        outcome=rule.outcome,
        certainty="resolved",
        effort=rule.effort,
        before=line,
    )


def _reported(entry: Diagnostic, places: int) -> str:
    """The compiler's message, in how many places it is, the finding whose automatic fix is at the place, and
    what to do where that is known."""
    said = entry.message if len(entry.message) <= _MOST else f"{entry.message[: _MOST - 3]}..."
    said += f" ({places:,} places)" if places > 1 else ""
    if entry.rule and entry.rule != UNFORESEEN:
        said += f" (after the fix of {entry.rule})"
    return f"{said}; {entry.advice}" if entry.advice else said
