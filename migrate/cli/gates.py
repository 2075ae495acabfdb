"""Gates of `scan` and `diff`: exit code 1 where a report has what is not to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli.console import fail, note
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.wording import count_of

if TYPE_CHECKING:
    from cudamigrate.model import Finding, Report
    from cudamigrate.suppression.baseline import Standing

SHOWN = 20
"""Findings that are named at most."""
FailOn = Annotated[
    list[str] | None,
    typer.Option("--fail-on", metavar="OUTCOME", help="Exit code 1 where a finding has this outcome."),
]
Baseline = Annotated[
    Path | None, typer.Option("--baseline", metavar="FILE", help="Known findings: say what is new and what is gone.")
]


@dataclass(frozen=True)
class Gate:
    """What ends a command with exit code 1, and which findings are known."""

    fail_on: FailOn = None
    baseline: Baseline = None


def outcomes(given: Sequence[str] | None) -> tuple[str, ...]:
    """The outcomes of `--fail-on`, which may be joined by commas; ends the command for one that is none."""
    from cudamigrate.model import OUTCOMES

    words = tuple(word.strip() for one in given or () for word in one.split(",") if word.strip())
    for word in words:
        if word not in OUTCOMES:
            fail(f"--fail-on may be {', '.join(OUTCOMES)}, not `{word}`")
    return words


def against(report: Report, path: Path | None) -> Sequence[Finding]:
    """The findings that a baseline does not know, all where there is none; says what is new in it and what is gone."""
    if path is None:
        return report.findings
    from cudamigrate.suppression import baseline

    files, suppressed = {file.path for file in report.files}, frozenset(report.suppressed)
    known = {key: entry for key, entry in baseline.load(path).items() if key not in suppressed}
    standing = baseline.compare(report.findings, known, files.__contains__)
    _print_standing(path, standing)
    return standing.new


def _print_standing(path: Path, standing: Standing) -> None:
    """The standing, on standard error: it is no part of the report."""
    new, gone = standing.new, standing.gone
    note(f"Against {path}: {len(new)} new, {standing.known} known, {len(gone)} gone.")
    for finding in new[:SHOWN]:
        note(f"  new: {finding.path}:{finding.position.line}: {finding.rule} {finding.message}")
    for entry in gone[:SHOWN]:
        note(f"  gone: {entry.path}: {entry.rule} {entry.text}")
    hidden = max(0, len(new) - SHOWN) + max(0, len(gone) - SHOWN)
    if hidden:
        note(f"  ... and {hidden} more")
    if gone:
        note(f"Write the baseline again to forget those that are gone: cudamigrate baseline --output {path}")


def closed(findings: Sequence[Finding], wanted: Sequence[str]) -> bool:
    """Whether a finding has one of the outcomes; says how many do."""
    number = sum(finding.outcome in wanted for finding in findings)
    if number:
        note(f"cudamigrate: {count_of(number, 'finding')} with outcome {' or '.join(wanted)} (--fail-on)")
    return bool(number)
