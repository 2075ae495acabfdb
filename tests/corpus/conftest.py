"""The tables that the corpus tests gather, printed at the end of the run."""

from __future__ import annotations

import pytest

ROWS: list[tuple[str, ...]] = []
NOTES: list[str] = []
HEAD = (
    "project",
    "files",
    "CUDA",
    "lines",
    "findings",
    "automatic",
    "edited",
    "unknown",
    "judged",
    "plain",
    "sound",
    "unresolved",
    "failed",
)


@pytest.fixture
def table() -> list[tuple[str, ...]]:
    """Rows for the closing table."""
    return ROWS


@pytest.fixture
def notes() -> list[str]:
    """Lines below the closing table."""
    return NOTES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured."""
    if not ROWS:
        return
    terminalreporter.section("corpus")
    widths = [max(len(row[at]) for row in [HEAD, *ROWS]) for at in range(len(HEAD))]
    for row in [HEAD, *sorted(ROWS)]:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
    for note in sorted(NOTES):
        terminalreporter.write_line(note)
