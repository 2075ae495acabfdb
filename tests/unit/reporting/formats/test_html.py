"""What an HTML report holds as text; `tests/e2e/test_html.py` opens it in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
import reportsamples

from cudamigrate.reporting.formats import html

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


class Reader(HTMLParser):
    """Tags with their attributes, and what is in scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def policy(page: str) -> str:
    (found,) = [attrs for tag, attrs in Reader(page).tags if attrs.get("http-equiv") == "Content-Security-Policy"]
    return str(found["content"])


def content(page: str) -> Any:
    return json.loads(DATA.findall(page)[0])


@pytest.mark.parametrize("make", [reportsamples.full, reportsamples.hostile, lambda: reportsamples.report_of([])])
def test_page_loads_nothing_and_runs_only_what_its_policy_names(make):
    page = html.render(make())
    page.encode("utf-8")
    read = Reader(page)
    for tag, attrs in read.tags:
        assert "src" not in attrs, tag
        assert not [name for name in attrs if name.startswith("on")], (tag, attrs)
        assert tag not in ("link", "iframe", "img", "object", "embed", "base")
        assert (attrs.get("href") or "#").startswith("#"), attrs
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in read.scripts[1:]]
    allowed = " ".join(f"'sha256-{value}'" for value in hashes)
    assert f"script-src {allowed};" in policy(page)
    assert policy(page).startswith("default-src 'none';")
    assert "unsafe-eval" not in policy(page)


def test_scripts_are_the_same_whatever_the_repository_holds():
    assert policy(html.render(reportsamples.hostile())) == policy(html.render(reportsamples.full()))
    assert len(Reader(html.render(reportsamples.hostile())).scripts) == 4


def test_data_holds_nothing_that_could_end_its_element():
    (island,) = DATA.findall(html.render(reportsamples.hostile()))
    assert not set("<>&\u2028\u2029") & set(island)
    content_of_page = content(html.render(reportsamples.hostile()))
    shown = {row[content_of_page["columns"]["finding"].index("before")] for row in content_of_page["findings"]}
    assert reportsamples.HOSTILE[0] in shown


def test_every_finding_file_and_rule_is_in_the_data():
    made = reportsamples.full()
    content_of_page = content(html.render(made))
    columns = content_of_page["columns"]["finding"]
    assert {row[columns.index("fingerprint")] for row in content_of_page["findings"]} == {
        f.fingerprint for f in made.findings
    }
    assert {row[0] for row in content_of_page["files"]} == {f.path for f in made.findings}
    assert {row[0] for row in content_of_page["rules"]} == {f.rule for f in made.findings}
    row = content_of_page["findings"][0]
    assert content_of_page["files"][row[columns.index("file")]][0] in {f.path for f in made.findings}


def test_boxes_of_the_treemap_add_up_to_the_days_of_the_files():
    made = reportsamples.large(10_000)
    assert made.estimate is not None
    (drawing,) = [chart for chart in content(html.render(made))["charts"] if chart["kind"] == "treemap"]
    wanted = sum(item.days.p50 for item in made.estimate.items if item.path)
    assert drawing["values"][0] == pytest.approx(wanted, abs=0.05)
    leaves = sum(v for v, color in zip(drawing["values"], drawing["colors"], strict=True) if color != "folder")
    assert leaves == pytest.approx(wanted, abs=0.05)


def test_waterfall_ends_at_the_total():
    made = reportsamples.full()
    assert made.estimate is not None
    drawing = content(html.render(made))["charts"][0]
    assert drawing["kind"] == "waterfall"
    assert sum(drawing["values"][:-1]) == pytest.approx(drawing["values"][-1]) == made.estimate.days.p50


def test_report_without_an_estimate_has_no_days():
    page = html.render(replace(reportsamples.full(), estimate=None))
    assert "Where the days come from" not in page
    kinds = [chart["kind"] for chart in content(page)["charts"]]
    assert kinds == ["groups", "treemap"]


def test_script_that_would_end_its_element_is_made_harmless():
    assert html._inline('x = "</script><!--"') == 'x = "<\\/script>\\x3c!--"'
