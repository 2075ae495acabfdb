"""Days of the rows of a table -> texts that add up to their total as it is printed.

Each row rounded by itself adds up to something else: 0.3, 0.3 and 0.3 beside a total of 1. Readers add.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cudamigrate.model import Finding, Report
from cudamigrate.reporting.summary import days

_WHOLE = 10
"""Days from which on a total is printed without tenths; rows with tenths add up to it as well as they can then."""


def adding_up(rows: Sequence[float], total: float) -> list[str]:
    """Days of each row as text. Their sum is the printed total where that has tenths; a row is off by less than 0.1."""
    tenths = [math.floor(10 * row + 1e-9) for row in rows]
    missing = round(10 * total) - sum(tenths)
    if abs(total) >= _WHOLE or not 0 <= missing <= len(rows):
        return [days(row) for row in rows]
    largest = sorted(range(len(rows)), key=lambda at: (tenths[at] - 10 * rows[at], at))
    for at in largest[:missing]:
        tenths[at] += 1
    return [days(tenth / 10) for tenth in tenths]


def remaining(shown: Sequence[float], rest: float, total: float) -> str:
    """Days of all rows that are not shown, such that they and the shown ones add up to the printed total."""
    left = round(total, 1) - sum(round(row, 1) for row in shown)
    off = 0.05 * (len(shown) + 2)
    return days(left if abs(total) < _WHOLE and left >= 0 and abs(left - rest) <= off else rest)


def of_rule(rule: str, found: Sequence[Finding], by_rule: Mapping[str, float], report: Report) -> str:
    """The days of a rule in the total; of findings that are not in it, why they are not."""
    if rule in by_rule or report.estimate is None:
        return days(by_rule.get(rule, 0.0))
    if any(rule in stop.rules for stop in report.estimate.blockers):
        return "blocker"
    left = any(one.is_work for one in found)
    return "optional" if left and report.estimate.optional else "0"
