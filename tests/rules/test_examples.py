"""A rule proves itself: its examples find exactly what they say, and their fixes give exactly what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.config import Config
from migrate.model import Example, Rule, Target
from migrate.pipeline import find_in_text
from migrate.rulebook import load, release

NEWEST = Target()
FIXTURES = Path(__file__).parents[2] / "fixtures" / "api"
CASES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in load(NEWEST).rules.values()
    for number, example in enumerate(rule.examples)
]


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example_finds_what_it_says(rule: Rule, example: Example) -> None:
    result = find_in_text(example.before, unsafe=True)
    source = example.before.encode()
    spans = [finding.span for finding in result.findings if finding.rule == rule.id]
    assert [source[span.start : span.end].decode() for span in spans] == list(example.finds)


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example_changes_as_it_shows(rule: Rule, example: Example) -> None:
    result = find_in_text(example.before, unsafe=True)
    if example.after is not None:
        assert result.after == example.after
    else:
        fixed = [finding for finding in result.findings if finding.rule == rule.id and finding.fix is not None]
        assert fixed == [], "an example that changes needs `after`"


@pytest.mark.parametrize(("rule", "example"), [case for case in CASES if case.values[1].after is not None])
def test_second_run_finds_nothing_to_change(rule: Rule, example: Example) -> None:
    again = find_in_text(str(example.after), unsafe=True)
    assert [finding for finding in again.findings if finding.rule == rule.id and finding.fix is not None] == []


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_message_leaves_no_placeholder(rule: Rule, example: Example) -> None:
    result = find_in_text(example.before)
    messages = [finding.message for finding in result.findings if finding.rule == rule.id]
    assert [
        message for message in messages if any(f"{{{w}}}" in message for w in ("text", "name", "instruction"))
    ] == []


@pytest.mark.parametrize("folder", sorted(FIXTURES.iterdir()), ids=lambda folder: folder.name)
def test_fixture_becomes_what_it_should(folder: Path) -> None:
    before = (folder / "before.cu").read_text(encoding="utf-8")
    after = (folder / "after.cu").read_text(encoding="utf-8")
    assert find_in_text(before).after == after


@pytest.mark.parametrize("folder", sorted(FIXTURES.iterdir()), ids=lambda folder: folder.name)
def test_second_run_over_a_fixture_changes_nothing(folder: Path) -> None:
    after = (folder / "after.cu").read_text(encoding="utf-8")
    assert find_in_text(after).after == after


@pytest.mark.parametrize("rocm", ["5.2", "6.2", "7.1"])
def test_nothing_newer_than_the_target_is_written(rocm: str) -> None:
    book = load(Target(rocm=rocm))
    written = [rule for rule in book.rules.values() if rule.change.kind != "none" and rule.since]
    assert [rule.id for rule in written if release(rule.since) > release(rocm)] == []


def test_older_target_reports_what_it_lacks() -> None:
    text = "void f() { cudaLaunchKernelExC(0, 0, 0); }"
    result = find_in_text(text, config=Config(rocm="6.2"))
    found = [finding for finding in result.findings if finding.name == "cudaLaunchKernelExC"]
    assert [(finding.support, finding.fix) for finding in found] == [("manual", None)]
    assert "ROCm 7.1" in found[0].message
