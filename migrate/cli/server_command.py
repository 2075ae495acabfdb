"""The command `server`: the language server that editors start."""

from __future__ import annotations

from typing import Annotated

import typer

from cudamigrate.cli.console import fail


def server(
    stdio: Annotated[bool, typer.Option("--stdio", help="Standard input and output; there is no other way.")] = True,
) -> None:
    """Answer an editor by the Language Server Protocol: problems, explanations and fixes in open files."""
    try:
        from cudamigrate.server import app
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        fail("`cudamigrate server` needs pygls: install the extra, pip install 'cudamigrate[server]'")
    app.serve()
