"""The command `verify`: whether HIP code compiles for AMD, and a harness that compares its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli.console import FOUND, PARTIAL, emit, fail, note, progress, say
from cudamigrate.cli.options import Converted, Harness, Originals, Output, Running, TypeCheck, settings, written

if TYPE_CHECKING:
    from cudamigrate.model.execution import Execution
    from cudamigrate.model.verification import CudaPath, Verification


def verify(
    harness: Harness,
    converted: Converted,
    running: Running,
    checking: TypeCheck,
    before: Originals,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A converted tree, or one file.")] = Path("."),
    report_format: Annotated[str, written("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    output: Output = None,
) -> None:
    """Prove HIP code without a GPU: type-check every file for AMD; with --run execute it on an emulated GPU too."""
    from cudamigrate.pipeline import prove

    if report_format not in ("json", "text"):
        fail(f"no format is called {report_format!r}; formats: json, text")
    config = settings(path, converted, checking.limit)
    written = prove.write_numeric(path, config, harness.numeric, harness.force) if harness.numeric is not None else []
    runs = running.execution.run or bool(running.kernels)
    with progress("Verifying") as step:
        if before.original is not None and not runs:
            checked = prove.verify_original(before.original, config, step)
        else:
            checked = prove.verify(path, config, checking.engine, step)
    compared = None
    if before.cuda_path is not None:
        with progress("Comparing for CUDA") as step:
            compared = prove.compare_trees(before.cuda_path, path, config, step)
    if checked.absent and not runs and compared is None:
        for line in written:
            note(line)
        fail(checked.absent)
    from cudamigrate.cli.execution import execute

    ran = execute(path, before.original, running, config) if runs else None
    _print(checked, ran, compared, report_format, output)
    for line in written:
        (note if report_format == "json" else say)(line)
    raise typer.Exit(_exit_code(checked, ran, compared))


def _print(
    checked: Verification, ran: Execution | None, compared: CudaPath | None, report_format: str, output: Path | None
) -> None:
    """All results in one report."""
    from cudamigrate.emulation import text as runs
    from cudamigrate.verification import text as verdicts

    if report_format == "json":
        emit(verdicts.render_json(checked, None if ran is None else runs.members(ran), compared), output)
    else:
        path = "" if compared is None else f"{verdicts.render_cuda_path(compared)}\n"
        emit(verdicts.render_text(checked) + path + ("" if ran is None else f"\n{runs.render_text(ran)}"), output)


def _exit_code(checked: Verification, ran: Execution | None, compared: CudaPath | None) -> int:
    """An error that was found counts more than a file or program that could not be judged."""
    from cudamigrate.emulation import text as runs
    from cudamigrate.verification import text as verdicts

    codes = [verdicts.exit_code(checked, FOUND, PARTIAL)]
    if ran is not None:
        codes.append(runs.exit_code(ran, FOUND, PARTIAL))
    if compared is not None:
        codes.append(FOUND if not compared.unchanged else PARTIAL if compared.absent or compared.left else 0)
    return FOUND if FOUND in codes else max(codes)
