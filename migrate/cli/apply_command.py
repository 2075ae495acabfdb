"""The command `apply`: the move as a branch, a folder, a patch or a printed diff, and the proof of it."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli.console import FOUND, emit, fail, finish, note, progress, renderer, stamped
from cudamigrate.cli.delivery import deliver, described, refuse, undo
from cudamigrate.cli.options import (
    Debug,
    Destination,
    Execution,
    Handover,
    OptionalTypeCheck,
    Source,
    SourcePath,
    settings,
)
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.wording import count_of, vendored_files

if TYPE_CHECKING:
    from cudamigrate.config import Config
    from cudamigrate.handover.result import Result
    from cudamigrate.handover.update import Kept
    from cudamigrate.model import Finding, Report
    from cudamigrate.model.execution import Execution as Ran
    from cudamigrate.model.verification import Verification
    from cudamigrate.pipeline import Applied
    from cudamigrate.pipeline.run import Choice

_MOST_WITHHELD = 10
"""Lines about fixes that were not applied: one for each file and reason."""


def apply(
    destination: Destination,
    handover: Handover,
    project: Source,
    execution: Execution,
    checking: OptionalTypeCheck,
    path: SourcePath = Path("."),
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
    _check_options(destination, handover)
    render = None if report is None else renderer(_format(report), report)
    config = settings(path, project, checking.limit)
    if handover.remove_todo:
        raise typer.Exit(_without_comments(path, config, destination))
    there = described(path, destination, handover)
    if not there:
        refuse(path, destination, handover)
    applied, judged = _converted(path, config, destination, handover, _Proof(checking.proven, checking.engine, debug))
    code = deliver(_result(applied, judged, handover), destination, handover, there)
    final = applied.with_function_status()
    _print_summary(applied, final, judged, checking.proven)
    ran = _run_programs(applied, config, execution)
    if render is not None:
        from cudamigrate.pipeline import prove

        emit(render(stamped(prove.with_proof(final, judged, ran))), report)
    code = finish(applied.report.skipped) or code
    raise typer.Exit(FOUND if ran is not None and ran.differs else code)


def _run_programs(applied: Applied, config: Config, execution: Execution) -> Ran | None:
    """What running the programs showed, where that is asked for."""
    if not execution.run:
        return None
    from cudamigrate.cli.execution import run_applied

    return run_applied(applied, config, execution.time_limit)


@dataclass(frozen=True)
class _Proof:
    """Whether the result is type-checked, by which engine, and whether internal errors show a traceback."""

    proven: bool
    engine: str
    debug: bool


def _check_options(destination: Destination, handover: Handover) -> None:
    """End the command where options contradict each other."""
    places = (destination.branch, destination.output, destination.patch)
    if sum(place is not None for place in places) + destination.diff > 1:
        fail("choose one of --branch, --output, --patch and --diff")
    if handover.update and (destination.output or destination.patch or destination.diff):
        fail("--update works on a branch; drop --output, --patch and --diff")
    if handover.unsafe and handover.pick:
        fail("choose one of --unsafe, which applies all fixes that need review, and --pick, which asks")
    if handover.remove_todo and (handover.todo or handover.update or handover.pick or handover.unsafe):
        fail("--remove-todo only removes comments; drop --todo, --update, --pick and --unsafe")


def _converted(
    path: Path, config: Config, destination: Destination, handover: Handover, proof: _Proof
) -> tuple[Applied, Verification | None]:
    """The converted tree, and its verdict where one is wanted."""
    from cudamigrate import pipeline

    before = _kept_of_branch(path, destination, handover)
    if before.style and config.style == "auto":
        config = replace(config, style=before.style)
    choose = _choice(before.accepted, handover)
    with nullcontext() if handover.pick else progress("Converting") as step:
        applied = pipeline.apply(path, config, handover.unsafe, step, proof.debug, resolve=proof.proven, choose=choose)
    applied = _with_style_of_branch(applied, before.style)
    if not proof.proven or not (applied.conversions or any(one.after != one.before for one in applied.built)):
        return applied, None
    from cudamigrate.pipeline import prove

    with progress("Verifying") as step:
        applied, verdict = prove.verify_applied(applied, config, proof.engine, step)
    if not applied.conversions:
        return applied, verdict
    with progress("Comparing for CUDA") as step:
        return prove.compared(applied, config, step), verdict


def _kept_of_branch(path: Path, destination: Destination, handover: Handover) -> Kept:
    """What the run takes over from the branch that it updates."""
    from cudamigrate.handover import update

    return update.kept(path, destination.branch or "") if handover.update else update.Kept(frozenset(), "")


def _with_style_of_branch(applied: Applied, before: str) -> Applied:
    """The result, with the style of the updated branch as the reason for its own; empty where none is known."""
    style = applied.report.style
    if style is None or not before:
        return applied
    reason = "the branch has it" if style.name == before else f"it was asked for (the branch had {before})"
    return replace(applied, report=replace(applied.report, style=replace(style, reason=reason)))


def _choice(before: frozenset[str], handover: Handover) -> Choice | None:
    """Decides which fixes that need review are applied: the user, or the branch that is updated."""
    if handover.pick:
        from cudamigrate.cli.pick import pick

        return partial(pick, before=before)
    if before:
        return lambda report: [one for one in report.findings if one.fingerprint in before]
    return None


def _result(applied: Applied, judged: Verification | None, handover: Handover) -> Result:
    """What was made, as a branch and its documents need it."""
    from cudamigrate.handover import todo
    from cudamigrate.handover.result import Result

    made = Result(
        applied.report, applied.conversions, applied.added, applied.rejected, judged, by_build=applied.by_build
    )
    return todo.marked(made) if handover.todo else made


def _without_comments(path: Path, config: Config, destination: Destination) -> int:
    """Remove the comments of `--todo` and write the result."""
    from cudamigrate.handover import todo

    return undo(todo.removed(path, config), destination)


def _format(report: Path) -> str:
    """The report format that a file's ending asks for."""
    known = {".md": "markdown", ".txt": "text", **{f".{name}": name for name in ("html", "json", "sarif", "csv")}}
    if report.suffix not in known:
        fail(f"{report}: the ending says the format; endings: {', '.join(sorted(known))}")
    return known[report.suffix]


