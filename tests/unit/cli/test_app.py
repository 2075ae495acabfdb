"""The command line is put together from what was typed: one command, a list of all, or everything."""

from __future__ import annotations

import pytest
import typer

from cudamigrate.cli import app

EVERY = {name for commands in app._COMMANDS.values() for name in commands} | set(app._GROUPS)


def _commands(words):
    return typer.main.get_command(app._for(words)).commands


@pytest.mark.parametrize("name", sorted(EVERY))
def test_only_the_command_that_was_typed_is_read_with_all_its_options(name):
    assert set(_commands([name, "--help"])) == {name}
    one, whole = _commands([name])[name], typer.main.get_command(app.assembled()).commands[name]
    assert [option.opts for option in one.params] == [option.opts for option in whole.params]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["--version"]])
def test_a_list_of_the_commands_says_what_each_is_for(words):
    listed, whole = _commands(words), typer.main.get_command(app.assembled()).commands
    assert {name: one.help for name, one in listed.items()} == {name: one.help for name, one in whole.items()}
    assert list(listed) == list(whole) and set(listed) == EVERY


@pytest.mark.parametrize("words", [["scann"], ["--nothing"], ["--install-completion"]])
def test_other_words_are_read_with_all_commands(words):
    assert set(_commands(words)) == EVERY


def test_completion_knows_all_commands(monkeypatch):
    monkeypatch.setenv("_CUDAMIGRATE_COMPLETE", "complete_bash")
    assert set(_commands(["scan"])) == EVERY
