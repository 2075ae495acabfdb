<<<<<<< HEAD
"""The command `verify`: type checks, runs on an emulated GPU, and how both are told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from migrate.cli.console import FOUND, PARTIAL, emit, fail, note, progress, say
from migrate.config import Config
from migrate.emulation import run as emulation
from migrate.emulation import text as run_text
from migrate.model.execution import Execution
from migrate.model.verification import Flags, Verification
from migrate.pipeline import prove
from migrate.verification import text as judgement

if TYPE_CHECKING:
    from migrate.pipeline import Applied

FORMATS = ("json", "text")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: the tree, the original or None, how programs are run or None for not, and kernels to run."""

    path: Path
    config: Config
    engine: str
    original: Path | None
    options: emulation.Options | None
    kernels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Where the answer goes, and in which format."""

    format: str
    output: Path | None
    numeric: str | None
    force: bool


def run_options(config: Config, waves: str, schedule: str, seconds: int) -> emulation.Options:
    """How programs are run, from words of the command line; ends the process where they are wrong."""
    try:
        lanes = emulation.waves_of(waves.split(","))
    except ValueError:
        fail(f"--wave takes 32, 64 or 32,64, not {waves!r}")
    order, _, seed = schedule.replace(" ", ":").partition(":")
    if order not in emulation.SCHEDULES or (seed and not seed.isdigit()):
        fail(f"--schedule takes lockstep, free or random:SEED, not {schedule!r}")
    flags = Flags(config.standard, config.defines, config.include_dirs)
    limits = replace(emulation.Options().limits, seconds=seconds)
    return emulation.Options(lanes, order, int(seed or 1), limits, flags, config.jobs)


def run(request: Request, report: Report) -> int:
    """Judge and tell; the exit code."""
    if report.format not in FORMATS:
        fail(f"no format is called {report.format!r}; formats: {', '.join(FORMATS)}")
    written: list[str] = []
    if report.numeric is not None:
        written = prove.write_numeric(request.path, request.config, report.numeric, report.force)
    judged = _type_checked(request)
    if judged.absent and request.options is None:
        for line in written:
            note(line)
        fail(judged.absent)
    ran = _executed(request)
    emit(_rendered(report.format, judged, ran), report.output)
    for line in written:
        (note if report.format == "json" else say)(line)
    code = 0 if judged.absent else judgement.exit_code(judged, FOUND, PARTIAL)
    return code if ran is None else _worse(code, run_text.exit_code(ran, FOUND, PARTIAL))


def _worse(one: int, other: int) -> int:
    return FOUND if FOUND in (one, other) else max(one, other)


def _type_checked(request: Request) -> Verification:
    with progress("Verifying") as step:
        if request.original is not None and request.options is None:
            return prove.verify_original(request.original, request.config, step)
        return prove.verify(request.path, request.config, request.engine, step)


def _executed(request: Request) -> Execution | None:
    if request.options is None:
        return None
    note("Running code of the repository on an emulated GPU, as --run asks.")
    with progress("Running") as step:
        ran = prove.execute(request.path, request.original, request.options, request.kernels, step)
    if ran.absent:
        fail(ran.absent)
    return ran


def _rendered(form: str, judged: Verification, ran: Execution | None) -> str:
    if form == "json":
        return judgement.render_json(judged, None if ran is None else run_text.members(ran))
    checked = f"Not type-checked: {judged.absent}\n" if judged.absent else judgement.render_text(judged)
    return checked if ran is None else f"{checked}\n{run_text.render_text(ran)}"


def run_applied(applied: Applied, config: Config, seconds: int) -> int:
    """Run what `apply` made and the original, and tell; the exit code, 0 where nothing differs."""
    note("Running code of the repository on an emulated GPU, as --run asks.")
    with progress("Running") as step:
        ran = prove.execute_applied(applied, run_options(config, "32,64", "lockstep", seconds), step)
    note(run_text.render_text(ran).rstrip())
    return FOUND if any(verdict.word == "differs" for verdict in ran.verdicts) else 0
=======
"""The command `verify`: whether HIP code compiles for AMD, and a harness that compares its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from migrate.cli.console import FOUND, PARTIAL, emit, fail, note, progress, say
from migrate.cli.options import Converted, Engine, Harness, Output, settings


def verify(
    harness: Harness,
    converted: Converted,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A converted tree, or one file.")] = Path("."),
    engine: Engine = "auto",
    original: Annotated[
        bool, typer.Option("--original", help="Type-check CUDA code as it stands, with CUDA's headers.")
    ] = False,
    report_format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    output: Output = None,
) -> None:
    """Prove HIP code: type-check every file for AMD, on any machine, without ROCm and without a GPU."""
    from migrate.pipeline import prove
    from migrate.verification import text as judgement

    formats = {"text": judgement.render_text, "json": judgement.render_json}
    if report_format not in formats:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(formats))}")
    config = settings(path, converted)
    written = prove.write_numeric(path, config, harness.numeric, harness.force) if harness.numeric is not None else []
    with progress("Verifying") as step:
        if original:
            judged = prove.verify_original(path, config, step)
        else:
            judged = prove.verify(path, config, engine, step)
    if judged.absent:
        for line in written:
            note(line)
        fail(judged.absent)
    emit(formats[report_format](judged), output)
    for line in written:
        (note if report_format == "json" else say)(line)
    raise typer.Exit(judgement.exit_code(judged, FOUND, PARTIAL))
>>>>>>> main
