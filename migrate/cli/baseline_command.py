"""The command `baseline`: write down the findings that a project knows, so that `check` reports new ones alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli.console import emit, fail, finish, note, progress
from cudamigrate.cli.options import Debug, Project, SourcePath, settings
from cudamigrate.wording import count_of

DEFAULT = ".cudamigrate-baseline.json"


def baseline(
    project: Project,
    path: SourcePath = Path("."),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=f"Write to FILE; by default {DEFAULT} in PATH."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Write the findings of a repository to a file that `check`, `scan` and `diff` take with --baseline."""
    from cudamigrate import pipeline
    from cudamigrate.suppression import baseline as known

    config = settings(path, project)
    file = output or (path if path.is_dir() else path.parent) / DEFAULT
    if output is None and file.is_symlink():
        fail(f"{file} is a link, and nothing is written through it; name the file with --output")
    with progress("Scanning") as step:
        report = pipeline.scan(path, config, step, debug)
    emit(known.render(report.findings), file, "Baseline")
    note(f"{count_of(len(report.findings), 'finding')} known. Use it with `cudamigrate check --baseline {file}`.")
    raise typer.Exit(finish(report.skipped))
