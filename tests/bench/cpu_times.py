"""The tests that cost most, by CPU seconds of their own process and of the programs that they start.

    python -m pytest -p tests.bench.cpu_times tests/unit/ptx

Unlike `--durations`, the figures hold on a busy machine. One process alone: with `--numprocesses` each worker counts
by itself. `CUDAMIGRATE_CPU_TIMES` is how many tests are listed, 20 where it is not set.
"""

from __future__ import annotations

import os
import resource
from collections import Counter

import pytest

_SPENT: Counter[str] = Counter()


def _seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Count what the test spends, its fixtures included."""
    before = _seconds()
    yield
    _SPENT[item.nodeid] += _seconds() - before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the list."""
    terminalreporter.section("CPU seconds")
    for name, seconds in _SPENT.most_common(int(os.environ.get("CUDAMIGRATE_CPU_TIMES", "20"))):
        terminalreporter.write_line(f"{seconds:8.2f} {name}")
    terminalreporter.write_line(f"{_SPENT.total():8.2f} all {len(_SPENT)} tests; {_seconds():.2f} with start and end")
