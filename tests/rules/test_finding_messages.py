"""Messages as findings have them, with what detectors fill in: short, plain, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Finding
from cudamigrate.pipeline import run
from tests.architecture.test_language import BANNED
from tests.rules.test_messages import LONGEST, STOP, wrong

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
CODE = re.compile(r"`[^`]*`")


@cache
def findings() -> dict[tuple[str, str], Finding]:
    """One finding of each rule and message of all projects of the fixtures; numbers count as one."""
    found: dict[tuple[str, str], Finding] = {}
    for folder in sorted(PROJECTS.iterdir()):
        report, _ = run.read(folder, Config(jobs=1))
        for one in report.findings:
            found.setdefault((one.rule, re.sub(r"\d+", "0", one.message)), one)
    return found


def faults(message: str) -> Iterator[str]:
    """What is wrong with a message; code that is named counts as two characters."""
    text = " ".join(message.split())
    bare = CODE.sub("``", text)
    yield from (fault for fault in wrong(text) if "characters to the first stop" not in fault)
    stop = STOP.search(bare)
    if stop is not None and stop.start() >= LONGEST:
        yield f"{stop.start()} characters to the first stop"
    yield from (f"write {word}" for pattern, word in BANNED.items() if pattern.search(bare))


def test_findings_are_many_and_of_many_rules() -> None:
    assert len({rule for rule, _ in findings()}) > 150


def test_messages_of_findings_are_short_and_plain() -> None:
    every = ((one.rule, one.message, list(faults(one.message))) for one in findings().values())
    assert [row for row in every if row[2]] == []


@pytest.mark.parametrize(
    "message",
    [
        f"{'It goes on ' * 16}and ends. Change it.",
        "The shuffle is left to a reader. Change it.",
        "`a` has no stop",
        "One thing. another thing.",
    ],
)
def test_what_is_wrong_is_found(message: str) -> None:
    assert list(faults(message))


def test_long_code_does_not_make_a_message_long() -> None:
    assert not list(faults(f"`{'a' * 300}` is undefined. Define it."))
