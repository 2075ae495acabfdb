"""The documentation's site: its rule pages are whole, and its pages are all in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath

import pytest
import reportsamples

from cudamigrate.reporting.formats import html
from docs.site import pictures, rule_pages, screens

ROOT = Path(__file__).parents[2]


@cache
def made() -> dict[str, str]:
    return rule_pages.pages()


@pytest.mark.parametrize("group", ["api", "build", "cooperative-groups", "environment", "launch", "library", "math",
                                   "memory", "packages", "ptx", "python", "tables", "texture", "triton", "verify",
                                   "warp"])  # fmt: skip
def test_every_rule_page_has_each_section_with_words_in_it(group):
    found = {path: text for path, text in made().items() if path.startswith(f"rules/{group}/")}
    assert found
    for path, text in found.items():
        outside_code = re.sub(r"^(`{3,}).*?^\1$", "code", text, flags=re.MULTILINE | re.DOTALL)
        parts = re.split(r"^## (.+)\n", outside_code, flags=re.MULTILINE)
        titles = [title for title in parts[1::2] if title in rule_pages.SECTIONS]
        assert titles == list(rule_pages.SECTIONS), path
        assert all(len(words.split()) > 0 for words in parts[2::2]), path


def test_notes_say_what_to_do_and_where_it_is_from():
    told = [rule for rule in rule_pages.every_rule() if rule.notes]
    assert len(told) > 600
    assert [rule.id for rule in told if "Do:" not in rule.notes or "Source:" not in rule.notes] == []


def test_no_title_says_the_library_twice():
    titles = {rule.title for rule in rule_pages.every_rule()}
    twice = re.compile(r"(?i)libNVVM nvvm|cuBLASLt lt |functions wmma|libcu\+\+ libcudacxx|\b(\w+) \1\b(?!::)")
    assert [title for title in titles if twice.search(title)] == []


def test_every_rule_is_on_a_page():
    words = set(re.split(r"[\s`,]+", "\n".join(made().values())))
    for rule in rule_pages.every_rule():
        if rule.notes or rule.examples:
            assert rule_pages.path_of(rule) in made(), rule.id
        else:
            assert set(rule.match.names[:3]) <= words, rule.id


def test_no_page_shows_a_blank_of_a_message():
    for path, text in made().items():
        found = text[: text.index("## Why it matters")] if "## Why it matters" in text else ""
        assert not re.search(r"(?<!\$)\{[a-z]+\}", found), path


def test_what_works_as_it_is_is_not_said_of_what_does_not_build():
    for path, text in made().items():
        assert "Nothing has to be written: it works as it is." not in text or "**compile-error**" not in text, path


def test_no_two_rules_share_a_page():
    told = [rule for rule in rule_pages.every_rule() if rule.notes or rule.examples]
    assert len({rule_pages.path_of(rule).lower() for rule in told}) == len(told)


def test_a_page_without_a_section_would_be_seen():
    (rule,) = (rule for rule in rule_pages.every_rule() if rule.id == "warp/hardcoded-size")
    page = rule_pages.page(rule)
    assert "Lane and warp numbers computed with 32" in page.partition("## Why it matters on AMD")[2].partition("##")[0]
    assert page.partition("## What to do")[2].lstrip().startswith("Nothing to keep the results")
    assert "Porting guide" in page.partition("## Sources")[2]
    assert "ignore[warp/hardcoded-size]" in page


def test_links_between_rule_pages_lead_somewhere():
    for path, text in made().items():
        for link in re.findall(r"\]\((?!\w+:|SITE:)([^)#]+)\)", re.sub(r"`[^`]*`", "", text)):
            assert normpath(f"{dirname(path)}/{link}") in made(), (path, link)
        for link in re.findall(r"\]\(SITE:([^)#]+)\)", text):
            assert (ROOT / "docs" / link).exists(), (path, link)


def test_every_page_is_in_the_navigation():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"(?::|-) ([\w/-]+\.md)$", text, re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not page.startswith("decisions/")} <= listed


def masked(lines: list[str]) -> list[str]:
    """Lines without their numbers: days change with the model, and a picture is no table of them."""
    return [re.sub(r"\d[\d.,]*", "#", line) for line in lines]


def test_the_picture_of_a_scan_shows_what_is_printed():
    svg = (pictures.FOLDER / "scan.svg").read_text(encoding="utf-8")
    shown = [line for line in pictures.lines_of(svg)[2:] if line]  # the first two name the command, version and day
    printed = [" ".join(line.split()) for line in pictures.scanned().splitlines()[1:] if line.strip()]
    assert masked(shown) == masked(printed), "run: python -m docs.site.pictures"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.browser
def test_the_picture_of_a_report_shows_what_the_report_has():
    pytest.importorskip("playwright")
    if pictures.browser() is None:
        pytest.skip("no Chromium is installed")
    shown = (pictures.FOLDER / "report.txt").read_text(encoding="utf-8").splitlines()
    _, now, texts = pictures.report()
    assert len(shown) > 40 and masked(shown)[:20] == masked(now)[:20], "run: python -m docs.site.pictures"
    assert set(masked(shown)) <= set(masked(texts)), "run: python -m docs.site.pictures"  # fonts decide where it ends


def test_screenshots_without_a_browser_say_so_plainly(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(screens, "browser", lambda: None)
    assert screens.main([str(tmp_path / "out"), str(tmp_path / "report.html")]) == 2
    assert capsys.readouterr().err == f"{screens.NO_BROWSER}\n" and not (tmp_path / "out").exists()


@pytest.mark.browser
def test_screenshots_show_each_view_and_find_a_page_that_is_too_wide(tmp_path, monkeypatch, capsys):
    if screens.browser() is None:
        pytest.skip("no Chromium is installed")
    page = tmp_path / "report.html"
    page.write_text(html.render(reportsamples.full()), encoding="utf-8")
    assert screens.main([str(tmp_path / "out"), str(page)]) == 0
    names = {path.stem for path in (tmp_path / "out").iterdir()}
    views = (*screens.VIEWS, "file")
    assert names == {f"report-{w}-{s}-{v}" for w in screens.WIDTHS for s in screens.SCHEMES for v in views}
    page.write_text(page.read_text(encoding="utf-8").replace("<footer>", "<footer><pre>" + "x" * 900 + "</pre>"))
    capsys.readouterr()
    monkeypatch.setattr(screens, "SCHEMES", screens.SCHEMES[:1])  # colours do not make a page wider
    assert screens.main([str(tmp_path / "wide"), str(page)]) == 1
    assert "WIDER than its window of 390" in capsys.readouterr().out
