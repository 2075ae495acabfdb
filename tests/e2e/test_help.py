"""Help, examples, completion, and errors that name the help of their command."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest
import typer

from cudamigrate.cli import app
from cudamigrate.cli.examples import EXAMPLES

COMMANDS = typer.main.get_command(app.app)


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cudamigrate", *words]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
    )


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS.commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_examples_are_read_by_the_option_parser(line: str) -> None:
    program, name, *words = shlex.split(line)
    command = COMMANDS.commands[name]  # type: ignore[attr-defined]
    if name == "rules" and words[0] == "test":
        name, command, words = "test", command.commands["test"], words[1:]
    assert program == "cudamigrate"
    command.make_context(name, words)


def test_help_shows_panels_and_examples_and_errors_name_it() -> None:
    shown = run("apply", "--help", COLUMNS="120").stdout
    for panel in ("Which files", "Target", "Where the result goes", "Running on an emulated GPU"):
        assert panel in shown
    assert all(line in shown for line in EXAMPLES["apply"])
    wrong = run("apply", "--colour")
    assert wrong.returncode == 2 and wrong.stderr.endswith("; see cudamigrate apply --help\n")
    assert run("aply").stderr.endswith("? See cudamigrate --help\n")
    assert run("frobnicate").stderr.endswith("; see cudamigrate --help\n")


def test_the_shell_completes_commands_and_options() -> None:
    asked = {"_CUDAMIGRATE_COMPLETE": "complete_bash", "COMP_WORDS": "cudamigrate che", "COMP_CWORD": "1"}
    assert run(**asked).stdout.split() == ["check"]
    asked |= {"COMP_WORDS": "cudamigrate apply --pat", "COMP_CWORD": "2"}
    assert run(**asked).stdout.split() == ["--patch"]


@pytest.mark.parametrize(("name", "package"), [("server", "pygls"), ("mcp", "mcp")])
def test_an_extra_that_is_not_installed_is_named(name: str, package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from cudamigrate.cli import app; app.main([{name!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and done.stderr.endswith(f"install the extra, pip install 'cudamigrate[{name}]'\n")
