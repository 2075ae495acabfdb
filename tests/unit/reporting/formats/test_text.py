from __future__ import annotations

import re
from dataclasses import replace

import pytest
import reportsamples
from rich.cells import cell_len
from work import STEPS, calls

from cudamigrate import model
from cudamigrate.model import Repository, Skip
from cudamigrate.reporting.first_screen import AREAS
from cudamigrate.reporting.formats import text


def widest(shown: str) -> int:
    return max(cell_len(line) for line in shown.splitlines())


def test_title_names_repository_commit_and_target(finding, report):
    first = text.render(report([finding()]), width=120).splitlines()[0]
    assert first == "cudamigrate 0.1.0  solver at 0123456789 on main  ->  ROCm 10.1, gfx90a gfx942"


def test_totals_tell_automatic_from_hand_work(finding, report):
    findings = [finding(1), finding(2), finding(3, "unsafe"), finding(4, None)]
    shown = text.render(report(findings), width=120)
    assert "4 findings: 2 automatic, 1 to review (--unsafe), 1 manual" in shown


def test_nearly_all_is_not_shown_as_all(finding, report):
    findings = [finding(line) for line in range(1, 1000)] + [finding(1000, None)]
    shown = text.render(report(findings), width=120)
    assert "999 automatic, 0 to review (--unsafe), 1 manual" in shown
    assert re.search(r"API calls +99 % ", shown)


def test_wrong_result_is_before_compile_error(finding, report):
    findings = [finding(1, None), finding(2, None, rule="warp/hardcoded-size", outcome="wrong-result")]
    shown = text.render(report(findings), width=120)
    assert shown.index("warp/hardcoded-size") < shown.index("api/cudaMalloc")


def test_what_is_fine_is_counted_and_not_listed(finding, report):
    findings = [finding(1, None), finding(2, None, rule="warp/fine", outcome="fine", effort="none")]
    shown = text.render(report(findings), width=120)
    assert "1 finding: 0 automatic, 0 to review (--unsafe), 1 manual; 1 more is fine as it is" in shown
    assert "warp/fine" not in shown


@pytest.mark.parametrize(("commit", "command"), [("0" * 40, "apply /r\n"), ("", "apply /r --output /r-hip\n")])
def test_next_is_a_command_that_works_there(finding, report, commit, command):
    shown = text.render(report([finding()], repository=Repository("/r", "solver", commit)), width=60)
    assert f"cudamigrate {command}" in shown


def test_rule_that_needs_a_hand_has_count_message_and_first_place(finding, report):
    findings = [finding(line, None, rule="warp/x", message="Assumes 32 lanes.") for line in (7, 9)]
    shown = text.render(report(findings), width=120)
    assert "2  warp/x  first at src/a.cu:7" in shown
    assert "Assumes 32 lanes." in shown


def test_automatic_findings_are_not_among_what_needs_a_hand(finding, report):
    assert "What needs review or manual work" not in text.render(report([finding()]), width=120)


def test_left_out_parts_are_named(finding, report):
    skips = [Skip("a.cu", "binary", "holds NUL bytes"), Skip("b.cu", "binary", "holds NUL bytes")]
    shown = text.render(report([finding()], skips, {"third_party": 1200, "ext": 1}, ["libs/sub"]), width=140)
    assert "2 files skipped: 2 binary" in shown
    assert "1,201 files in vendored folders skipped: third_party/ 1,200, ext/ 1 (--vendored enters them)" in shown
    assert "1 submodule not entered: libs/sub (--submodules enters them)" in shown
    assert shown.index("folders skipped") < shown.index("Nothing was compiled")


def test_submodules_that_cuda_code_includes_are_not_counted_and_named_first(finding, report):
    needed = replace(report([finding()], (), {}, ["libs/sub", "libs/net"]), needed_submodules={"libs/net": 3})
    shown = text.render(needed, width=140)
    assert "Not counted: submodules that CUDA code includes, libs/net" in shown
    assert shown.index("Not counted") < shown.index("2 submodules not entered")


def test_only_the_first_files_are_listed_and_the_rest_summed(finding, report):
    findings = [finding(1, None, path=f"src/{number:02}.cu") for number in range(20)]
    shown = text.render(report(findings), width=120)
    listed = shown.count("src/0") + shown.count("src/1") - 1  # one is the place of the first finding
    assert 5 <= listed <= 15
    assert f"{20 - listed} more files" in shown


