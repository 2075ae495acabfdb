"""The commands -> `docs/cudamigrate.1`, the manual page that a wheel installs into `share/man`.

Everything comes from the command line's own definitions. A test holds the file to them; `python -m docs.site.man_page`
writes it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tomli
import typer

from cudamigrate.cli.app import app
from cudamigrate.cli.examples import EXAMPLES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cudamigrate.1"
EXITS = (
    "0: done",
    "1: check found CUDA-only code, a gate is closed, or for verify a file does not compile or a program differs",
    "2: wrong usage, configuration or rules",
    "3: done, but some files could not be processed or judged; they are named",
)


def render() -> str:
    """The page in the language of man(7)."""
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        f'.TH CUDAMIGRATE 1 "" "cudamigrate {project["version"]}" "User commands"',
        ".SH NAME",
        f"cudamigrate \\- {_text(project['description'][0].lower() + project['description'][1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B cudamigrate",
        ".I COMMAND",
        "[OPTIONS] [ARGUMENTS]",
        ".SH COMMANDS",
    ]
    root: Any = typer.main.get_command(app)
    for name, command in sorted(_commands(root)):
        lines += _command(name, command)
    lines += [".SH EXIT STATUS", *(line for text in EXITS for line in (".TP", *map(_text, text.split(": ", 1))))]
    lines += [
        ".SH FILES",
        ".TP",
        "pyproject.toml, .cudamigrate.toml",
        "Settings, under [tool.cudamigrate] in the former.",
    ]
    lines += [".TP", "~/.cache/cudamigrate", "Tables, headers and verdicts; it may be deleted at any time."]
    return "\n".join(lines) + "\n"


def _commands(root: Any) -> Iterator[tuple[str, Any]]:
    for name, command in root.commands.items():
        if getattr(command, "commands", None):
            yield from ((f"{name} {inner}", one) for inner, one in command.commands.items())
        if not getattr(command, "commands", None) or command.invoke_without_command:
            yield name, command


def _command(name: str, command: Any) -> Iterable[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    yield f".SS cudamigrate {name}"
    yield _text(command.help or "")
    for one in [*arguments, *options]:
        yield ".TP"
        yield f".B {_text(_spelled(one))}"
        yield _text(getattr(one, "help", "") or "")
    for line in EXAMPLES.get(name, ()):
        yield from (".PP", ".RS", ".nf", _text(line), ".fi", ".RE")


def _spelled(one: Any) -> str:
    if one.param_type_name == "argument":
        return str(one.metavar or one.name.upper())
    value = "" if one.is_flag else f" {one.metavar or one.type.name.upper()}"
    return ", ".join([*one.opts, *one.secondary_opts]) + value


def _text(text: str) -> str:
    """Text on one line without markup of the terminal's help, safe for a formatter of manual pages."""
    plain = " ".join(re.sub(r"\[/?[a-z ]+\]", "", text).split())
    plain = plain.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
