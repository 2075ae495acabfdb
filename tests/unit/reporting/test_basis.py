"""What the decision rests on: the days without the tool, and which verdicts a table is worth."""

from __future__ import annotations

from dataclasses import replace

import pytest
import reportsamples

from cudamigrate.model.estimate import Days, Estimate, Evidence
from cudamigrate.reporting import portfolio
from cudamigrate.reporting.basis import basis, without_tool
from cudamigrate.reporting.summary import advised, overall


@pytest.fixture
def estimate() -> Estimate:
    made = reportsamples.full().estimate
    assert made is not None
    return made


def test_what_the_tool_saves_is_always_said_where_ports_stand_behind_the_days(estimate: Estimate) -> None:
    made = replace(estimate, kind="gaps", days=Days(1, 4, 9), manual=Days(2, 6, 12))
    assert without_tool(made)[0].startswith("Without this tool 6 days, with it 4.")
    (same,) = without_tool(replace(made, manual=Days(1, 4, 9)))
    assert same.startswith("Without this tool it takes hardly longer")
    assert without_tool(replace(made, kind="")) == []
    (nothing,) = without_tool(replace(made, manual=Days(1, 4, 9)), converts=False)
    assert nothing.startswith("Without this tool it takes as long") and "hipify" not in nothing
    assert without_tool(replace(made, kind=""), converts=False) == []


def test_verdicts_are_no_table_where_nothing_is_known_but_the_whole(estimate: Estimate) -> None:
    assert advised(estimate) == list(estimate.verdicts)
    unknown = tuple(replace(one, low=None, high=None, no_data=True) for one in estimate.performance)
    whole = overall(estimate)
    assert whole is not None
    verdicts = (*(replace(whole, workload=one.workload, advice="wait") for one in unknown), whole)
    assert advised(replace(estimate, performance=unknown, verdicts=verdicts, business=None)) == []


def test_a_card_without_figures_beside_the_first_hides_no_verdict(estimate: Estimate) -> None:
    known = replace(estimate.performance[0], workload="training", gpu="mi300x", low=85.0, high=94.0, no_data=False)
    other = replace(known, gpu="mi250x", low=None, high=None, no_data=True)
    whole = overall(estimate)
    assert whole is not None
    verdicts = (replace(whole, workload="training"), replace(whole, workload="all"))
    made = replace(estimate, performance=(known, other), verdicts=verdicts, business=None)
    assert advised(made) == list(verdicts)


def test_a_portfolio_has_the_advice_on_the_whole() -> None:
    made = reportsamples.full()
    assert made.estimate is not None
    verdict = overall(made.estimate)
    assert verdict is not None and {one.advice for one in made.estimate.verdicts} != {verdict.advice}
    assert portfolio._estimated(portfolio.Row("a", "", ""), made.estimate).advice == verdict.advice


def test_a_port_that_answers_for_nothing_says_where_it_shows(estimate: Estimate) -> None:
    places = (Evidence("meson.build", 4, "dependency('hip')"), Evidence("src/a.cpp", 0, "9 regions for HIP"))
    part = replace(estimate.components[0], category="ported", hip=places)
    made = replace(reportsamples.full(), port=None, estimate=replace(estimate, components=(part,)))
    assert any(line.startswith("Code or a build for HIP is in meson.build:4 and src/a.cpp; ") for line in basis(made))
    cuda = replace(made, estimate=replace(estimate, components=(replace(part, category="native-cuda"),)))
    assert "HIP code or a build for it is in meson.build; it was not compared." in basis(cuda)
    below = (Evidence("a/rocm/x.py", 3, ""), Evidence("a/rocm/b/y.py", 4, ""))
    written = replace(made, estimate=replace(estimate, components=(replace(part, category="native-cuda", hip=below),)))
    assert "HIP code or a build for it is in a/rocm; it was not compared." in basis(written)
    none = replace(made, estimate=replace(estimate, components=(replace(part, hip=()),)))
    assert not any("it was not compared" in line for line in basis(none))
