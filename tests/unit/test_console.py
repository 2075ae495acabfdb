from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
import reportsamples
import typer

from migrate import console


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_html_is_not_printed_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", Terminal())
    with pytest.raises(typer.Exit):
        console.renderer("html", None)
    assert "add --output report.html" in capsys.readouterr().err
    assert callable(console.renderer("html", Path("report.html")))


def test_text_is_colored_on_a_terminal_only(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Terminal())
    made = reportsamples.full()
    assert "\x1b" in console.renderer("text", None)(made)
    assert "\x1b" not in console.renderer("text", Path("report.txt"))(made)


def test_only_the_format_asked_for_is_imported():
    script = (
        "import sys; from migrate import console; console.renderer('csv', None)\n"
        "print(sorted(name for name in sys.modules if name.startswith('migrate.reports.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['migrate.reports.csv']"
