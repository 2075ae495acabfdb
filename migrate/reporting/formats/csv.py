"""Report -> CSV, one line for each finding, for spreadsheets and for `cut`.

Result: RFC 4180 text with a header line, in UTF-8. A cell that a spreadsheet would take for a formula begins with an
apostrophe, which spreadsheets do not show: names and lines come from a repository that may not be trusted.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from cudamigrate.errors import printable
from cudamigrate.model import Finding, Report
from cudamigrate.reporting.summary import encodable, made_by, worst_first

COLUMNS = (
    "path",
    "line",
    "column",
    "end_line",
    "end_column",
    "rule",
    "group",
    "outcome",
    "support",
    "certainty",
    "effort",
    "settled",
    "message",
    "before",
    "after",
    "fingerprint",
    "made_by",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell must not begin with; the last four are the full-width forms, which some spreadsheets read alike."""


def render(report: Report) -> str:
    """The findings as CSV, worst first."""
    return "".join(chunks(report))


def chunks(report: Report) -> Iterator[str]:
    """The text of the report line by line, as it is asked for."""
    made = _cell(made_by(report))
    yield _line(COLUMNS)
    for finding in worst_first(report.findings):
        yield _line([*_row(finding), made])


def _line(cells: Sequence[str | int]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def _row(finding: Finding) -> list[str | int]:
    return [
        _cell(finding.path, ""),
        finding.position.line,
        finding.position.column,
        finding.end.line,
        finding.end.column,
        _cell(finding.rule),
        finding.group,
        finding.outcome,
        finding.support,
        finding.certainty,
        finding.effort,
        finding.resolution,
        _cell(finding.message),
        _cell(finding.before or finding.excerpt),
        _cell(finding.after),
        finding.fingerprint,
    ]


def _cell(text: str, keep: str = "\n\t") -> str:
    text = printable(encodable(text), keep)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
