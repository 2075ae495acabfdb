"""Rules that are bound to GPUs prove themselves for those: the GPUs aimed at unasked do not see all of them."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Rule, Target
from cudamigrate.pipeline.rule_tests import check_example, find_in_text
from cudamigrate.rulebase.code_rules import load

KNOWN = load(Target()).rules
CASES = [
    pytest.param(rule, arch, number, id=f"{rule.id}-{arch}-{number}")
    for arch in ("gfx950", "gfx1100")
    for rule in load(Target(arch=(arch,))).rules.values()
    if rule.arch and (rule.id not in KNOWN or KNOWN[rule.id].message != rule.message)
    for number in range(len(rule.examples))
]


def test_there_are_such_rules() -> None:
    assert "math/four-bit-floats" in {case.values[0].id for case in CASES}


@pytest.mark.parametrize(("rule", "arch", "number"), CASES)
def test_example_holds_for_the_gpu(rule: Rule, arch: str, number: int) -> None:
    assert check_example(rule, number, Config(arch=(arch,))) == []


def test_python_has_no_finding_for_a_format_that_no_gpu_aimed_at_lacks() -> None:
    text = "import torch\na = x.to(torch.float8_e4m3fn)\n"
    rules = {
        arch: {finding.rule for finding in find_in_text(text, "a.py", Config(arch=(arch,))).findings}
        for arch in ("gfx942", "gfx950")
    }
    assert rules["gfx942"] - rules["gfx950"] == {"python/float8-e4m3fn"}
