"""Commands, YAML and rules that pages show are read by what would read them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
import yaml

from cudamigrate.cli.app import app
from cudamigrate.config import Config
from cudamigrate.pipeline import rule_tests

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "tutorials").glob("*.md")])
COMMANDS = typer.main.get_command(app)
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in BLOCK.findall(page.read_text(encoding="utf-8")) if language in languages]


def command_lines(page: Path) -> list[str]:
    lines = [line for text in blocks(page, "sh", "console", "yaml") for line in text.splitlines()]
    found = (re.match(r"\s*(?:\$ |- run: |- )?(cudamigrate [^|>&]+)", line) for line in lines)
    return [match[1] for match in found if match and not match[1].startswith("cudamigrate @")]


def parsed(line: str) -> None:
    """Raises where the program would refuse the line's options."""
    _, name, *words = shlex.split(line, comments=True)
    command = COMMANDS.commands.get(name, COMMANDS)
    if name in ("rules", "headers") and words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    if command is not COMMANDS:
        command.make_context(name, words)


@pytest.mark.parametrize("page", [page for page in PAGES if command_lines(page)], ids=lambda page: page.name)
def test_commands_of_a_page_are_read_by_the_option_parser(page):
    for line in command_lines(page):
        parsed(line)


def test_an_option_that_is_not_there_is_seen():
    with pytest.raises(Exception, match="No such option"):
        parsed("cudamigrate scan . --no-such-option")


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "yaml")], ids=lambda page: page.name)
def test_yaml_of_a_page_is_yaml(page):
    for text in blocks(page, "yaml"):
        assert yaml.safe_load(text)


def test_the_rule_that_a_page_writes_passes_its_examples(tmp_path):
    (rule,) = (text for text in blocks(ROOT / "docs" / "writing-rules.md", "toml") if "[[rule]]" in text)
    (tmp_path / "ours.toml").write_text(rule)
    assert rule_tests.check_rules(tmp_path / "ours.toml", Config()) == (2, [])


def test_the_container_file_copies_what_is_there():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [word for line in re.findall(r"^COPY (?!--)(.+)$", text, re.MULTILINE) for word in line.split()[:-1]]
    assert copied and [path for path in copied if not (ROOT / path).exists()] == []
