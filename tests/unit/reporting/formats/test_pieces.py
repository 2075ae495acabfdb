"""Reports of very many findings are written as they are made: no format holds the text of all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import reportsamples

from cudamigrate.reporting import json_rows
from cudamigrate.reporting.formats import csv, html, json, sarif


@pytest.mark.parametrize("form", [csv, json, sarif], ids=["csv", "json", "sarif"])
def test_no_piece_holds_more_than_a_few_findings(form, monkeypatch):
    monkeypatch.setattr(json_rows, "_AT_ONCE", 2)
    made = reportsamples.full()
    marks = [one.fingerprint for one in made.findings]
    pieces = list(form.chunks(made))
    assert "".join(pieces) == form.render(made)
    assert max(sum(mark in piece for mark in marks) for piece in pieces) == (2 if form is json else 1)


def test_the_first_piece_comes_before_the_second_finding_is_asked_for(finding, report):
    made = report([finding(path=f"a{number}.cu") for number in range(3)])
    for form in (csv, sarif):
        pieces = form.chunks(made)
        assert next(pieces) and next(pieces)


def test_the_page_makes_its_rows_as_they_are_taken(monkeypatch):
    monkeypatch.setattr(html.data, "BLOCK", 1)
    made = reportsamples.full()
    rows = html.data.content(made)["findings"]
    assert isinstance(rows, Iterator)
    pieces = list(html._embedded({"findings": rows}))
    assert len(pieces) > len(reportsamples.full().findings) / 2
    assert "".join(pieces).startswith('{"findings":[[')


def test_no_findings_are_an_empty_list(report):
    assert "".join(html._embedded({"a": 1, "findings": iter(())})) == '{"a":1,"findings":[]}'
    assert '"results": [],' in sarif.render(report([]))
