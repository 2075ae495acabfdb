"""A rule proves itself: its examples find exactly what they say, and their fixes give exactly what they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Rule, Target, release
from cudamigrate.pipeline import rule_tests
from cudamigrate.pipeline.rule_tests import check_example, find_in_text
from cudamigrate.rulebase import project_rules
from cudamigrate.rulebase.code_rules import load

NEWEST = Target()
FIXTURES = Path(__file__).parents[2] / "fixtures" / "api"
CASES = [
    pytest.param(rule, number, id=f"{rule.id}-{number}")
    for rule in (*load(NEWEST).rules.values(), *project_rules.load(NEWEST).rules.values())
    for number in range(len(rule.examples))
]


@pytest.mark.parametrize(("rule", "number"), CASES)
def test_example_finds_and_changes_what_it_says_once(rule: Rule, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what it finds, with the settings of the example and with the defaults, is said without placeholders."""
    example, results = rule.examples[number], list[rule_tests.TextResult]()

    def find(text: str, path: str, **settings: Any) -> rule_tests.TextResult:
        results.append(find_in_text(text, path, **settings))
        return results[-1]

    monkeypatch.setattr(rule_tests, "find_in_text", find)
    assert check_example(rule, number, Config()) == []
    if example.wave:
        find(example.before, example.path or "example.cu")
    messages = [finding.message for result in results for finding in result.findings if finding.rule == rule.id]
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
    assert "ROCm 7.0" in found[0].message
