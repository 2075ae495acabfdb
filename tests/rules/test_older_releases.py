"""Rules that are bound to older releases of ROCm prove themselves there: the newest release does not know them."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.model import Rule, Target
from cudamigrate.pipeline.rule_tests import check_example, find_in_text
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


@pytest.mark.parametrize(
    ("rocm", "option"), [("6.1", "-fcuda-approx"), ("6.2", "-fgpu-approx"), ("7.1", "-fgpu-approx")]
)
def test_an_option_is_spelled_as_the_releases_compiler_knows_it(rocm: str, option: str) -> None:
    made = find_in_text("a: a.cu\n\tnvcc --use_fast_math -o a a.cu\n", "Makefile", Config(rocm=rocm)).after
    assert f" {option}-transcendentals " in made


@pytest.mark.parametrize(("rocm", "argument"), [("6.2", "reinterpret_cast<void**>(&p)"), ("6.3", "&p")])
def test_a_typed_pointer_is_cast_where_the_release_has_no_template(rocm: str, argument: str) -> None:
    made = find_in_text(
        "void f() { float *p; cudaHostAlloc(&p, 4, 0); }\n", "a.cu", Config(rocm=rocm), unsafe=False
    ).after
    assert f"hipHostAlloc({argument}, 4, 0)" in made
