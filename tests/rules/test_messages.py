"""Messages of rules are short and plain: what is wrong, then what to do, each in a sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli

from cudamigrate import pipeline
from cudamigrate.config import Config

RULES = Path(__file__).parents[2] / "rules"
FILES = sorted(path for path in RULES.rglob("*.toml") if "stand-ins" not in path.parts)
LONGEST = 160
"""Characters up to the first stop; names that are longer than their placeholders come on top."""
STOP = re.compile(r"[.!?](?=\s+[A-Z`\"<{(]|\s*$)")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def messages(entry: Any) -> Iterator[str]:
    """All messages in a file, however deep."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            if key == "message" and isinstance(value, str):
                yield " ".join(value.split())
            else:
                yield from messages(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from messages(value)


def wrong(message: str) -> list[str]:
    """What is wrong with the form of a message."""
    found = []
    stop = STOP.search(message)
    if stop is None:
        found.append("it does not end with a stop")
    elif stop.start() >= LONGEST:
        found.append(f"{stop.start()} characters to the first stop")
    if any(not name.isidentifier() for name in PLACEHOLDER.findall(message)):
        found.append("a placeholder is no name")
    if message.count("`") % 2:
        found.append("a backtick is not closed")
    if re.search(r"\. [a-z]", re.sub(r"`[^`]*`|\b(?:e\.g|i\.e)\.", "", message)):
        found.append("a sentence begins with a small letter")
    if "  " in message or " ." in message.replace(" ...", ""):
        found.append("a space too many")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(RULES).as_posix())
def test_messages_are_short_and_in_sentences(path: Path) -> None:
    every = messages(tomli.loads(path.read_text("utf-8")))
    assert [(message, found) for message in every if (found := wrong(message))] == []


@pytest.mark.parametrize(
    "message",
    [
        "`{name}` is gone: " + "and so on " * 20 + ". Use another.",
        "`{name}` is gone",
        "`{name is gone. Use another.",
        "`{name}` is gone. use another.",
        "`{a b}` is gone.",
    ],
)
def test_what_is_wrong_is_found(message: str) -> None:
    assert wrong(message)


def ends_badly(title: str) -> bool:
    """Whether a title says words twice in a row, or ends before what it speaks of."""
    words = title.lower().split()
    twice = any(words[at : at + many] == words[at + many : at + 2 * many]
                for many in (1, 2, 3) for at in range(len(words) - 2 * many + 1))  # fmt: skip
    return twice or words[-1:] == [] or words[-1] in ("a", "and", "of", "the", "with")


def test_titles_repeat_nothing_and_are_not_cut_off() -> None:
    goal = pipeline.target(Config())
    every = {**pipeline.rules(goal).rules, **pipeline.project_rules(goal).rules}
    assert [rule.title for rule in every.values() if ends_badly(rule.title)] == []
    assert [one for one in ("The PTX compiler ptx compiler", "Names of the", "") if not ends_badly(one)] == []
    assert not ends_badly("Wave size that the host asks the GPU for")
