from __future__ import annotations

from dataclasses import replace

import pytest
import reportsamples
from reportsamples import report_of

from cudamigrate.model import Finding, Fix, Position, Span
from cudamigrate.model.estimate import Blocker
from cudamigrate.reporting.summary import WORST_FIRST, Tally, balance, manual_rules, tally


def made(outcome: str, safety: str | None = None) -> Finding:
    place, span = Position(1, 1), Span(0, 1)
    fix = Fix((), safety) if safety else None
    return Finding("warp/x", "a.cu", span, place, place, "", "", "manual", outcome, "token", "small", fix)


def test_tally_tells_who_settles_a_finding():
    kinds = (None, "safe", "safe", "unsafe", "suggestion")
    counted = tally(made("fine", kind) for kind in kinds)
    assert counted == Tally(automatic=2, review=1, manual=2, worst="fine")
    assert (counted.findings, counted.work, counted.left) == (5, 5, 3)


def test_what_is_fine_and_costs_nothing_counts_apart():
    nothing = [replace(made("fine", kind), effort="none") for kind in (None, "suggestion", "safe")]
    counted = tally([*nothing, replace(made("slower"), effort="none"), made("fine")])
    assert counted == Tally(automatic=1, manual=2, fine=2, worst="slower")
    assert (
        balance(counted) == "3 findings: 1 automatic, 0 to review (`--unsafe`), 2 manual; 2 more are fine as they are"
    )


@pytest.mark.parametrize("worse", range(len(WORST_FIRST)))
def test_worst_is_the_most_harmful_outcome(worse):
    assert tally(made(outcome) for outcome in reversed(WORST_FIRST[worse:])).worst == WORST_FIRST[worse]


@pytest.mark.parametrize(
    ("kinds", "order", "first"),
    [
        (("token", "token", "syntax"), ["warp/b", "warp/a"], "0.cu"),  # one is certain, two rest on a word
        (("token", "token", "token"), ["warp/a", "warp/b"], "0.cu"),  # then the more frequent
        (("token", "syntax", "resolved"), ["warp/a", "warp/b"], "1.cu"),
    ],
)
def test_what_is_certain_comes_before_what_rests_on_a_word(kinds, order, first):
    pairs = enumerate(zip(("warp/a", "warp/a", "warp/b"), kinds, strict=True))
    plain = made("wrong-result")
    found = [replace(plain, rule=rule, certainty=kind, path=f"{at}.cu") for at, (rule, kind) in pairs]
    harmless = replace(made("slower"), rule="warp/c", certainty="resolved")
    rules = manual_rules(report_of([harmless, *found]))
    assert [one.rule for one in rules] == [*order, "warp/c"]
    assert next(one.first.path for one in rules if one.rule == "warp/a") == first


@pytest.mark.parametrize(("rules", "order"), [(("warp/a",), ["warp/a", "warp/b"]), ((), ["warp/b", "warp/a"])])
def test_a_blocker_comes_first_of_what_is_as_harmful(rules, order):
    plain = made("compile-error")
    found = [replace(plain, rule="warp/a", certainty="token"), replace(plain, rule="warp/b", certainty="syntax")]
    worse = replace(made("wrong-result"), rule="warp/c")
    report = report_of([*found, worse])
    stop = Blocker("A library", rules, (), ())
    report = replace(report, estimate=replace(reportsamples.full().estimate, blockers=(stop,)))
    assert [one.rule for one in manual_rules(report)] == ["warp/c", *order]
