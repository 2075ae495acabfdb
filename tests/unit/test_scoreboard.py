"""The scoreboard's page is that of its data, and its commands exist."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests import scoreboard

ROWS = scoreboard.figures()


def test_the_page_is_that_of_the_data():
    assert scoreboard.PAGE.read_text(encoding="utf-8") == scoreboard.render(ROWS), "run: python -m tests.scoreboard"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_each_figure_says_when_on_what_and_how(row):
    assert row["value"] and re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) and row["commit"]
    if row.get("once"):
        assert set(row) == {"name", "part", "what", "value", "date", "commit", "once", "tuned"}
        return
    for path in re.findall(r"tests/[\w/]+\.py", row["command"]):
        assert (scoreboard.ROOT / path).exists()
    for module in re.findall(r"-m (tests[\w.]+)", row["command"]):
        assert (scoreboard.ROOT / f"{module.replace('.', '/')}.py").exists()
    groups = re.compile(row["pattern"]).groupindex
    assert set(re.findall(r"\{(\w+)\}", row["written"])) <= set(groups)


def test_names_are_not_used_twice():
    assert len({row["name"] for row in ROWS}) == len(ROWS)


def test_a_figure_is_what_is_printed_and_a_missing_one_is_an_error():
    row = {
        "command": "x",
        "pattern": r"all\s+(?P<right>\d+)\s+(?P<silent>\d+)",
        "written": "{right} right, {silent} silent",
    }
    assert scoreboard.read(row, "class\nall    174   2\n") == "174 right, 2 silent"
    assert scoreboard.read(row, "all 1 2\nall 3 4\n") == "1 right, 2 silent, 3 right, 4 silent"
    with pytest.raises(scoreboard.MeasuringError, match="printed no line"):
        scoreboard.read(row, "1 failed")


def test_a_command_is_started_with_its_variables_and_by_this_python():
    command, variables = scoreboard.words("A=1 python -m pytest -k 'a or b'")
    assert command == [sys.executable, "-m", "pytest", "-k", "a or b"] and variables == {"A": "1"}


def test_measuring_keeps_one_row_and_changes_no_other(tmp_path, monkeypatch, capsys):
    keys = ("name", "part", "what", "value", "date", "commit", "seconds", "command", "pattern", "written", "tuned")
    values = ("a", "p", "w", "0", "2026-01-01", "x", 0, "python -c 'print(40 + 2)'", r"(?P<n>\d+)", "{n} right", "")
    first = dict(zip(keys, values, strict=True))
    rows = [first, {**first, "name": "b", "command": "python -c 'raise SystemExit(print(1) or 3)'"}]
    data = tmp_path / "data.toml"
    data.write_text("".join("[[figure]]\n" + "".join(f"{key} = {json.dumps(one[key])}\n" for key in one) + "\n"
                            for one in rows))  # fmt: skip
    monkeypatch.setattr(scoreboard, "DATA", data)
    scoreboard.measure(scoreboard.figures()[0], "abc")
    found = scoreboard.figures()
    assert (found[0]["value"], found[0]["commit"], found[1]) == ("42 right", "abc", rows[1])
    with pytest.raises(scoreboard.MeasuringError, match="ended with 3"):
        scoreboard.measure(found[1], "abc")
    assert scoreboard.figures()[1] == rows[1]


def test_every_row_has_a_figure():
    assert [row["name"] for row in ROWS if "not measured" in row["value"]] == []
