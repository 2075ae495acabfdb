"""The command `check` with its options; `hook.py` is what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from migrate.cli.options import Debug, Releases, settings


def check(
    releases: Releases,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help="Files; without any, what is staged in git.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Warn of CUDA-only code in files or in what is staged: one line each, exit code 1 when there is any."""
    from migrate.cli import hook

    named = files or []
    raise typer.Exit(hook.run(named, settings(hook.project_of(named), releases)))
