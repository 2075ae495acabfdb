"""The plan: steps in order, each with its days, a critical chain, and what more people change."""

from __future__ import annotations

import pytest

from cudamigrate.estimate.plan import staffing, steps
from cudamigrate.model.estimate import CostItem, Days, Step

COMMON = 0.8


def item(step: str, days: float, path: str = "") -> CostItem:
    return CostItem("findings", step, Days(days / 2, days, days * 2), 1, "", path, None, ".", step)


def test_steps_without_work_are_left_out_and_waited_around() -> None:
    found = {step.name: step for step in steps([item("mechanical", 1), item("numeric", 1)], False, COMMON)}
    assert list(found) == ["mechanical", "numeric"]
    assert found["numeric"].after == ("mechanical",)


def test_a_step_waits_for_no_other_twice() -> None:
    names = ("environment", "mechanical", "build", "repair", "numeric")
    found = {step.name: step for step in steps([item(name, 1) for name in names], False, COMMON)}
    assert found["build"].after == ("environment", "mechanical")
    assert found["numeric"].after == ("repair",)


def test_blockers_add_a_decision_without_days() -> None:
    plan = steps([item("mechanical", 1), item("redesign", 3)], True, COMMON)
    assert plan[0].name == "decide" and plan[0].days == Days()
    assert next(step for step in plan if step.name == "redesign").after == ("decide", "mechanical")


def test_the_longest_chain_is_critical() -> None:
    found = steps(
        [item("environment", 5), item("mechanical", 1), item("build", 1), item("benchmark", 1)], False, COMMON
    )
    assert {step.name for step in found if step.critical} == {"environment", "build", "benchmark"}


def test_people_are_at_most_the_files_to_share() -> None:
    found = steps([item("repair", 2, "a"), item("repair", 2, "b"), item("build", 9)], False, COMMON)
    assert {step.name: step.people for step in found} == {"build": 1, "repair": 2}


def test_people_have_two_days_each() -> None:
    found = steps([item("repair", 1.9, "a"), item("repair", 1.9, "b"), item("numeric", 2, "a")], False, COMMON)
    assert {step.name: step.people for step in found} == {"repair": 1, "numeric": 1}


def test_one_person_takes_all_days_and_two_take_less() -> None:
    plan = steps(
        [item("repair", 4, "a"), item("repair", 4, "b"), item("environment", 1), item("build", 1)], False, COMMON
    )
    teams = staffing(plan, Days(5, 10, 20))
    assert teams[0].days == Days(5, 10, 20)
    assert teams[1].days.p50 == pytest.approx(1 + 1 + 4)
    assert len(teams) == 2  # a third would wait


def test_steps_that_do_not_wait_for_each_other_run_side_by_side() -> None:
    plan = [Step("environment", "", Days(3, 3, 3)), Step("mechanical", "", Days(2, 2, 2))]
    assert [team.days.p50 for team in staffing(plan, Days(5, 5, 5))] == [5, 3]


def test_a_team_that_is_hardly_faster_is_not_named() -> None:
    plan = steps([item("repair", 4, "a"), item("repair", 4, "b"), item("build", 40)], False, COMMON)
    assert [team.people for team in staffing(plan, Days(40, 48, 60))] == [1]
