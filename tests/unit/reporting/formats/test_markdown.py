from __future__ import annotations

import re
from dataclasses import replace

import pytest
import reportsamples

from cudamigrate.reporting.formats import markdown


def test_days_come_first():
    lines = [line for line in markdown.render(reportsamples.full()).splitlines() if line]
    assert lines[0].startswith("## CUDA to AMD: solver")
    assert lines[1].startswith(
        "**Port it, except TensorRT engine. 18 engineer-days, 10 to 33; 10 more for the blocker.**"
    )


def test_every_part_of_an_estimate_is_there():
    shown = markdown.render(reportsamples.full())
    for title in ("Where the days come from", "What blocks", "Speed to expect", "Workload by workload", "Money"):
        assert f"### {title}\n" in shown
    for title in (
        "What needs review or manual work",
        "Components",
        "What to do",
        "Files",
        "Frameworks and packages",
        "Plan",
    ):
        assert f"### {title}\n" in shown
    assert "MIGraphX: 10 days (5 to 20); loses plug-ins of your own" in shown
    assert "| Cost of the move | 15,000 (9,000 to 30,000) USD |" in shown
    assert "| Months to break even | 0.5 at best, never at worst |" in shown
    assert "85 to 92 %" in shown and "not available" in shown
    assert "A newer target would help: ROCm 99.1 fixes 4 findings" in shown


def test_report_without_an_estimate_tells_the_work(finding, report):
    shown = markdown.render(report([finding(1), finding(2, None)]))
    assert "**2 findings: 1 automatic, 0 to review (`--unsafe`), 1 manual.**" in shown
    assert "Where the days come from" not in shown


@pytest.mark.parametrize("count", [0, 100, 20_000])
def test_a_comment_holds_it(count):
    shown = markdown.render(reportsamples.large(count))
    assert len(shown) < 65_536
    assert shown.endswith("\n")


def test_what_no_longer_fits_is_named():
    made = reportsamples.full()
    assert made.estimate is not None
    long = [replace(step, title="word " * 4_500) for step in made.estimate.plan]
    shown = markdown.render(replace(made, estimate=replace(made.estimate, plan=tuple(long))))
    assert len(shown) < 65_536
    assert "left out: Plan.*" in shown


def test_tables_keep_their_columns_whatever_the_repository_holds():
    width = 0
    for line in markdown.render(reportsamples.hostile()).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert width in (0, cells), line
        width = cells


@pytest.mark.parametrize("text", reportsamples.HOSTILE)
def test_prose_is_neither_markup_nor_a_mention(text):
    shown = markdown.prose(text)
    outside = re.sub(r"(`+).+?\1", "", shown)
    assert not re.search(r"<(?!!-- -->)", outside)
    assert not re.search(r"@\w|#\d|(?<!\\)[*\[]|javascript:\w", outside)
    assert "\n" not in shown


def test_code_marks_survive_and_nothing_ends_them():
    assert markdown.prose("use `a|b` now") == "use `a\\|b` now"
    assert markdown.code("a`b") == "``a`b``"
    assert markdown.code("`") == "`` ` ``"
    assert markdown.code("a\nb") == "`a b`"
    assert markdown.code("a\u202eb") == "`a\\u202eb`"
