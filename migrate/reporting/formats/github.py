"""Report -> workflow commands of GitHub Actions, which show findings beside the lines of a pull request.

Result: one command for each finding shown, worst first, and a plain line that reports the rest. GitHub shows ten
annotations of each level for a step and drops what follows, so no more are written.
"""

from __future__ import annotations

from cudamigrate.errors import printable
from cudamigrate.model import Finding, Report
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import LEVELS, balance, encodable, listed, made_by, tally

SHOWN = 10
"""Annotations of one level that GitHub shows for a step."""
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """The findings as annotations."""
    lines: list[str] = []
    used = dict.fromkeys(_COMMANDS, 0)
    found = listed(report)
    for finding in found:
        level = LEVELS[finding.outcome]
        used[level] += 1
        if used[level] <= SHOWN:
            lines.append(_command(_COMMANDS[level], finding))
    more = len(found) - len(lines)
    hidden = f" {more:,} more findings are not annotated." if more else ""
    counts = balance(tally(report.findings))
    made = f" Made by {printable(made_by(report))}."
    return "".join(f"{line}\n" for line in [*lines, f"cudamigrate: {sentence(report)} {counts}.{hidden}{made}"])


def _command(name: str, finding: Finding) -> str:
    start, end = finding.position, finding.end
    places: dict[str, str | int] = {"file": finding.path, "line": start.line, "endLine": end.line}
    if start.line == end.line:  # columns of several lines are refused
        places |= {"col": start.column, "endColumn": max(start.column, end.column - 1)}
    places["title"] = f"{finding.rule} ({finding.outcome})"
    said = ",".join(f"{key}={_property(str(value))}" for key, value in places.items())
    return f"::{name} {said}::{_data(finding.message)}"


def _data(text: str) -> str:
    return printable(encodable(text), "\n").replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
