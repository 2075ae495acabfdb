"""The command `apply`: the move as a branch, a folder, a patch or a printed diff, and the proof of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli.console import count, emit, fail, finish, note, progress, renderer, say
from cudamigrate.cli.options import (
    Debug,
    Destination,
    Execution,
    OptionalTypeCheck,
    Source,
    SourcePath,
    settings,
)
from cudamigrate.errors import printable

if TYPE_CHECKING:
    from cudamigrate.config import Config
    from cudamigrate.model.verification import Verification
    from cudamigrate.pipeline import Applied


def apply(
    destination: Destination,
    project: Source,
    execution: Execution,
    checking: OptionalTypeCheck,
    path: SourcePath = Path("."),
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Also apply fixes that need review.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write the report, with the result of the type check: .html, .json, .md, .sarif, .csv or .txt.",
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Make the move: a branch (default), a folder or a patch with every safe change. Sources stay as they are."""
    from cudamigrate import pipeline

    places = (destination.branch, destination.output, destination.patch)
    if sum(place is not None for place in places) + destination.diff > 1:
        fail("choose one of --branch, --output, --patch and --diff")
    render = None if report is None else renderer(_format(report), report)
    config = settings(path, project, checking.limit)
    with progress("Converting") as step:
        applied = pipeline.apply(path, config, unsafe, step, debug, resolve=checking.proven)
    verdict = None
    if checking.proven and applied.conversions:
        from cudamigrate.pipeline import prove

        with progress("Verifying") as step:
            applied, verdict = prove.verify_applied(applied, config, checking.engine, step)
        with progress("Comparing for CUDA") as step:
            applied = prove.compared(applied, config, step)
    _deliver(applied, destination)
    _summary(applied, verdict)
    if render is not None:
        emit(render(applied.report), report)
    raise typer.Exit(_exit_code(applied, config, execution))


def _exit_code(applied: Applied, config: Config, execution: Execution) -> int:
    """The exit code of the move, after running its programs where that is asked for."""
    code = finish(applied.report)
    if not execution.run:
        return code
    from cudamigrate.cli.execution import run_applied

    return run_applied(applied, config, execution.time_limit) or code


def _format(report: Path) -> str:
    """The report format that a file's ending asks for."""
    known = {".md": "markdown", ".txt": "text", **{f".{name}": name for name in ("html", "json", "sarif", "csv")}}
    if report.suffix not in known:
        fail(f"{report}: the ending says the format; endings: {', '.join(sorted(known))}")
    return known[report.suffix]


def _deliver(applied: Applied, destination: Destination) -> None:
    """Print or write what was made."""
    root = Path(applied.report.repository.root)
    if destination.diff:
        from cudamigrate.output import patch

        text = patch.unified(applied.conversions, applied.added, root).decode("utf-8", "surrogateescape")
        if text:
            say(printable(text.replace("\r\n", "\n"), "\n\t"))  # for people: --patch has the exact bytes
    elif not applied.conversions and not destination.output:
        say(_nothing(applied))
    else:
        from cudamigrate import plugins

        name = "folder" if destination.output else "patch" if destination.patch else "branch"
        place = str(destination.output or destination.patch or destination.branch or "")
        module = plugins.load("cudamigrate.output")[name]
        if not applied.conversions:
            say(_nothing(applied))
        say(str(module.write(root, applied.conversions, applied.added, place, destination.force)))


def _nothing(applied: Applied) -> str:
    """Why there is nothing to change."""
    port = applied.report.port
    if port is None:
        return "Nothing to change: no safe fix applies."
    if not port.gaps:
        return "Nothing to change: the repository has a HIP port, and no gap was found in it."
    gaps = f"{port.gaps:,} gap{'' if port.gaps == 1 else 's'}"
    return f"Nothing to change: the repository has a HIP port, and its {gaps} need manual work; `scan` lists them."


def _summary(applied: Applied, verdict: Verification | None) -> None:
    from cudamigrate.reporting.summary import lane_line

    if applied.report.style is not None:
        note(f"Style: {applied.report.style.name}, because {applied.report.style.reason}.")
    fixes = sum(conversion.applied for conversion in applied.conversions)
    left = len(applied.report.findings) - fixes
    changed = count(len(applied.conversions), "file")
    need = "needs" if left == 1 else "need"
    note(f"{changed} changed, {count(fixes, 'fix')} applied; {count(left, 'finding')} {need} manual work.")
    if line := lane_line(applied.with_function_status()):
        note(f"{line}.")
    if applied.report.port is not None:
        made = {fix for conversion in applied.conversions for fix in conversion.fixes}
        for finding in applied.report.findings:
            if finding.fix in made:
                note(f"{finding.path}:{finding.position.line}: {finding.message}")
    _refused(applied)
    if verdict is not None:
        from cudamigrate.verification.text import render_short

        note(render_short(verdict))
    if applied.report.cuda_path is not None:
        from cudamigrate.verification.text import render_cuda_path

        note(render_cuda_path(applied.report.cuda_path))


def _refused(applied: Applied) -> None:
    """Say which fixes were withheld, and why."""
    for finding, reason in applied.rejected[:10]:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        note(f"{place}: {finding.rule} was not applied: {reason}")
    if len(applied.rejected) > 10:
        note(f"... and {len(applied.rejected) - 10} more fixes that were not applied")
