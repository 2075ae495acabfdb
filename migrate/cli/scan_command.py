"""The command `scan`: what is CUDA in a repository, and what the move costs. Changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli import gates
from cudamigrate.cli.console import FOUND, emit, finish, progress, renderer, stamped
from cudamigrate.cli.gates import Baseline, FailOn
from cudamigrate.cli.options import Debug, Money, Output, Project, SourcePath, settings, written


def scan(
    project: Project,
    money: Money,
    path: SourcePath = Path("."),
    report_format: Annotated[
        str,
        written("--format", "-f", metavar="FORMAT", help="text, json, html, markdown, sarif, csv, github, gitlab."),
    ] = "text",
    output: Output = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    debug: Debug = False,
) -> None:
    """Report what is CUDA in a repository and what of it `apply` can move."""
    from cudamigrate import pipeline

    wanted = gates.outcomes(fail_on)
    config = settings(path, project, money)
    render = renderer(report_format, output)
    with progress("Scanning") as step:
        report = pipeline.scan(path, config, step, debug)
    emit(render(stamped(report)), output)
    code = finish(report)
    counted = gates.against(report, baseline)
    raise typer.Exit(FOUND if gates.closed(counted, wanted) else code)
