"""The command `mcp`: the tools of the product for coding agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli.console import fail


def mcp(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The root of the repository.")] = Path("."),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write fixes to this copy; PATH itself to write in place."),
    ] = None,
    allow_run: Annotated[
        bool, typer.Option("--allow-run", help="Offer to run programs on an emulated GPU: this executes their code.")
    ] = False,
) -> None:
    """Answer a coding agent by the Model Context Protocol: scan, findings, tasks, explain, fixes, proofs."""
    try:
        from cudamigrate.agents import server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "pydantic"):
            raise
        fail("`cudamigrate mcp` needs the MCP SDK: install the extra, pip install 'cudamigrate[mcp]'")
    server.serve(path, output, allow_run)
