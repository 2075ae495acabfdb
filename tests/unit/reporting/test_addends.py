"""Rows of days add up to their total as both are printed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate.reporting.addends import adding_up, remaining


def test_rows_that_each_round_down_add_up() -> None:
    assert adding_up([0.34, 0.33, 0.33], 1.0) == ["0.4", "0.3", "0.3"]


def test_rows_of_a_large_total_are_rounded_each_by_itself() -> None:
    assert adding_up([9.04, 4.04], 13.08) == ["9", "4"]


def test_total_that_is_not_the_sum_leaves_rows_alone() -> None:
    assert adding_up([0.3, 0.3], 5.0) == ["0.3", "0.3"]


@given(st.lists(st.floats(0, 3), min_size=1, max_size=12))
@settings(max_examples=50)
def test_printed_rows_add_up_to_the_printed_total(rows: list[float]) -> None:
    total = sum(rows)
    printed = [float(row) for row in adding_up(rows, total)]
    assert all(abs(row - text) <= 0.1 + 1e-6 for row, text in zip(rows, printed, strict=True))
    assert total >= 9.95 or sum(printed) == pytest.approx(round(total, 1), abs=0.051)


@pytest.mark.parametrize(
    ("shown", "rest", "total", "said"),
    [([2.26, 1.06, 0.54], 1.14, 5.0, "1.1"), ([2.24, 1.04, 0.54], 1.24, 5.06, "1.4"), ([9.0], 5.26, 14.26, "5.3")],
)
def test_what_is_not_shown_completes_the_total(shown: list[float], rest: float, total: float, said: str) -> None:
    assert remaining(shown, rest, total) == said
