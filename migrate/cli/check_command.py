"""The command `check` with its options, for the option parser; `hook.py` is what it does."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cudamigrate.cli.options import Debug, Releases, settings
from cudamigrate.lazy_dataclasses import dataclass

_which = partial(typer.Option, rich_help_panel="Which lines")
_what = partial(typer.Option, rich_help_panel="Which problems")


@dataclass(frozen=True)
class Lines:
    """Which lines are checked."""

    since: Annotated[str, _which("--since", metavar="REF", help="Lines new since this branch left REF.")] = ""
    diff: Annotated[
        str, _which("--diff", metavar="FILE", help="Lines that a unified diff adds; - reads standard input.")
    ] = ""
    everything: Annotated[bool, _which("--all", help="Whole files, not only new lines.")] = False


@dataclass(frozen=True)
class Problems:
    """Which problems are reported."""

    select: Annotated[list[str] | None, _what("--select", metavar="RULES", help="Only these rules or groups.")] = None
    ignore: Annotated[list[str] | None, _what("--ignore", metavar="RULES", help="Leave out these rules or groups.")] = (
        None
    )
    fail_on: Annotated[
        list[str] | None, _what("--fail-on", metavar="OUTCOMES", help="Exit code 1 for these outcomes alone.")
    ] = None
    baseline: Annotated[str | None, _what("--baseline", metavar="FILE", help="Leave out known problems.")] = None


@dataclass(frozen=True)
class Result:
    """What is done with the problems."""

    fix: Annotated[bool, typer.Option("--fix", help="Make the safe fixes on these lines.")] = False
    report_format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="text, github, json, sarif or gitlab.")
    ] = "text"
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")] = ""
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print problems only, no closing line.")] = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show each line and its fix, and what is left out.")
    ] = False


def check(
    releases: Releases,
    lines: Lines,
    problems: Problems,
    result: Result,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILES", help="Files, folders or globs; by default what is staged.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Warn about new CUDA-only code, in what is staged or on a branch: one line each, exit code 1 when there is any."""
    from cudamigrate.cli import hook

    given = hook.Options(
        files=tuple(files or ()),
        since=lines.since,
        diff=lines.diff,
        everything=lines.everything,
        fix=result.fix,
        format=result.report_format,
        output=result.output,
        quiet=result.quiet,
        verbose=result.verbose,
        baseline=problems.baseline,
        select=_words(problems.select),
        ignore=_words(problems.ignore),
        fail_on=_words(problems.fail_on),
    )
    raise typer.Exit(hook.run(given, settings(hook.project_of(given.files), releases)))


def _words(given: list[str] | None) -> tuple[str, ...] | None:
    words = tuple(word.strip() for one in given or () for word in one.split(",") if word.strip())
    return words or None
