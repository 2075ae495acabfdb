"""What corpus tests measure: tables and lines at the end of the run, whichever process measured them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import pytest

HEADS: dict[str, tuple[str, ...]] = {
    "corpus": (
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
    ),
    "parts": ("project", "python", "triton", "build", "packages", "environment", "automatic", "all"),
}
"""The tables, each with what is in its columns."""


@pytest.fixture
def row(request: pytest.FixtureRequest) -> Callable[[str, Iterable[str]], None]:
    """Adds a row to one of the tables."""
    return lambda table, cells: request.node.user_properties.append((table, list(cells)))


@pytest.fixture
def notes(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Lines below the tables."""
    lines: list[str] = []
    yield lines
    request.node.user_properties.extend(("note", line) for line in lines)


@pytest.fixture
def say(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Callable[[Iterable[str]], None]:
    """Prints lines at once; those of another process at the end."""

    def printed(lines: Iterable[str]) -> None:
        if hasattr(request.config, "workerinput"):
            request.node.user_properties.append(("said", list(lines)))
            return
        with capsys.disabled():
            print("", *lines, sep="\n")

    return printed


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured."""
    measured = _measured(terminalreporter)
    for lines in measured["said"]:
        for line in ["", *lines]:
            terminalreporter.write_line(line)
    for table, head in HEADS.items():
        if measured[table]:
            terminalreporter.section(table)
            _write(terminalreporter, [[*head], *sorted(measured[table])])
    for note in sorted(map(str, measured["note"])):
        terminalreporter.write_line(note)


def _measured(terminalreporter: pytest.TerminalReporter) -> defaultdict[str, list[list[str]]]:
    """What the tests left, by its kind: the last report of a test holds all of it."""
    measured: defaultdict[str, list[list[str]]] = defaultdict(list)
    for report in (one for reports in terminalreporter.stats.values() for one in reports):
        for kind, value in report.user_properties if getattr(report, "when", "") == "teardown" else ():
            measured[kind].append(value)
    return measured


def _write(terminalreporter: pytest.TerminalReporter, rows: list[list[str]]) -> None:
    widths = [max(len(cells[at]) for cells in rows) for at in range(len(rows[0]))]
    for cells in rows:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)))
