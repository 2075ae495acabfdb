"""HTML reports in a real browser: what a reader does with one, and what a hostile repository cannot do with it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import reportsamples

from cudamigrate.model import Report
from cudamigrate.reporting.first_screen import AREAS
from cudamigrate.reporting.formats import html

pytestmark = pytest.mark.browser
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
LONGEST_AREA = max(AREAS.values(), key=len)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, PROGRAMS)))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program)
        yield opened
        opened.close()


class Pages:
    """Opens reports, and keeps what the pages complained of and asked the network for."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.contexts: list[Any] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(
        self,
        report: Report,
        hash: str = "",  # noqa: A002
        viewport: dict[str, int] | None = None,
        old: bool = False,
        **options: Any,
    ) -> Any:
        path = self.folder / f"report{len(self.contexts)}.html"
        path.write_text(html.render(report), encoding="utf-8")
        context = self.browser.new_context(viewport=viewport or DESKTOP, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))
        page.on("request", lambda request: self.requests.append(request.url))
        if old:
            page.add_init_script("delete window.DecompressionStream")
        page.goto(path.as_uri() + hash)
        if options.get("java_script_enabled", True) and not old:
            page.wait_for_selector("html[data-ready]", state="attached")
        return page


@pytest.fixture
def pages(browser: Any, tmp_path: Path) -> Iterator[Pages]:
    made = Pages(browser, tmp_path)
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints == []
    assert [url for url in made.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def go(page: Any, hash: str) -> None:  # noqa: A002
    page.evaluate("hash => { location.hash = hash; }", hash)
    page.wait_for_function("hash => decodeURI(location.hash) === decodeURI(hash)", arg=hash)
    page.wait_for_timeout(50)


def content(page: Any) -> Any:
    return json.loads(page.text_content("#data"))


def test_compressed_data_is_shown_like_plain_data(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = pages.open(reportsamples.hostile(), "#findings").inner_text("#list")
    monkeypatch.setattr(html, "COMPRESSED", 0)
    page = pages.open(reportsamples.hostile(), "#findings")
    assert page.get_attribute("#data", "data-encoding") == "gzip" and not page.is_visible("#too-old")
    assert page.inner_text("#list") == plain


def test_a_browser_that_cannot_unpack_says_so(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "COMPRESSED", 0)
    page = pages.open(reportsamples.full(), java_script_enabled=False)
    assert page.is_hidden("#too-old") and page.inner_text(".headline")
    page = pages.open(reportsamples.full(), old=True)
    assert page.is_visible("#too-old") and page.inner_text(".headline")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_overview_tells_the_verdict_first_and_fits_the_width(
    pages: Pages, viewport: dict[str, int], scheme: str
) -> None:
    long = replace(reportsamples.full(), trend=f"Since then: {'src_' * 40}.h is new.")
    page = pages.open(long, viewport=viewport, color_scheme=scheme)
    assert page.inner_text(".headline").startswith("Port it, except TensorRT engine. 18 engineer-days, 10 to 33")
    assert page.locator(".headline").bounding_box()["y"] < viewport["height"]
    assert page.locator("svg.bars rect").count() >= 10
    for view in ("overview", "findings", "files", "rules", "rule=ptx/tensor-core", "file=src/gemm/tile.cu"):
        go(page, f"#{view}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view


def test_tables_side_by_side_stay_in_their_columns(pages: Pages) -> None:
    page = pages.open(reportsamples.full(), viewport={"width": 1400, "height": 900})
    for cells, text in ((".areas td.figure:last-child", "4.7 + 1 blocker"), (".areas tbody th a", LONGEST_AREA)):
        page.locator(cells).evaluate_all("(all, text) => all.forEach((one) => (one.textContent = text))", text)
    tables = page.locator(".columns table")
    out = "one => one.getBoundingClientRect().right - one.parentElement.getBoundingClientRect().right"
    assert tables.count() == 2
    assert [table.evaluate(out) for table in tables.all()] == pytest.approx([0, 0], abs=1)


def distinct(made: Report) -> Report:
    """The report with messages that tell its findings apart."""
    said = {f.fingerprint: replace(f, message=f"{f.message} ({n})") for n, f in enumerate(made.findings)}
    files = [replace(file, findings=tuple(said[f.fingerprint] for f in file.findings)) for file in made.files]
    return replace(made, files=tuple(files), findings=tuple(said.values()))


def test_each_of_the_three_numbers_leads_to_exactly_its_findings(pages: Pages) -> None:
    made = distinct(reportsamples.full())
    page = pages.open(made)
    for name in ("automatic", "review", "manual"):
        anchor = page.locator(f".numbers a.{name}")
        count = sum(f.resolution == name for f in made.findings)
        assert anchor.inner_text().startswith(f"{count} ")
        go(page, anchor.get_attribute("href"))
        assert page.locator("#list > li").count() == count
    assert "4 more places are fine as they are" in page.text_content("#overview")


def test_findings_that_say_the_same_are_one_entry_with_its_places(pages: Pages) -> None:
    made = reportsamples.full()
    page = pages.open(made, "#findings")
    rules = {f.rule for f in made.findings if f.resolution != "fine"}
    assert page.locator("#list > li").count() == len(rules)
    assert f", {len(rules)} different" in page.inner_text("#count")
    first = page.locator("#list > li").first
    equal = sum(f.rule == first.locator(".tags a").inner_text() for f in made.findings) - 1
    assert first.locator("summary").inner_text() == f"{equal} more like it"
    assert first.locator("details a").count() == equal > 1


def test_heads_sort_tables_by_number_and_by_name(pages: Pages) -> None:
    page = pages.open(reportsamples.full(), "#files")
    column = page.locator("#file-table thead button", has_text="Manual")
    column.click()
    numbers = [int(text) for text in page.locator("#file-rows td:nth-child(5)").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)
    column.click()
    numbers = [int(text) for text in page.locator("#file-rows td:nth-child(5)").all_inner_texts()]
    assert numbers == sorted(numbers)
    page.locator("#file-table thead button", has_text="File").click()
    names = page.locator("#file-rows th").all_inner_texts()
    assert names == sorted(names) and len(names) > 2
    assert page.locator("#file-table th[aria-sort]").count() == 1
    assert page.locator("#file-rows td.figure").first.evaluate("node => getComputedStyle(node).textAlign") == "right"


def test_rows_are_cards_on_a_phone(pages: Pages) -> None:
    page = pages.open(reportsamples.full(), "#files", viewport=PHONE)
    row = page.locator("#file-rows tr").first
    assert row.evaluate("node => getComputedStyle(node).display") == "flex", "a card whose cells stand side by side"
    assert row.locator("th").bounding_box()["width"] > 300, "its name has a line of its own"
    label = row.locator("td").nth(2).evaluate("node => getComputedStyle(node, '::before').content")
    assert label == '"Review"'


def test_source_around_a_finding_has_line_numbers_and_its_fix(pages: Pages) -> None:
    made = reportsamples.full()
    one = next(f for f in made.findings if f.resolution == "automatic")
    shown = {one.fingerprint: replace(one, above="int n = 4;\n", below="}")}
    files = [replace(file, findings=tuple(shown.get(f.fingerprint, f) for f in file.findings)) for file in made.files]
    listed = tuple(shown.get(f.fingerprint, f) for f in made.findings)
    url = "https://github.com/a/b"
    where = replace(made.repository, url=url, dirty=False)
    page = pages.open(
        replace(made, files=tuple(files), findings=listed, repository=where), f"#finding={one.fingerprint}"
    )
    item = page.locator(f"[data-finding='{one.fingerprint[:6]}']")
    line = one.position.line
    said = [text.split() for text in item.locator("pre > *").all_inner_texts()]
    assert said[0][:2] == [str(line - 2), "int"] and said[1] == [str(line - 1)]
    assert said[2][:2] == [str(line), "-"] and said[3][0] == "+" and said[4] == [str(line + 1), "}"]
    assert item.locator("a[rel]").get_attribute("href") == f"{url}/blob/{where.commit}/{one.path}#L{line}"


def test_filters_narrow_the_list_and_survive_a_reload(pages: Pages) -> None:
    made = distinct(reportsamples.full())
    listed = [f for f in made.findings if f.resolution != "fine"]
    page = pages.open(made, "#findings")
    assert page.locator("#list > li").count() == len(listed)
    page.select_option("#group", "ptx")
    wanted = [f for f in listed if f.group == "ptx"]
    page.wait_for_function("n => document.querySelectorAll('#list > li').length === n", arg=len(wanted))
    assert page.inner_text("#count") == f"{len(wanted)} of {len(listed)} findings, worst first"
    page.fill("#q", "REDUCE.cu mma")
    kept = [f for f in wanted if "reduce.cu" in f.path]
    page.wait_for_function("n => document.querySelectorAll('#list > li').length === n", arg=len(kept))
    assert 0 < len(kept) < len(wanted)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.locator("#list > li").count() == len(kept)
    page.click("#filters button[type=reset]")
    page.wait_for_function("n => document.querySelectorAll('#list > li').length === n", arg=len(listed))
    for name, value, count in (
        ("outcome", "slower", sum(f.outcome == "slower" for f in listed)),
        ("effort", "redesign", sum(f.effort == "redesign" for f in listed)),
        ("area", "lanes", sum(f.group == "warp" for f in listed)),
        ("settled", "automatic", sum(f.automatic for f in listed)),
        ("settled", "review", sum(f.resolution == "review" for f in listed)),
        ("settled", "left", sum(f.resolution in ("review", "manual") for f in listed)),
    ):
        page.select_option(f"#{name}", value)
        page.wait_for_function("n => document.querySelectorAll('#list > li').length === n", arg=count)
        page.select_option(f"#{name}", "")


def test_finding_file_and_rule_lead_to_each_other(pages: Pages) -> None:
    page = pages.open(distinct(reportsamples.full()), "#findings?settled=automatic")
    item = page.locator("#list > li").first
    assert item.locator("del").first.inner_text().split()[1] == "-"
    assert item.locator("ins").first.inner_text().split()[0] == "+"
    rule = item.locator(".tags a").inner_text()
    item.locator(".tags a").click()
    page.wait_for_function("rule => document.getElementById('detail-title').textContent === rule", arg=rule)
    assert rule in page.title()
    first = page.locator("#detail-list > li h2 a").first
    path = first.inner_text()
    first.click()
    page.wait_for_function("path => document.getElementById('detail-title').textContent === path", arg=path)
    lines = [int(text.split(":")[1]) for text in page.locator("#detail-list .line").all_inner_texts() if ":" in text]
    assert lines == sorted(lines) and lines
    page.go_back()
    page.wait_for_function("rule => document.getElementById('detail-title').textContent === rule", arg=rule)


def test_link_to_a_finding_opens_its_file_at_its_place(pages: Pages) -> None:
    made = reportsamples.large(2_000)
    listed = [f for f in made.findings if f.path == made.findings[0].path and f.resolution != "fine"]
    last = max(listed, key=lambda f: f.position.line)
    page = pages.open(made, f"#finding={last.fingerprint}")
    assert page.inner_text("#detail-title") == last.path
    assert page.locator(f"[data-finding^='{last.fingerprint[:6]}']").is_visible()


@pytest.mark.parametrize(
    "hash", ["#file=nowhere.cu", "#rule=%E0%A4%A", "#finding=0", "#constructor", "#findings?page=x"]
)
def test_links_that_lead_nowhere_do_no_harm(pages: Pages, hash: str) -> None:  # noqa: A002
    page = pages.open(reportsamples.full(), hash)
    assert page.locator(".view:not([hidden])").count() == 1


def test_whole_page_works_without_a_mouse(pages: Pages) -> None:
    page = pages.open(reportsamples.full())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"theme", "scroll", "manual"} <= seen


def test_theme_is_chosen_by_a_button(pages: Pages) -> None:
    page = pages.open(reportsamples.full(), color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) != light
    assert page.get_attribute("#theme", "aria-label") == "Use light colors"
    page.click("#theme")
    assert page.evaluate(ground) == light


def test_hostile_repository_is_text_and_nothing_else(pages: Pages) -> None:
    made = reportsamples.hostile()
    page = pages.open(made)
    scripts = page.locator("script").count()
    places = ["#overview", "#findings", "#files", "#rules"]
    places += [f"#finding={finding.fingerprint}" for finding in made.findings if finding.resolution != "fine"]
    for place in places:
        go(page, place)
        assert page.evaluate("window.hacked") is None, place
        assert page.locator("script").count() == scripts
        assert page.locator("main img, main iframe, main object, main svg[onload], main [onerror]").count() == 0
        assert page.locator("a[href^='javascript:']").count() == 0
    go(page, "#files")
    shown = page.locator("#file-rows th").all_text_contents()
    assert "<img src=x onerror=window.hacked=1>/<img src=x onerror=window.hacked=1>.cu" in shown
    assert len(shown) == len({finding.path for finding in made.findings if finding.resolution != "fine"})


def test_policy_of_the_page_lets_no_other_script_run(pages: Pages) -> None:
    page = pages.open(reportsamples.full())
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
        const image = document.createElement("img");
        image.setAttribute("onerror", "window.hacked = 1");
        image.src = "data:,";
        document.body.append(image);
    }""")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in text for text in pages.complaints)
    pages.complaints.clear()


@pytest.mark.parametrize(
    ("scheme", "viewport"), [("light", DESKTOP), ("dark", PHONE)], ids=["light-desktop", "dark-phone"]
)
def test_accessibility_rules_find_nothing(pages: Pages, viewport: dict[str, int], scheme: str) -> None:
    pytest.importorskip("axe_playwright_python", reason="the package that carries axe-core is not installed")
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page = pages.open(reportsamples.full(), viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page.add_script_tag(content=axe)
    for view in ("overview", "findings", "files", "rules", "file=src/gemm/tile.cu", "rule=ptx/tensor-core"):
        go(page, f"#{view}")
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(entry["id"], [node["html"][:100] for node in entry["nodes"]]) for entry in found["violations"]]
        assert violations == [], view
        assert len(found["passes"]) > 30


def test_ten_thousand_findings_stay_usable(pages: Pages) -> None:
    made = distinct(reportsamples.large(10_000))
    started = time.perf_counter()
    page = pages.open(made)
    opened = time.perf_counter() - started
    started = time.perf_counter()
    go(page, "#findings")
    page.fill("#q", "file17.cu tensor")
    kept = sum("file17.cu" in f.path and "tensor" in f.rule and f.resolution != "fine" for f in made.findings)
    page.wait_for_function("n => document.getElementById('count').textContent.startsWith(`${n} of`)", arg=kept)
    searched = time.perf_counter() - started
    print(f"10,000 findings: written and open in {opened:.1f} s, searched in {searched:.1f} s")
    page.click("#filters button[type=reset]")
    page.wait_for_function("() => document.getElementById('page').textContent === 'Page 1 of 167'")
    page.click("#next")
    assert page.inner_text("#page") == "Page 2 of 167"
    assert page.evaluate("document.querySelectorAll('*').length") < 6_000
    assert opened < 20 and searched < 10


def test_paper_shows_the_overview_and_the_work_manually(pages: Pages) -> None:
    made = reportsamples.full()
    page = pages.open(made, "#files", color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".headline").is_visible()
    assert not page.locator(".bar").is_visible()
    assert page.locator("#printed li").count() == sum(f.resolution in ("review", "manual") for f in made.findings)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.locator("figure.work rect.work").first.evaluate("node => getComputedStyle(node).fill")
    assert ink == "rgb(11, 87, 164)"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.get_attribute("html", "data-theme") == "auto"
    assert page.locator("#printed li").count() == 0


def test_overview_is_complete_without_scripts(pages: Pages) -> None:
    page = pages.open(reportsamples.full(), java_script_enabled=False)
    assert page.inner_text(".headline").startswith("Port it, except")
    assert page.locator("figure.work table").is_visible()
    assert "need JavaScript" in page.inner_text("noscript")


def test_report_of_nothing_opens(pages: Pages) -> None:
    page = pages.open(reportsamples.report_of([]))
    assert page.inner_text(".headline") == "Nothing was found that needs to change."
    go(page, "#findings")
    assert page.inner_text("#count") == "0 findings, worst first"
    assert content(page)["findings"] == []
