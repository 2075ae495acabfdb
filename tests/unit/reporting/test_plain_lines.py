"""Plain texts are broken where rich breaks them, and what is not plain is left to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from cudamigrate.reporting.formats import text
from cudamigrate.reporting.plain_lines import Line, broken

WORDS = st.text("ab -", max_size=30) | st.sampled_from(["a\n\nb", "\n", " a", "a" * 50, f"b {'a' * 50} c", "  "])
LINES = st.builds(
    lambda parts, indent: [parts, indent], st.lists(WORDS, min_size=1, max_size=6), st.sampled_from([0, 2])
)


def made(parts: list[str], indent: int) -> Line:
    line = Line(parts[0], "bold", indent)
    for part in parts[1:]:
        line.append(part, "not bold")
    return line


@given(st.lists(LINES, min_size=1, max_size=3), st.integers(8, 40), st.booleans())
def test_they_are_broken_where_rich_breaks_them(given_: list[tuple[list[str], int]], columns: int, wrap: bool) -> None:
    lines = [made(*one) for one in given_]
    drawn = [line.rstrip() for line in text._drawn(lines, columns, color=False, wrap=wrap)]
    assert [line.rstrip() for line in text._lines(lines, columns, color=False, wrap=wrap)] == drawn


@pytest.mark.parametrize("part", [Line("ü"), Line("a\tb"), Line("a\x1b[0m"), Text("a"), "a"])
def test_what_is_not_plain_is_left_to_rich(part: object) -> None:
    assert broken([Line("a"), part], 40, wrap=True) is None


def test_styles_are_those_of_the_text() -> None:
    assert made(["a", "b"], 0).styled() == Text("a", style="bold").append("b", style="not bold")


def test_a_report_without_findings_does_without_rich(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "cudamigrate", "scan", str(tmp_path)]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True)
    assert " rich" not in done.stderr and "cudamigrate" in done.stdout
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True)
    assert "rich.table" in done.stderr
