"""The command `tasks`: what is left to do after `apply`, a task for each place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli.console import emit, fail, finish, note, progress
from cudamigrate.cli.options import Debug, Output, Project, SourcePath, settings, written
from cudamigrate.wording import count_of


def tasks(
    project: Project,
    path: SourcePath = Path("."),
    unsafe: Annotated[bool, typer.Option("--unsafe", help="As after `apply --unsafe`.")] = False,
    proven: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Type-check, as `apply` does, and take back what fails.")
    ] = True,
    report_format: Annotated[str, written("--format", "-f", metavar="FORMAT", help="markdown or json.")] = "markdown",
    output: Output = None,
    debug: Debug = False,
) -> None:
    """List what is left after `apply`, each task with its code, the facts, what to write and how to prove it."""
    from cudamigrate import pipeline
    from cudamigrate.agents import tasks as work
    from cudamigrate.agents import text

    renderers = {"markdown": text.render_markdown, "json": text.render_json}
    if report_format not in renderers:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(renderers))}")
    config = settings(path, project)
    with progress("Converting") as step:
        applied = pipeline.apply(path, config, unsafe, step, debug, resolve=proven)
    if proven and applied.conversions:
        from cudamigrate.pipeline import prove

        applied, _ = prove.verify_applied(applied, config)
    found = work.tasks(applied)
    emit(renderers[report_format](found), output)
    note(f"{count_of(len(found), 'task')} left after `cudamigrate apply`.")
    raise typer.Exit(finish(applied.report.skipped))
