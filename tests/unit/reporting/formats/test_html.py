"""What an HTML report holds as text; `tests/e2e/test_html.py` opens it in a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import itertools
import json
import re
import textwrap
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
import reportsamples

from cudamigrate.model import Position, Proof, Repository
from cudamigrate.model.estimate import Performance
from cudamigrate.model.lane_facts import LaneFunction
from cudamigrate.reporting import pages
from cudamigrate.reporting.formats import html
from cudamigrate.reporting.formats.html import bars, data

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
    """The data of a page, with findings as rows."""
    made = json.loads(DATA.findall(page)[0])
    return {**made, "findings": unpacked(made)}


def unpacked(made: Any) -> list[list[Any]]:
    """The findings of a page's data as rows, with their source lines as text: what `page.js` makes of them."""
    wide = made["digits"]
    whole = [[textwrap.wrap(one, wide) if isinstance(one, str) else one for one in block] for block in made["findings"]]
    rows = [list(row) for block in whole for row in zip(*block, strict=True)]
    at = {name: number for number, name in enumerate(made["columns"]["finding"])}
    for row, following in itertools.pairwise(rows):
        following[at["line"]] += row[at["line"]] if row[at["file"]] == following[at["file"]] else 0
    for number, rest in made["longer"].items():
        rows[int(number)][at["fingerprint"]] += rest
    places: list[dict[str, range]] = []
    used: dict[int, dict[int, str]] = {number: {} for number in range(len(made["files"]))}
    for row in rows:
        above, before, below = (row[at[name]] for name in ("above", "before", "below"))
        long = [one if isinstance(one, int) else len(one) for one in (above, before, below)]
        starts = [row[at["line"]] - long[0], row[at["line"]], row[at["line"]] + long[1]]
        lines = [range(start, start + count) for start, count in zip(starts, long, strict=True)]
        mine = dict(zip(("above", "before", "below"), lines, strict=True))
        places.append({name: span for name, span in mine.items() if isinstance(row[at[name]], int)})
        for span in places[-1].values():
            used[row[at["file"]]].update(dict.fromkeys(span, ""))
    fresh, again = itertools.count(), iter(made["repeated"])
    for known in used.values():
        for line in sorted(known):
            known[line] = made["lines"][code - 1 if (code := next(again)) else next(fresh)]
    assert next(again, None) is None
    for row, spans in zip(rows, places, strict=True):
        for name in ("above", "before", "below"):
            texts = [used[row[at["file"]]][line] for line in spans[name]] if name in spans else None
            row[at[name]] = "\n".join(texts if texts is not None else [made["lines"][one] for one in row[at[name]]])
    return rows


def test_headline_of_counts_has_code_and_no_backticks():
    (said,) = re.findall(r'<p class="headline">(.*?)</p>', html.render(replace(reportsamples.full(), estimate=None)))
    assert "<code>--unsafe</code>" in said and "`" not in said


def test_large_data_is_compressed_and_holds_the_same(monkeypatch):
    plain = json.loads(DATA.findall(html.render(reportsamples.hostile()))[0])
    monkeypatch.setattr(html, "COMPRESSED", 0)
    page = html.render(reportsamples.hostile())
    ((packed, text),) = re.findall(r'<script type="text/plain" id="data" data-encoding="(\w+)">(.*?)</script>', page)
    assert packed == "gzip" and json.loads(gzip.decompress(base64.b64decode(text))) == plain
    assert page == html.render(reportsamples.hostile())


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
    assert "unsafe-inline" not in policy(page)
    assert not [attrs for _, attrs in read.tags if "style" in attrs]
    assert policy(page).startswith("default-src 'none';")
    assert "unsafe-eval" not in policy(page)


def test_scripts_are_the_same_whatever_the_repository_holds():
    assert policy(html.render(reportsamples.hostile())) == policy(html.render(reportsamples.full()))
    assert len(Reader(html.render(reportsamples.hostile())).scripts) == 2


def test_data_holds_nothing_that_could_end_its_element():
    (island,) = DATA.findall(html.render(reportsamples.hostile()))
    assert not set("<>&\u2028\u2029") & set(island)
    content_of_page = content(html.render(reportsamples.hostile()))
    at = content_of_page["columns"]["finding"].index("before")
    assert reportsamples.HOSTILE[0] in {row[at] for row in content_of_page["findings"]}


