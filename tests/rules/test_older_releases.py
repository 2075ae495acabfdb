"""Rules that are bound to older releases of ROCm prove themselves there: the newest release does not know them."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Rule, Target
from cudamigrate.pipeline.rule_tests import check_example
from cudamigrate.rulebase.code_rules import load

NEWEST = load(Target()).rules
CASES = [
    pytest.param(rule, rocm, number, id=f"{rule.id}-{rocm}-{number}")
    for rocm in ("6.2", "7.1", "7.13")
    for rule in load(Target(rocm=rocm)).rules.values()
    if not rule.since and (rule.id not in NEWEST or NEWEST[rule.id].message != rule.message)
    for number in range(len(rule.examples))
]


def test_there_are_such_rules() -> None:
    assert {"cooperative-groups/group-reduce", "cooperative-groups/tile-vote"} <= {case.values[0].id for case in CASES}


@pytest.mark.parametrize(("rule", "rocm", "number"), CASES)
def test_example_holds_for_the_release(rule: Rule, rocm: str, number: int) -> None:
    assert check_example(rule, number, Config(rocm=rocm)) == []
