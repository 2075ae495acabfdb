from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from cudamigrate import config
from cudamigrate.cli import options
from cudamigrate.errors import ConfigError


@dataclass(frozen=True)
class Inner:
    names: Annotated[list[str] | None, typer.Option("--name")] = None


@dataclass(frozen=True)
class Outer:
    inner: Inner
    size: Annotated[int, typer.Option("--size")] = 3


def run(*words: str) -> str:
    app = typer.Typer()

    @app.command()
    @options.grouped
    def show(outer: Outer, place: Annotated[list[str] | None, typer.Argument()] = None, loud: bool = False) -> None:
        """Shows."""
        print(outer, *(place or ["here"]), loud)

    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output.strip()


def test_a_group_represents_the_options_in_it_and_in_the_groups_in_it():
    assert run() == "Outer(inner=Inner(names=None), size=3) here False"
    said = run("there", "--name", "a", "--name", "b", "--size", "4", "--loud")
    assert said == "Outer(inner=Inner(names=['a', 'b']), size=4) there True"
    shown = run("--help")
    assert "Shows." in shown
    assert all(word in shown for word in ("--name", "--size", "--loud"))


def test_settings_are_what_was_said_and_no_more(tmp_path):
    (tmp_path / config.OWN_FILE).write_text('enter-vendored = true\nrocm = "7.0"\nexclude = ["a"]\n')
    silent = options.Project(options.Files(), options.Move())
    assert options.settings(tmp_path, silent) == config.load(tmp_path)
    said = options.Project(
        options.Files(include=["*.cu"], exclude=[], submodules=True), options.Move(rocm="7.1", resolve=False), jobs=0
    )
    found = options.settings(tmp_path, said, options.Money(price_to=["2.5"]))
    assert (found.include, found.exclude, found.enter_vendored, found.submodules) == (("*.cu",), ("a",), True, True)
    assert (found.rocm, found.resolve, found.price_to) == ("7.1", "never", (("", 2.5),))
    with pytest.raises(ConfigError, match="--rocm"):
        options.settings(tmp_path, options.Goal(rocm="0.1"))


def names(group: type) -> set[str]:
    hints = get_type_hints(group)
    return {
        name
        for field in fields(group)
        for name in (names(hints[field.name]) if is_dataclass(hints[field.name]) else {field.name})
    }


@pytest.mark.parametrize("group", [options.Project, options.Converted, options.Money, options.Releases])
def test_options_of_settings_are_called_as_the_settings_are(group):
    assert names(group) <= {field.name for field in fields(config.Config)}