def test_every_finding_that_is_not_fine_is_in_the_data_with_its_file_and_rule():
    made = reportsamples.full()
    content_of_page = content(html.render(made))
    columns = content_of_page["columns"]["finding"]
    listed = [f for f in made.findings if f.resolution != "fine"]
    assert len(listed) < len(made.findings)
    digits = [row[columns.index("fingerprint")] for row in content_of_page["findings"]]
    assert set(digits) == set(data.distinct([f.fingerprint for f in listed]))
    assert {row[0] for row in content_of_page["files"]} == {f.path for f in listed}
    assert {row[0] for row in content_of_page["rules"]} == {f.rule for f in listed}
    row = content_of_page["findings"][0]
    assert content_of_page["files"][row[columns.index("file")]][0] in {f.path for f in made.findings}


def test_bars_of_the_work_end_at_the_total():
    made = reportsamples.full()
    assert made.estimate is not None
    drawn = bars.work(made.estimate)
    pieces = [row.pieces[0] for row in drawn.rows[:-1]]
    for one, following in itertools.pairwise(pieces):
        assert following.start == pytest.approx(one.start + one.width, abs=0.05)
    total = drawn.rows[-1].pieces[1]
    assert total.color == "total" and total.start == 0
    assert pieces[-1].start + pieces[-1].width == pytest.approx(total.width, abs=0.05)


def test_bar_of_a_component_is_full_and_in_the_order_of_the_numbers():
    for area, pieces in bars.components(reportsamples.full()):
        assert sum(piece.width for piece in pieces) == pytest.approx(100, abs=0.05)
        counts = {"automatic": area.tally.automatic, "review": area.tally.review, "manual": area.tally.manual}
        assert [piece.color for piece in pieces] == [name for name, count in counts.items() if count]


def test_report_without_an_estimate_has_no_days():
    page = html.render(replace(reportsamples.full(), estimate=None))
    assert "Where the days come from" not in page and "What to do" not in page
    assert "Files that take most work" in page


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://github.com/a/b.git", ["https://github.com/a/b/blob/{}/", "#L"]),
        ("ssh://github.com/a/b.git", ["https://github.com/a/b/blob/{}/", "#L"]),
        ("https://gitlab.example.org/g/s/b", ["https://gitlab.example.org/g/s/b/-/blob/{}/", "#L"]),
        ("https://bitbucket.org/a/b.git", ["https://bitbucket.org/a/b/src/{}/", "#lines-"]),
        ("ssh://git@gitlab.example.org:2222/g/s/b.git", ["https://gitlab.example.org/g/s/b/-/blob/{}/", "#L"]),
        ("https://gitlab.example.org:8443/g/b", ["https://gitlab.example.org:8443/g/b/-/blob/{}/", "#L"]),
        ("ssh://git@altssh.bitbucket.org:443/a/b.git", ["https://bitbucket.org/a/b/src/{}/", "#lines-"]),
        ("https://user:word@github.com/a/b", ["https://github.com/a/b/blob/{}/", "#L"]),
        ("git://codeberg.org/a/b", ["https://codeberg.org/a/b/src/commit/{}/", "#L"]),
        ("https://github.com/a", None),
        ("https://github.com/a/b?c=d", ["https://github.com/a/b/blob/{}/", "#L"]),
        ("https://github.com/a/<b>", None),
        ("https://[github.com/a/b", None),
        ("https://example.org/a/b.git", None),
        ("javascript:github.com/a", None),
        ("file:///github.com/a/b", None),
        ("", None),
    ],
)
def test_lines_are_linked_to_the_forge_where_it_is_known(url, wanted):
    where = Repository("", "b", "0123456789" * 4, "main", False, url)
    expected = wanted and [wanted[0].format(where.commit), wanted[1]]
    assert data.forge(where) == expected
    assert data.forge(replace(where, dirty=True)) is None
    assert data.forge(replace(where, commit="")) is None


def test_page_is_a_tenth_of_what_it_was_with_a_charting_library():
    assert len(html.render(reportsamples.full()).encode()) < 200_000


def test_script_that_would_end_its_element_is_made_harmless():
    assert pages.inline('x = "</script><!--"') == 'x = "<\\/script>\\x3c!--"'


