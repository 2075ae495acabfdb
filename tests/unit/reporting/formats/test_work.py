"""What each day is for: one row for each cause, with the sums of its files, and each source once."""

from __future__ import annotations

from dataclasses import replace

import reportsamples

from cudamigrate.model.estimate import CostItem, Days, Estimate, Source, Step
from cudamigrate.reporting.formats.html.work import collapsed

WEAK = Source("a judgement", "2026-11", "assumed")
KNOWN = Source("a port", "2025", "measured")


def of(*items: CostItem, plan: tuple[Step, ...] = ()) -> Estimate:
    made = reportsamples.full().estimate
    assert made is not None
    return replace(made, items=items, plan=plan)


def item(title: str, path: str, middle: float, source: Source = WEAK, rule: str = "") -> CostItem:
    return CostItem("tests", title, Days(middle / 2, middle, 2 * middle), 3, rule, path, source)


def test_items_of_one_cause_are_one_row_with_their_sum() -> None:
    rows, sources = collapsed(of(item("Test", "a.cu", 1), item("Test", "b.cu", 2), item("Build", "", 2.5, KNOWN)))
    assert [(row.title, row.days, row.count, row.files) for row in rows] == [
        ("Test", Days(1.5, 3, 6), 6, ("b.cu", "a.cu")),
        ("Build", Days(1.25, 2.5, 5), 3, ()),
    ]
    assert sources == [WEAK, KNOWN]
    assert [(row.note, row.assumed) for row in rows] == [(1, True), (2, False)]


def test_other_rules_and_sources_are_other_rows() -> None:
    rows, _ = collapsed(of(item("Fix", "a.cu", 1, rule="x/a"), item("Fix", "a.cu", 1, rule="x/b")))
    assert len(rows) == 2
    assert len(collapsed(of(item("Fix", "a.cu", 1), item("Fix", "a.cu", 1, KNOWN)))[0]) == 2
    assert collapsed(of()) == ([], [])


def test_what_is_a_whole_step_of_the_plan_has_the_range_of_the_step() -> None:
    """Ends of several files do not add up; the same work has one range wherever the page shows it."""
    items = [replace(item("Read", path, 1), step="mechanical") for path in ("a.cu", "b.cu")]
    step = Step("mechanical", "Read", Days(1.2, 2, 3.1))
    assert collapsed(of(*items, plan=(step,)))[0][0].days == step.days
    other = replace(item("More", "a.cu", 1), step="mechanical")
    assert collapsed(of(*items, other, plan=(step,)))[0][0].days == Days(1, 2, 4)
