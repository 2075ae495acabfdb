"""The command line: joins the commands. Of what was typed only that is imported and read, so that help is instant."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

from cudamigrate.cli.console import DONE, USAGE, end, note, typed
from cudamigrate.cli.examples import epilog

_COMMANDS = {
    "Plan and move": {
        "scan": "scan_command", "apply": "apply_command", "verify": "verify_command", "tasks": "tasks_command",
    },
    "Keep CUDA-only code out": {"check": "check_command", "baseline": "baseline_command", "init": "init_command"},
    "Read": {"explain": "rule_commands", "report": "report_commands", "diff": "report_commands"},
    "Where you work": {"server": "server_command", "mcp": "mcp_command"},
}  # fmt: skip
"""Under each heading the commands, each with the module that has the function of its name."""
_GROUPS = {
    "rules": ("rule_commands", "Read"),
    "headers": ("headers_command", "Plan and move"),
    "cache": ("cache_command", "Read"),
}
"""Commands that have commands of their own, with their modules and headings."""
_LISTING = frozenset(("--help", "-h", "--version"))
"""Words for which no command is read: their names and what they are for is all that is shown."""

_UsageError: Any = typer.BadParameter.__mro__[1]
"""What the command-line parser raises for wrong usage; the library does not export the class by name."""


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"cudamigrate {version('cudamigrate')}")
        raise typer.Exit(DONE)


def _root(
    wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


class _Listing(typer.core.TyperGroup):
    """Lists the commands under their headings in plain text: what draws frames takes as long to start as all else."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, each with what it is for."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            panel = str(getattr(command, "rich_help_panel", None) or "Commands")
            panels.setdefault(panel, []).append((name, (command.help or "").strip().partition("\n\n")[0]))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


def assembled(only: str = "", listed: bool = False) -> typer.Typer:
    """The command line with all commands, or with `only` one of them; without their options where it is just listed."""
    made = typer.Typer(
        name="cudamigrate",
        cls=_Listing if listed else None,
        rich_markup_mode=None if listed else "rich",
        help="Move CUDA code to AMD GPUs: see what it costs, make the move, keep new CUDA-only code out.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_root)
    for panel, commands in _COMMANDS.items():
        for name, module in commands.items():
            if only in ("", name):
                command = getattr(import_module(f"cudamigrate.cli.{module}"), name)
                made.command(rich_help_panel=panel, epilog=epilog(name))(_read(command, listed))
    for name, (module, panel) in _GROUPS.items():
        if only in ("", name):
            group = getattr(import_module(f"cudamigrate.cli.{module}"), f"{name}_app")
            made.add_typer(group, name=name, rich_help_panel=panel, epilog=epilog(name))
    return made


def _read(command: Callable[..., None], listed: bool) -> Callable[..., None]:
    """A command as the option parser reads it."""
    if not listed:
        from cudamigrate.cli.options import grouped  # reads the signature, which takes longer than a list may

        return grouped(command)

    def named() -> None:
        """A command that is listed, and not run."""

    named.__name__, named.__doc__ = command.__name__, command.__doc__
    return named


def _for(words: list[str]) -> typer.Typer:
    """The command line that reads these words."""
    known = {*_GROUPS, *(name for commands in _COMMANDS.values() for name in commands)}
    if "_CUDAMIGRATE_COMPLETE" in os.environ:
        return assembled()
    return assembled(words[0] if words and words[0] in known else "", _LISTING.issuperset(words))


def __getattr__(name: str) -> Any:
    """`app`: the command line with all commands, for who describes it."""
    if name != "app":
        raise AttributeError(name)
    made = globals()[name] = assembled()
    return made


def main(args: list[str] | None = None) -> None:
    """Run a command, and end the process with its exit code."""
    end(lambda: _run(sys.argv[1:] if args is None else args))


def _run(words: list[str]) -> int:
    typed(words)
    try:
        code = _for(words)(words or ["--help"], prog_name="cudamigrate", standalone_mode=False)
    except _UsageError as error:
        said = str(error.format_message()).strip().rstrip(".")  # empty where help was printed instead
        said = said.replace("is not a valid int range", "is not a whole number")
        if said:
            context = getattr(error, "ctx", None)
            see = f"{context.command_path if context else 'cudamigrate'} --help"
            note(f"cudamigrate: {said} See {see}" if said.endswith("?") else f"cudamigrate: {said}; see {see}")
        return USAGE
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # the option parser's exit code for it is 1
            raise stop.__context__ from None
        raise
    if not words:
        return USAGE
    return code if isinstance(code, int) else DONE
