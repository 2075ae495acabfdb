from __future__ import annotations

import csv as standard
from io import StringIO

import pytest
import reportsamples

from cudamigrate.reporting.formats import csv


def cells(shown: str) -> list[list[str]]:
    return list(standard.reader(StringIO(shown, newline="")))


def test_every_finding_is_one_record_of_the_same_width():
    made = reportsamples.full()
    head, *rows = cells(csv.render(made))
    assert tuple(head) == csv.COLUMNS
    assert len(rows) == len(made.findings)
    assert {len(row) for row in rows} == {len(head)}


def test_lines_end_as_the_standard_says_and_quotes_are_doubled(finding, report):
    shown = csv.render(report([finding(message='say "x", then\ny')]))
    assert shown.count("\r\n") == 2
    assert '"say ""x"", then\ny"' in shown
    assert cells(shown)[1][csv.COLUMNS.index("message")] == 'say "x", then\ny'


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_cell_is_a_formula(finding, report, start):
    name = f"{start}HYPERLINK(1).cu"
    row = cells(csv.render(report([finding(path=name, message=name, before=name)])))[1]
    assert [cell for cell in row if cell.startswith(name)] == []
    assert row[0] == (repr(name)[1:-1] if start in "\r\n\t" else f"'{name}")  # what ends a line is spelled out


def test_plain_cells_stay_as_they_are(finding, report):
    row = cells(csv.render(report([finding(path="src/a-b.cu", before="  int x = -1;")])))[1]
    assert row[0] == "src/a-b.cu"
    assert row[csv.COLUMNS.index("before")] == "  int x = -1;"


def test_hostile_names_can_be_read_back():
    made = reportsamples.hostile()
    shown = csv.render(made)
    shown.encode("utf-8")
    assert len(cells(shown)) == len(made.findings) + 1
