from __future__ import annotations

import re

import reportsamples

from cudamigrate.reporting.formats import github

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def commands(shown: str) -> list[tuple[str, dict[str, str], str]]:
    """What a runner reads: a line that begins with a command, its properties and its message."""
    found = []
    for line in shown.splitlines():
        if match := COMMAND.fullmatch(line):
            pairs = (pair.partition("=") for pair in match[2].split(","))
            found.append((match[1], {key: decoded(value) for key, _, value in pairs}, decoded(match[3])))
    return found


def decoded(text: str) -> str:
    for code, char in (("%2C", ","), ("%3A", ":"), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_place_title_and_message_come_through(finding, report):
    one = finding(7, None, path="a,b:c%.cu", rule="warp/x", outcome="wrong-result", message="50 %\nof it: x, y")
    assert commands(github.render(report([one]))) == [
        (
            "error",
            {
                "file": "a,b:c%.cu",
                "line": "7",
                "endLine": "7",
                "col": "1",
                "endColumn": "10",
                "title": "warp/x (wrong-result)",
            },
            "50 %\nof it: x, y",
        )
    ]


def test_columns_are_left_out_where_lines_differ(finding, report):
    one = finding(1)
    longer = finding(1, end=type(one.end)(3, 2))
    assert "col" not in commands(github.render(report([longer])))[0][1]


def test_no_more_are_written_than_are_shown_and_worst_come_first(finding, report):
    findings = [finding(n, None, outcome="compile-error") for n in range(1, 40)]
    findings += [finding(n, None, rule="warp/x", outcome="wrong-result", path="z.cu") for n in range(1, 5)]
    findings += [finding(n, None, outcome="slower", path="s.cu") for n in range(1, 30)]
    shown = github.render(report(findings))
    levels = [level for level, _, _ in commands(shown)]
    assert levels == ["error"] * 10 + ["warning"] * 10
    assert [where["file"] for _, where, _ in commands(shown)][:5] == ["z.cu"] * 4 + ["src/a.cu"]
    assert "52 more findings are not annotated" in shown.splitlines()[-1]


def test_nothing_of_the_repository_starts_a_command_of_its_own():
    made = reportsamples.hostile()
    lines = github.render(made).split("\n")
    assert lines[-1] == ""
    assert [line for line in lines[:-2] if not COMMAND.fullmatch(line)] == []
    assert not lines[-2].startswith("::")