def _print_summary(applied: Applied, final: Report, verdict: Verification | None, proven: bool) -> None:
    """Say what was done; `final` is the report after fixes were withheld, `proven` whether a verdict was wanted."""
    from cudamigrate.reporting import left_builds
    from cudamigrate.reporting.summary import balance, lane_line, tally

    if applied.report.style is not None and applied.conversions:
        note(f"Style: {applied.report.style.name}, because {applied.report.style.reason}.")
    by_build = sum(len(conversion.by_build) for conversion in applied.conversions)
    fixes = sum(conversion.applied for conversion in applied.conversions) - by_build
    changed = count_of(len(applied.conversions), "file")
    note(
        f"{changed} changed, {count_of(fixes, 'fix')} applied. {balance(tally(final.findings))}.{_by_type_check(final)}"
    )
    unmade = by_build + sum(map(len, applied.by_build.values()))
    if unmade:
        note(f"{count_of(unmade, 'automatic fix')} needed no change: PyTorch's build makes them, or they are there.")
    said = (left_builds.line(final).removesuffix("."), lane_line(final), vendored_files(final.vendored))
    for line in filter(None, said):
        note(f"{line}.")
    if applied.report.port is not None:
        made = {fix for conversion in applied.conversions for fix in conversion.fixes}
        for finding in applied.report.findings:
            if finding.fix in made:
                note(f"{finding.path}:{finding.position.line}: {finding.message}")
    _print_withheld(applied)
    if verdict is not None:
        from cudamigrate.verification.text import render_short

        note(render_short(verdict))
    elif proven and any(one.cuda for one in final.files):
        note("No file was changed, so nothing was type-checked; `cudamigrate verify` checks the code as it is.")
    if applied.report.cuda_path is not None:
        from cudamigrate.verification.text import render_cuda_path

        note(render_cuda_path(applied.report.cuda_path))


def _by_type_check(final: Report) -> str:
    """How many findings come from the type check: `scan` runs none, and has so many fewer."""
    from cudamigrate.model.verification import UNFORESEEN

    count = sum(one.rule == UNFORESEEN for one in final.findings)
    return f" The type check, which `scan` does not run, found {count:,} of them ({UNFORESEEN})." if count else ""


def _print_withheld(applied: Applied) -> None:
    """Say which fixes were withheld, and why."""
    if not applied.rejected:
        return
    note(f"{count_of(len(applied.rejected), 'fix')} withheld:")
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding, reason in applied.rejected:
        alike.setdefault((finding.path, reason), []).append(finding)
    for (path, reason), findings in list(alike.items())[:_MOST_WITHHELD]:
        first = findings[0]
        rules = len({finding.rule for finding in findings})
        what = first.rule if rules == 1 else f"{first.rule} and {count_of(rules - 1, 'more rule')}"
        often = f" ({count_of(len(findings), 'place')})" if len(findings) > 1 else ""
        note(f"{path}:{first.position.line}:{first.position.column}: {what} not applied{often}: {reason}")
    left = sum(len(findings) for findings in list(alike.values())[_MOST_WITHHELD:])
    if left:
        note(f"... and {left} more fixes that were not applied")
