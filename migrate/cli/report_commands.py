"""The commands that read reports rather than code, files that `scan --format json` wrote: `report` and `diff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from migrate.cli.console import DONE, emit, fail, renderer
from migrate.cli.options import Output


def report(
    path: Annotated[Path, typer.Argument(metavar="IN.json", help="A report that `scan --format json` wrote.")],
    report_format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="html, markdown, sarif, csv, github, json or text.")
    ] = "text",
    output: Output = None,
) -> None:
    """Render a JSON report again, in any format, without reading the code."""
    from migrate.reporting import load_json

    render = renderer(report_format, output)
    emit(render(load_json.load(path)), output)
    raise typer.Exit(DONE)


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="The earlier JSON report.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="The later JSON report.")],
    report_format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="text, markdown or json.")
    ] = "text",
    output: Output = None,
) -> None:
    """Compare two JSON reports: findings gone, new and judged otherwise, and the days that are saved."""
    from migrate.reporting import comparison, load_json

    if report_format not in comparison.RENDERERS:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(comparison.RENDERERS))}")
    found = comparison.compare(load_json.load(old), load_json.load(new))
    emit(comparison.RENDERERS[report_format](found), output)
    raise typer.Exit(DONE)
