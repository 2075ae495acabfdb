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
