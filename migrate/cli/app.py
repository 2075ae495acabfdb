"""The command line: joins the commands. Stages are imported when a command runs, so that help is instant."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from cudamigrate.cli import (
    apply_command,
    baseline_command,
    cache_command,
    check_command,
    headers_command,
    init_command,
    mcp_command,
    report_commands,
    rule_commands,
    scan_command,
    server_command,
    tasks_command,
    verify_command,
)
from cudamigrate.cli.console import DONE, USAGE, end, note, typed
from cudamigrate.cli.examples import epilog
from cudamigrate.cli.options import grouped

app = typer.Typer(
    name="cudamigrate",
    help="Move CUDA code to AMD GPUs: see what it costs, make the move, keep new CUDA-only code out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_UsageError: Any = typer.BadParameter.__mro__[1]
"""What the command-line parser raises for wrong usage; the library does not export the class by name."""


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"cudamigrate {version('cudamigrate')}")
        raise typer.Exit(DONE)


@app.callback()
def _root(
    wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


_PANELS = {
    "Plan and move": (scan_command.scan, apply_command.apply, verify_command.verify, tasks_command.tasks),
    "Keep CUDA-only code out": (check_command.check, baseline_command.baseline, init_command.init),
    "Read": (rule_commands.explain, report_commands.report, report_commands.diff),
    "Where you work": (server_command.server, mcp_command.mcp),
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel, epilog=epilog(_command.__name__))(grouped(_command))
app.add_typer(rule_commands.rules_app, name="rules", rich_help_panel="Read", epilog=epilog("rules"))
app.add_typer(headers_command.headers_app, name="headers", rich_help_panel="Plan and move", epilog=epilog("headers"))
app.add_typer(cache_command.cache_app, name="cache", rich_help_panel="Read", epilog=epilog("cache"))


def main(args: list[str] | None = None) -> None:
    """Run a command, and end the process with its exit code."""
    end(lambda: _run(sys.argv[1:] if args is None else args))


def _run(words: list[str]) -> int:
    typed(words)
    try:
        code = app(words, prog_name="cudamigrate", standalone_mode=False)
    except _UsageError as error:
        said = str(error.format_message()).strip().rstrip(".")  # empty where help was printed instead
        if said:
            context = getattr(error, "ctx", None)
            note(f"cudamigrate: {said}; see {context.command_path if context else 'cudamigrate'} --help")
        return USAGE
    return code if isinstance(code, int) else DONE