def test_every_colour_of_a_chart_is_in_its_legend():
    figures = re.findall(r"<figure.*?</figure>", html.render(reportsamples.full()), re.DOTALL)
    assert len(figures) == 2
    for figure in figures:
        drawn = set(re.findall(r'<rect class="([^"]+)"', figure))
        named = set(re.findall(r'<span class="([^"]+)"><i></i>', figure))
        assert drawn and drawn == named


def test_fingerprints_have_as_many_digits_as_tell_them_apart():
    assert data.distinct(["f123456789ab", "0123456789ab", "0123456799ab"]) == ["f12345", "012345678", "012345679"]
    assert data.distinct(["0123456789abcdef"]) == ["012345"]
    assert data.distinct([]) == []
    assert data.distinct(["abd", "abc", "abd"]) == ["abd", "abc", "abd"]


def test_lines_around_findings_are_those_of_the_report_whatever_is_cut_where(finding, report):
    """Each line of a file is in the page once; a text that is another at the same line is written out."""
    one = finding(before="int a;", above="// one\n", below="}\n\n}")
    made = [
        one,
        replace(one, before="... a;"),
        replace(one, position=Position(one.position.line + 1, 1), above="int a;", before="}", below=""),
        replace(one, path="other.cu", above=""),
        replace(one, path="other.cu", before="x", above="}"),
    ]
    page = html.render(report(made))
    at = {name: number for number, name in enumerate(content(page)["columns"]["finding"])}
    shown = [tuple(row[at[name]] for name in ("above", "before", "below")) for row in content(page)["findings"]]
    assert sorted(shown) == sorted((one.above, one.before, one.below) for one in made)
    lines = sorted(row[at["line"]] for row in content(page)["findings"])
    assert lines == sorted(one.position.line for one in made)
    digits = sorted(row[at["fingerprint"]] for row in content(page)["findings"])
    assert digits == sorted(data.distinct([one.fingerprint for one in made]))
    assert len(content(page)["lines"]) == len(
        {line for one in made for line in f"{one.above}\n{one.before}\n{one.below}".split("\n")}
    )


@pytest.mark.parametrize("blocked", [True, False])
def test_links_to_a_place_of_the_page_lead_to_one(blocked):
    report = reportsamples.full()
    assert report.estimate is not None and report.estimate.blockers
    made = replace(report, estimate=report.estimate if blocked else replace(report.estimate, blockers=()))
    tags = Reader(html.render(made)).tags
    names = {attrs["id"] for _, attrs in tags if "id" in attrs}
    linked = {str(attrs.get("href", "")) for tag, attrs in tags if tag == "a"}
    places = {href[1:] for href in linked if re.fullmatch("#[a-z-]+", href)}
    assert places <= names and ("blockers" in places) == blocked


def test_speeds_are_left_out_where_each_says_only_that_nothing_is_published():
    report = reportsamples.full()
    assert report.estimate is not None
    silent = Performance("compute", "mi300x", None, None, ("no comparison is published",), (), "h100", no_data=True)
    more = replace(silent, reasons=(*silent.reasons, "slower on AMD: textures, 4 places"))
    pages_ = [
        html.render(replace(report, estimate=replace(report.estimate, performance=(one,)))) for one in (silent, more)
    ]
    assert ["Speed to expect" in page for page in pages_] == [False, True]


def test_function_that_was_not_checked_says_why():
    report = reportsamples.full()
    one = LaneFunction("sum", 7, "unchecked", wave="open", why="takes `WARP_SIZE` of other files for 32")
    files = (replace(report.files[0], lane_functions=(one,)), *report.files[1:])
    page = html.render(replace(report, files=files))
    assert "<td>not checked</td><td>takes <code>WARP_SIZE</code> of other files for 32</td>" in page
    right = (replace(report.files[0], lane_functions=(replace(one, state="right"),)), *report.files[1:])
    assert (
        "Because of"
        not in html.render(replace(report, files=right)).split("Functions with warp-level code")[1].split("</thead>")[0]
    )


def test_names_in_remarks_of_the_type_check_are_code_and_escaped():
    report = replace(
        reportsamples.full(), proof=Proof({"failed": 1}, said=("HIP has no `__stcs<T>`: <b>use</b> another.",))
    )
    page = html.render(report)
    assert "HIP has no <code>__stcs&lt;T&gt;</code>: &lt;b&gt;use&lt;/b&gt; another." in page
