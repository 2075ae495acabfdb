"""The command `init`: sets a repository up, showing first what it would write."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cudamigrate.cli.console import DONE, FOUND, fail, note, say
from cudamigrate.wording import count_of

_which = partial(typer.Option, rich_help_panel="What to write")


def init(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The root of the repository.")] = Path("."),
    configuration: Annotated[bool, _which("--config/--no-config", help="A configuration file.")] = True,
    hook: Annotated[bool, _which("--hook/--no-hook", help="A pre-commit hook that checks what is staged.")] = True,
    workflow: Annotated[bool, _which("--workflow/--no-workflow", help="A GitHub workflow for pull requests.")] = True,
    package: Annotated[
        str, _which("--package", metavar="SPEC", help="What pip installs in the workflow: a name, URL or path.")
    ] = "cudamigrate",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
) -> None:
    """Write configuration, hook and workflow into a repository: the diff is shown, and nothing is written unasked."""
    from cudamigrate.cli import setup_files
    from cudamigrate.model import Conversion
    from cudamigrate.output import patch
    from cudamigrate.project.file_access import write_whole

    if not path.is_dir():
        fail(f"{path} is not a folder; name the root of a repository")
    changes = setup_files.planned(path, setup_files.Wanted(configuration, hook, workflow, package))
    if not changes:
        say("Nothing to write: the repository is set up.")
        raise typer.Exit(DONE)
    old = [Conversion(one.path, one.before, one.after, ()) for one in changes if one.before is not None]
    new = {one.path: one.after for one in changes if one.before is None}
    say(patch.unified(old, new, path).decode("utf-8", "replace"))
    if not yes and not _agreed(len(changes)):
        note("Nothing was written.")
        raise typer.Exit(FOUND)
    for one in changes:
        (path / one.path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(path / one.path, one.after)
        say(f"Written: {one.path}")
    if hook:
        note("Install the hook with `pre-commit install`.")


def _agreed(number: int) -> bool:
    """Whether the person at the terminal agrees; nobody does where there is none."""
    if not sys.stdin.isatty():
        note("There is no terminal to ask at: pass --yes to write these files.")
        return False
    return typer.confirm(f"Write {count_of(number, 'file')}?", err=True)
