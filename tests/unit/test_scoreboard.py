"""The scoreboard's page is that of its data, and its commands exist."""

from __future__ import annotations

import re

import pytest

from tests import scoreboard

ROWS = scoreboard.figures()


def test_the_page_is_that_of_the_data():
    assert scoreboard.PAGE.read_text(encoding="utf-8") == scoreboard.render(ROWS), "run: python -m tests.scoreboard"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["what"][:40])
def test_each_figure_says_when_on_what_and_how(row):
    assert row["value"] and re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) and row["commit"]
    for path in re.findall(r"tests/[\w/]+\.py", row["command"]):
        assert (scoreboard.ROOT / path).exists()
    for module in re.findall(r"-m (tests[\w.]+)", row["command"]):
        assert (scoreboard.ROOT / f"{module.replace('.', '/')}.py").exists()


def test_a_figure_is_what_is_printed_and_a_missing_one_is_an_error():
    row = {
        "command": "x",
        "pattern": r"all\s+(?P<right>\d+)\s+(?P<silent>\d+)",
        "written": "{right} right, {silent} silent",
    }
    assert scoreboard.read(row, "class\nall    174   2\n") == "174 right, 2 silent"
    with pytest.raises(ValueError, match="printed no line"):
        scoreboard.read(row, "1 failed")


def test_measuring_changes_one_row_alone():
    text = scoreboard.DATA.read_text(encoding="utf-8")
    row = next(row for row in ROWS if row.get("quick"))
    changed = scoreboard.replaced(text, row, '5 "right"', "2031-01-02", "abc")
    lines = [(a, b) for a, b in zip(text.splitlines(), changed.splitlines(), strict=True) if a != b]
    assert [new for _, new in lines] == ['value = "5 \\"right\\""', 'date = "2031-01-02"', 'commit = "abc"']
