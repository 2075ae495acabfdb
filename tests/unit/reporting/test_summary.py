from __future__ import annotations

import pytest

from cudamigrate.model import Finding, Fix, Position, Span
from cudamigrate.reporting.summary import WORST_FIRST, Tally, tally


def made(outcome: str, safety: str | None = None) -> Finding:
    place, span = Position(1, 1), Span(0, 1)
    fix = Fix((), safety) if safety else None
    return Finding("warp/x", "a.cu", span, place, place, "", "", "manual", outcome, "token", "small", fix)


def test_tally_tells_who_settles_a_finding():
    kinds = (None, "safe", "safe", "unsafe", "suggestion")
    counted = tally(made("fine", kind) for kind in kinds)
    assert counted == Tally(findings=5, automatic=2, unsafe=1, worst="fine")
    assert counted.manual == 3


@pytest.mark.parametrize("worse", range(len(WORST_FIRST)))
def test_worst_is_the_most_harmful_outcome(worse):
    assert tally(made(outcome) for outcome in reversed(WORST_FIRST[worse:])).worst == WORST_FIRST[worse]


@pytest.mark.parametrize(("automatic", "findings", "percent"), [(0, 0, 100), (0, 9, 0), (999, 1000, 99), (5, 5, 100)])
def test_percent_is_rounded_down(automatic, findings, percent):
    assert Tally(findings, automatic).percent == percent
