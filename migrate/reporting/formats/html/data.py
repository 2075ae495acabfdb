"""Report -> the data that the page's script shows on demand: files, rules and findings, as short rows.

Words that repeat are numbers into lists of words, which keeps a page of ten thousand findings at a few megabytes.
`page.js` reads the rows by the names in `COLUMNS`.
"""

from __future__ import annotations

from cudamigrate.model import EFFORTS, SUPPORTS, FileResult, Finding, JsonValue, Report, Rule
from cudamigrate.reporting.summary import WORST_FIRST, days, file_work, resolution, rule_days, tally, worst_first

SETTLED = ("automatic", "unsafe", "manual")
COLUMNS = {
    "file": ("path", "lines", "findings", "automatic", "manual", "days", "worst"),
    "rule": ("id", "title", "notes", "since", "library", "support", "outcome", "findings", "manual", "days"),
    "finding": (
        *("file", "rule", "line", "column", "outcome", "settled", "effort", "support", "certainty"),
        *("message", "before", "after", "fingerprint", "edits", "trace"),
    ),
}


def content(report: Report) -> dict[str, JsonValue]:
    """All that the script can show."""
    files = _files(report)
    rules = _rules(report)
    places = {str(row[0]): at for at, row in enumerate(files)}
    names = {str(row[0]): at for at, row in enumerate(rules)}
    messages: dict[str, int] = {}
    rows = [_finding(finding, places, names, messages) for finding in worst_first(report.findings)]
    return {
        "columns": {kind: list(columns) for kind, columns in COLUMNS.items()},
        "outcomes": list(WORST_FIRST),
        "settled": list(SETTLED),
        "efforts": list(EFFORTS),
        "supports": list(SUPPORTS),
        "messages": list(messages),
        "files": files,
        "rules": rules,
        "findings": rows,
    }


def _files(report: Report) -> list[list[JsonValue]]:
    """Files with findings, in the order of the work they ask for."""
    known = {work.file.path for work in file_work(report)}
    rows = [_file(work.file, work.days) for work in file_work(report)]
    lost = sorted({finding.path for finding in report.findings} - known)
    return rows + [[path, 0, 0, 0, 0, "", 0] for path in lost]


def _file(file: FileResult, spent: float) -> list[JsonValue]:
    counted = tally(file.findings)
    shown = days(spent) if spent else ""
    worst = WORST_FIRST.index(counted.worst)
    return [file.path, file.lines, counted.findings, counted.automatic, counted.manual, shown, worst]


def _rules(report: Report) -> list[list[JsonValue]]:
    """Rules with findings: those that need manual work first, then the most frequent."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    spent = rule_days(report.estimate)
    rows = [_rule(name, report.rules.get(name), found, spent.get(name, 0.0)) for name, found in by_rule.items()]
    return sorted(rows, key=lambda row: (-row[8], -row[7], row[0]))


def _rule(name: str, rule: Rule | None, found: list[Finding], spent: float) -> list[JsonValue]:
    counted = tally(found)
    said = (rule.title, rule.notes, rule.since, rule.library) if rule is not None else ("", "", "", "")
    support = SUPPORTS.index(rule.support if rule is not None else found[0].support)
    outcome = WORST_FIRST.index(rule.outcome if rule is not None else found[0].outcome)
    return [name, *said, support, outcome, counted.findings, counted.manual, days(spent) if spent else ""]


def _finding(
    finding: Finding, places: dict[str, int], names: dict[str, int], messages: dict[str, int]
) -> list[JsonValue]:
    return [
        places[finding.path],
        names[finding.rule],
        finding.position.line,
        finding.position.column,
        WORST_FIRST.index(finding.outcome),
        SETTLED.index(resolution(finding)),
        EFFORTS.index(finding.effort),
        SUPPORTS.index(finding.support),
        finding.certainty,
        messages.setdefault(finding.message, len(messages)),
        finding.before or finding.excerpt,
        finding.after,
        finding.fingerprint,
        len(finding.fix.edits) if finding.fix is not None else 0,
        [f"{step.path}:{step.line} {step.text}" for step in finding.trace],
    ]
