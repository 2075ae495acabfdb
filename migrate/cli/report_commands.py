"""The commands that read reports rather than code, files that `scan --format json` wrote: `report` and `diff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli import gates
from cudamigrate.cli.console import DONE, FOUND, emit, fail, note, renderer
from cudamigrate.cli.gates import Baseline
from cudamigrate.cli.options import Output, written
from cudamigrate.wording import count_of


def report(
    path: Annotated[Path, typer.Argument(metavar="IN.json", help="A report that `scan --format json` wrote.")],
    report_format: Annotated[
        str,
        written("--format", "-f", metavar="FORMAT", help="html, markdown, sarif, csv, github, gitlab, json, text."),
    ] = "text",
    output: Output = None,
    before: Annotated[
        Path | None, typer.Option("--before", metavar="OLD.json", help="An earlier report: say what changed since.")
    ] = None,
) -> None:
    """Render a JSON report again, in any format, without reading the code."""
    from dataclasses import replace

    from cudamigrate.reporting import comparison, load_json

    render = renderer(report_format, output)
    loaded = load_json.load(path)
    if before is not None:
        loaded = replace(loaded, trend=comparison.trend(comparison.compare(load_json.load(before), loaded)))
    emit(render(loaded), output)
    raise typer.Exit(DONE)


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="The earlier JSON report.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="The later JSON report.")],
    report_format: Annotated[str, written("--format", "-f", metavar="FORMAT", help="text, markdown or json.")] = "text",
    output: Output = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="KIND", help="new: exit code 1 where there are new findings.")
    ] = "",
    baseline: Baseline = None,
) -> None:
    """Compare two JSON reports: findings that are gone, new or judged differently, and the days saved."""
    from cudamigrate.reporting import comparison, load_json

    if report_format not in comparison.RENDERERS:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(comparison.RENDERERS))}")
    if fail_on not in ("", "new"):
        fail(f"--fail-on may be new, not `{fail_on}`")
    found = comparison.compare(load_json.load(old), load_json.load(new))
    emit(comparison.RENDERERS[report_format](found), output)
    known = {one.fingerprint for one in found.new.findings}.difference(
        one.fingerprint for one in gates.against(found.new, baseline)
    )
    added = [one for one in found.added if one.fingerprint not in known]
    if fail_on and added:
        note(f"cudamigrate: {count_of(len(added), 'new finding')} (--fail-on new)")
    raise typer.Exit(FOUND if fail_on and added else DONE)
