"""The command `verify`: whether HIP code compiles for AMD, and a harness that compares its numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli.console import FOUND, PARTIAL, emit, fail, note, progress, say
from cudamigrate.cli.options import Converted, Engine, Harness, Output, Running, VerifyTime, settings, written


def verify(
    harness: Harness,
    converted: Converted,
    running: Running,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A converted tree, or one file.")] = Path("."),
    engine: Engine = "auto",
    verify_time: VerifyTime = None,
    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="SRC", help="CUDA code as it was: type-check it, or with --run compare."),
    ] = None,
    cuda_path: Annotated[
        Path | None,
        typer.Option("--cuda-path", metavar="SRC", help="The tree before: is what CUDA compiles of it unchanged?"),
    ] = None,
    report_format: Annotated[str, written("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    output: Output = None,
) -> None:
    """Prove HIP code without a GPU: type-check every file for AMD; with --run execute it on an emulated GPU too."""
    from cudamigrate.cli.execution import execute
    from cudamigrate.emulation import text as runs
    from cudamigrate.pipeline import prove
    from cudamigrate.verification import text as judgement

    if report_format not in ("json", "text"):
        fail(f"no format is called {report_format!r}; formats: json, text")
    config = settings(path, converted)
    if verify_time is not None:
        config = replace(config, verify_time=verify_time)
    written = prove.write_numeric(path, config, harness.numeric, harness.force) if harness.numeric is not None else []
    wanted = running.execution.run or bool(running.kernels)
    with progress("Verifying") as step:
        if original is not None and not wanted:
            judged = prove.verify_original(original, config, step)
        else:
            judged = prove.verify(path, config, engine, step)
    path_of_cuda = None
    if cuda_path is not None:
        with progress("Comparing for CUDA") as step:
            path_of_cuda = prove.compare_trees(cuda_path, path, config, step)
    if judged.absent and not wanted and path_of_cuda is None:
        for line in written:
            note(line)
        fail(judged.absent)
    ran = execute(path, original, running, config) if wanted else None
    if report_format == "json":
        emit(judgement.render_json(judged, None if ran is None else runs.members(ran), path_of_cuda), output)
    else:
        told = "" if path_of_cuda is None else judgement.render_cuda_path(path_of_cuda) + "\n"
        emit(judgement.render_text(judged) + told + ("" if ran is None else f"\n{runs.render_text(ran)}"), output)
    for line in written:
        (note if report_format == "json" else say)(line)
    codes = [judgement.exit_code(judged, FOUND, PARTIAL), runs.exit_code(ran, FOUND, PARTIAL) if ran is not None else 0]
    if path_of_cuda is not None:
        codes.append(
            0 if path_of_cuda.unchanged and not path_of_cuda.absent else PARTIAL if path_of_cuda.unchanged else FOUND
        )
    raise typer.Exit(FOUND if FOUND in codes else max(codes))
