"""The list of commands is what the option parser prints, in a terminal of any width."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

from cudamigrate.cli import app, listing


@pytest.mark.parametrize("columns", [20, *range(52, 84), 200])
def test_it_is_what_the_option_parser_prints(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    command = typer.main.get_command(app.assembled(listed=True))
    context = typer.Context(command, info_name="cudamigrate", help_option_names=["-h", "--help"])
    assert listing.text(columns) == f"{command.get_help(context)}\n"


def test_only_what_asks_for_it_is_answered_so() -> None:
    assert all(map(listing.is_asked, ([], ["--help"], ["-h"], ["-h", "--help"])))
    assert not any(map(listing.is_asked, (["--version"], ["scan", "--help"], ["--help", "scan"], ["help"])))


@pytest.mark.parametrize(("words", "code"), [([], 2), (["--help"], 0), (["-h"], 0)])
def test_the_command_prints_it(words: list[str], code: int) -> None:
    env = {**os.environ, "COLUMNS": "70"}
    command = [sys.executable, "-X", "importtime", "-m", "cudamigrate", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (listing.text(70), code)
    assert " typer" not in done.stderr and " textwrap" in done.stderr
