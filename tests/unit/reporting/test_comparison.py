from __future__ import annotations

import json
from dataclasses import replace

import pytest
import reportsamples

from cudamigrate.model import Position, Report
from cudamigrate.model.estimate import Days
from cudamigrate.reporting import comparison


def pair() -> tuple[Report, Report]:
    """A report, and one without its first finding, with a new one, and with one that takes longer than before."""
    old = reportsamples.full()
    _, second, *rest = old.findings
    harder = replace(second, effort="trivial", message="harder")
    new = replace(old, findings=(harder, *rest, reportsamples.finding(2, "src/new.cu", 9)))
    return old, new


def test_findings_are_gone_new_or_judged_otherwise():
    old, new = pair()
    found = comparison.compare(old, new)
    assert [finding.fingerprint for finding in found.gone] == [old.findings[0].fingerprint]
    assert [finding.path for finding in found.added] == ["src/new.cu"]
    assert [change.what for change in found.changed] == [
        (("effort", old.findings[1].effort, "trivial"), ("message", old.findings[1].message, "harder"))
    ]
    assert found.kept == len(old.findings) - 2


def test_trend_says_since_when_and_what():
    old, new = pair()
    said = comparison.trend(comparison.compare(replace(old, date="2026-01-02"), new))
    assert said == "Since 2026-01-02: 1 finding gone, 1 new; 18 -> 18 engineer-days."
    assert "Since 0123456789: " in comparison.trend(comparison.compare(old, new))


def test_a_report_differs_from_itself_in_nothing():
    made = reportsamples.full()
    found = comparison.compare(made, made)
    assert (found.gone, found.added, found.changed, found.kept) == ((), (), (), len(made.findings))
    assert found.saved == Days(0, 0, 0)


def test_lines_that_moved_are_no_difference():
    old = reportsamples.full()
    moved = [replace(f, position=Position(f.position.line + 50, 3)) for f in old.findings]
    assert comparison.compare(old, replace(old, findings=tuple(moved))).kept == len(old.findings)


def test_equal_fingerprints_are_matched_one_by_one():
    one = reportsamples.finding(1, "a.cu", 3)
    old = replace(reportsamples.report_of([one]), findings=(one, one))
    new = replace(old, findings=(one,))
    found = comparison.compare(old, new)
    assert (len(found.gone), len(found.added), found.kept) == (1, 0, 1)


def test_days_saved_are_reported_with_the_rules_that_save_them():
    old = reportsamples.full()
    assert old.estimate is not None
    items = tuple(item for item in old.estimate.items if item.rule != "ptx/tensor-core")
    estimate = replace(old.estimate, items=items, days=Days(6, 11.5, 22))
    found = comparison.compare(old, replace(old, estimate=estimate))
    assert found.saved is not None and found.saved.p50 == pytest.approx(6)
    assert found.rules == (("ptx/tensor-core", 6.0),)
    assert "estimate: 18 days (10 to 33) -> 12 days (6 to 22): 6 saved" in comparison.render_text(found)
    back = comparison.compare(replace(old, estimate=estimate), old)
    assert ": 6 more" in comparison.render_text(back)


def test_reports_without_estimates_compare_no_days():
    old, new = (replace(made, estimate=None) for made in pair())
    assert comparison.compare(old, new).saved is None
    assert "estimate" not in comparison.render_text(comparison.compare(old, new))
    assert "one of the two reports has none" in comparison.render_text(comparison.compare(pair()[0], new))


def test_what_a_newer_release_would_save_is_reported():
    old = reportsamples.full()
    assert old.estimate is not None
    items = tuple(replace(item, rule="api/cudaMallocAsync") for item in old.estimate.items[:1])
    made = replace(old, estimate=replace(old.estimate, items=items))
    found = comparison.compare(made, made)
    assert found.later == (("99.1", 4, 6.0),)
    assert "ROCm 99.1 would fix 4 of those that are left, about 6 days" in comparison.render_text(found)


def test_another_target_is_named():
    old, new = pair()
    aimed = replace(new, target=replace(new.target, rocm="99.1"))
    shown = comparison.render_text(comparison.compare(old, aimed))
    assert "for ROCm 10.1 on gfx90a gfx942 -> " in shown
    assert "for ROCm 99.1 on gfx90a gfx942" in shown


def test_reports_of_two_repositories_are_distinguished():
    old, new = pair()
    other = replace(new, repository=replace(new.repository, name="other"))
    assert comparison.render_text(comparison.compare(old, other)).startswith("solver and other, two repositories: ")
    assert comparison.render_text(comparison.compare(old, new)).startswith("solver: ")


@pytest.mark.parametrize("name", sorted(comparison.RENDERERS))
def test_every_rendering_takes_any_reports(name):
    reports = [reportsamples.full(), reportsamples.hostile(), reportsamples.report_of([]), reportsamples.large(100)]
    for old in reports:
        for new in reports:
            shown = comparison.RENDERERS[name](comparison.compare(old, new))
            assert shown.endswith("\n")
            shown.encode("utf-8")
            assert shown == comparison.RENDERERS[name](comparison.compare(old, new))


def test_json_has_every_finding_and_text_counts_the_rest():
    found = comparison.compare(reportsamples.report_of([]), reportsamples.large(100))
    document = json.loads(comparison.render_json(found))
    assert document["schema"] == "cudamigrate-diff/1"
    assert document["summary"] == {"gone": 0, "new": 100, "changed": 0, "kept": 0, "silenced": 0}
    assert len(document["added"]) == 100
    assert "... and 80 more" in comparison.render_text(found)
    assert "... and 80 more" in comparison.render_markdown(found)


def test_control_characters_do_not_reach_the_terminal():
    shown = comparison.render_text(comparison.compare(reportsamples.report_of([]), reportsamples.hostile()))
    assert "\x1b" not in shown and "\u202e" not in shown
