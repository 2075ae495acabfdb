"""The command `scan`: what is CUDA in a repository, or in each of many, and what the move costs. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli import gates
from cudamigrate.cli.console import (
    DONE,
    FOUND,
    PARTIAL,
    emit,
    fail,
    finish,
    note,
    progress,
    renderer,
    say,
    stamp,
    stamped,
)
from cudamigrate.cli.gates import Gate
from cudamigrate.cli.options import Debug, Fleet, Money, Output, Project, SourcePath, settings, written
from cudamigrate.lazy_dataclasses import replace

if TYPE_CHECKING:
    from cudamigrate.model import Report


def scan(
    project: Project,
    money: Money,
    fleet: Fleet,
    gate: Gate,
    path: SourcePath = Path("."),
    report_format: Annotated[
        str,
        written("--format", "-f", metavar="FORMAT", help="text, json, html, markdown, sarif, csv, github, gitlab."),
    ] = "text",
    output: Output = None,
    debug: Debug = False,
) -> None:
    """Report the CUDA code of a repository and how much of it `apply` can convert."""
    from cudamigrate import pipeline

    if fleet.repos is not None:
        _scan_all(fleet.repos, output, report_format, (project, money, fleet))
    wanted = gates.outcomes(gate.fail_on)
    config = settings(path, project, money, fleet)
    render = renderer(report_format, output)
    is_text = report_format == "json"
    with progress("Scanning") as step:
        found = pipeline.scanned(path, config, step, debug, is_text)
    emit(found.json(stamped) if is_text else render(stamped(found.report)), output)
    code = finish(found.skipped)
    if wanted or gate.baseline is not None:
        code = FOUND if gates.closed(gates.against(found.report, gate.baseline), wanted) else code
    raise typer.Exit(code)


def _scan_all(repos: Path, output: Path | None, report_format: str, groups: tuple[object, ...]) -> None:
    """Scan every repository of a list, print the portfolio and end the command."""
    from cudamigrate import pipeline
    from cudamigrate.reporting import portfolio

    renders = {"text": portfolio.render_text, "json": portfolio.render_json, "markdown": portfolio.render_markdown}
    if output is None:
        fail("--repos writes a report for each repository: add --output FOLDER")
    if report_format not in renders:
        fail(f"a portfolio is printed as text, json or markdown, not {report_format!r}; portfolio.html is written too")
    rendered = {end: _stamping(renderer(end, output)) for end in ("json", "html")}
    made = pipeline.fleet.scan(repos, output, lambda folder: settings(folder, *groups), rendered, note)
    day, command = stamp()
    made = replace(made, date=day, command=command)
    for file in pipeline.fleet.write(made, output):
        note(f"Portfolio written to {file}")
    say(renders[report_format](made))
    raise typer.Exit(PARTIAL if any(one.error or one.skipped for one in made.rows) else DONE)


def _stamping(render: Callable[[Report], Iterable[str]]) -> Callable[[Report], Iterable[str]]:
    """What renders a report with its day and command."""
    return lambda report: render(stamped(report))
