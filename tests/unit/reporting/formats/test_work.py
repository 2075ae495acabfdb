"""What each day is for: one row for each cause, with the sums of its files, and each source once."""

from __future__ import annotations

from cudamigrate.model.estimate import CostItem, Days, Source
from cudamigrate.reporting.formats.html.work import collapsed

WEAK = Source("a judgement", "2026-11", "assumed")
KNOWN = Source("a port", "2025", "measured")


def item(title: str, path: str, middle: float, source: Source = WEAK, rule: str = "") -> CostItem:
    return CostItem("tests", title, Days(middle / 2, middle, 2 * middle), 3, rule, path, source)


def test_items_of_one_cause_are_one_row_with_their_sum() -> None:
    rows, sources = collapsed([item("Test", "a.cu", 1), item("Test", "b.cu", 2), item("Build", "", 2.5, KNOWN)])
    assert [(row.title, row.days, row.count, row.files) for row in rows] == [
        ("Test", Days(1.5, 3, 6), 6, ("b.cu", "a.cu")),
        ("Build", Days(1.25, 2.5, 5), 3, ()),
    ]
    assert sources == [WEAK, KNOWN]
    assert [(row.note, row.assumed) for row in rows] == [(1, True), (2, False)]


def test_other_rules_and_sources_are_other_rows() -> None:
    rows, _ = collapsed([item("Fix", "a.cu", 1, rule="x/a"), item("Fix", "a.cu", 1, rule="x/b")])
    assert len(rows) == 2
    assert len(collapsed([item("Fix", "a.cu", 1), item("Fix", "a.cu", 1, KNOWN)])[0]) == 2
    assert collapsed(()) == ([], [])