def test_markup_in_names_is_shown_as_it_is(finding, report):
    name = "[red]x[/red].cu"
    findings = [finding(1, None, path=name, message="a [bold]b[/bold] [/]"), finding(2, None, path="y[/].cu")]
    shown = text.render(report(findings, vendored={"[link=x]": 1}), width=120, color=True)
    assert "[red]x[/red].cu" in shown
    assert "a [bold]b[/bold] [/]" in shown
    assert "[link=x]/" in shown


@pytest.mark.parametrize("name", ["a\x1b[31m.cu", "a\nb.cu", "a\rb.cu", "a\u2028b.cu", "a\u202eb.cu", "a\udcff.cu"])
def test_control_characters_are_spelled_out(finding, report, name):
    findings = [finding(1, None, path="b.cu"), finding(1, None, path="a.cu", message=name)]
    where = Repository(name, name, "", name)
    shown = text.render(report(findings, [Skip(name, name, "x")], {name: 1}, [name], where), width=200)
    shown.encode("utf-8")
    assert name not in shown
    assert "\x1b" not in shown
    assert name.encode("unicode_escape").decode() in shown


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_no_line_but_a_command_is_wider_than_asked(finding, report, width):
    deep = "a/very/deep/folder/for/a/file/that/has/a/rather/long/path/and/名前/kernel.cu"
    findings = [finding(line, None, path=f"{deep}{line % 30}", rule="library/" + "x" * 50) for line in range(1, 3000)]
    shown = text.render(report(findings, vendored={"third_party/" + "y" * 70: 5}), width=width)
    assert widest(shown[: shown.index("\nNext:")]) <= width


def test_commands_are_whole_and_quoted_on_a_narrow_terminal(finding, report):
    root = "/a/long/path/to/" + "my repo" * 10
    shown = text.render(report([finding()], repository=Repository(root, "my repo")), width=60)
    assert f"cudamigrate apply '{root}' --diff\n" in shown


def test_report_without_files_says_so(report):
    shown = text.render(report(), width=80)
    assert "0 files read" in shown
    assert "Nothing was found that needs to change." in shown
    assert "apply" not in shown


def test_report_of_skipped_files_only(report):
    shown = text.render(report(skipped=[Skip("a.cu", "too-large", "3,000,000 bytes")]), width=80)
    assert "1 file skipped: 1 too-large" in shown


def test_text_is_plain_unless_color_is_asked_for(finding, report, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    findings = [finding(1, None)]
    assert "\x1b" not in text.render(report(findings), width=80)
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" in text.render(report(findings), width=80, color=True)


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize(
    "make",
    [
        reportsamples.full,
        reportsamples.hostile,
        lambda: reportsamples.large(10_000),
        lambda: replace(reportsamples.large(10_000), estimate=None),
        lambda: reportsamples.report_of([]),
    ],
)
def test_any_repository_fits_one_screen_and_ends_with_what_to_run(make, width):
    lines = text.render(make(), width=width).splitlines()
    assert len(lines) <= 40
    assert re.match(r"(Next: |      )cudamigrate \w+", lines[-1])


def test_every_group_fits_one_screen(finding, report):
    findings = [
        finding(n, None, rule=f"{group}/{n}", path=f"src/{n}.cu", message="long " * 60)
        for group in model.GROUPS
        for n in range(1, 30)
    ]
    lines = text.render(report(findings), width=80).splitlines()
    assert len(lines) <= 40
    for title in AREAS.values():
        assert any(line.startswith(title) for line in lines)
    assert any("more rules" in line for line in lines)


def test_estimate_is_reported_with_its_parts_and_blockers():
    shown = text.render(reportsamples.full(), width=120)
    assert "Port it, except TensorRT engine. 18 engineer-days, 10 to 33; 10 more for the blocker." in shown
    assert re.search(r"1\. Replace TensorRT engine: MIGraphX \(3 places\) +10 days \(5 to 20\) +\*", shown)
    assert re.search(r"2\. Rewrite inline PTX \(4 places in 1 file\) +6 days \(3 to 14\)", shown)


def test_work_grows_with_the_findings_and_no_faster(finding, report):
    small, large = (
        report([finding(line, None if line % 3 else "safe", path=f"f{line % 100}.cu") for line in range(count)])
        for count in (1_000, 4_000)
    )
    assert calls(lambda: text.render(large, width=100)) < STEPS * calls(lambda: text.render(small, width=100))


def test_what_comes_next_outside_of_git_needs_no_git(report):
    bare = report([])
    known = replace(bare, repository=replace(bare.repository, commit="0" * 40))
    assert "Next: cudamigrate check" in text.render(known)
    outside = text.render(replace(bare, repository=replace(bare.repository, commit="")))
    assert "--format html --output report.html" in outside and "cudamigrate check" not in outside
