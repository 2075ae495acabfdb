"""The estimate against ports whose effort is known: error, bands, spread, and how weak the evidence is.

Needs no download. `-s` prints the table that docs/effort.md holds, and a test keeps the two alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from cudamigrate.estimate.tables import table
from tests.corpus import backtest
from tests.corpus.backtest import Port, Row

DOCS = Path(__file__).parents[2] / "docs" / "effort.md"
BOOK = table("effort")
BANDS = {"plain": (1, 5), "gaps": (4, 25), "application": (40, 50), "rewrite": (17, 147)}
"""Active days that the ports of each kind took, from the least to the most."""


@cache
def rows() -> tuple[Row, ...]:
    return tuple(backtest.rows(BOOK))


def spread(errors: Iterable[float]) -> float:
    """Root mean square of logarithms, as a factor."""
    found = list(errors)
    return math.exp(math.sqrt(sum(error * error for error in found) / len(found)))


def others(same: Callable[[Port], object], ports: Sequence[Port] | None = None) -> list[float]:
    """Errors of a guess that is the geometric mean of all other ports which are the same in some way."""
    errors = []
    every = ports if ports is not None else backtest.fitted()
    for port in every:
        known = [math.log(p.days) for p in every if p.name != port.name and same(p) == same(port)]
        errors.append(sum(known) / len(known) - math.log(port.days))
    return errors


def test_rivals_do_not_see_the_port_that_they_guess() -> None:
    every = backtest.fitted()
    before = others(lambda port: port.kind)
    for at, port in enumerate(every):
        changed = [*every[:at], replace(port, days=100 * port.days), *every[at + 1 :]]
        after = others(lambda port: port.kind, changed)
        assert after[at] == pytest.approx(before[at] - math.log(100)), port.name


def lines() -> list[str]:
    """The table, as Markdown."""
    head = "| port | kind | days | predicted | left out | factor | inside |"
    out = [head, "|---|---|--:|---|--:|--:|---|"]
    for row in rows():
        days, port = row.days, row.port
        inside = "yes" if row.without.p10 <= port.days <= row.without.p90 else "no"
        range_ = f"{days.p10:.1f} / {days.p50:.1f} / {days.p90:.1f}"
        factor = math.exp(row.error)
        cells = (port.name, port.kind, str(port.days), range_, f"{row.without.p50:.1f}", f"{factor:.2f}", inside)
        out.append(f"| {' | '.join(cells)} |")
    return out


def test_the_table_in_the_documentation_is_what_comes_out() -> None:
    print("\n".join(["", *lines()]))
    text = DOCS.read_text(encoding="utf-8")
    assert "\n".join(lines()) in text, "run this test with -s and put the table into docs/effort.md"


def test_data_holds_together() -> None:
    known = backtest.ports()
    assert len({port.name for port in known}) == len(known) >= 25
    assert {port.kind for port in known} == set(BANDS)
    assert {port.use for port in known} == {"first", "second", "again", "squashed"}
    for port in known:
        assert port.files > 0 and port.lines > 0 and port.source
        assert (port.days == 0) == (port.use == "squashed"), port.name


def test_observed_bands_are_what_the_data_says() -> None:
    for kind, band in BANDS.items():
        days = [port.days for port in backtest.ports() if port.kind == kind and port.days]
        assert (min(days), max(days)) == band or (band[0] <= min(days) and max(days) <= band[1])


@pytest.mark.parametrize("kind", BANDS)
def test_prediction_lies_in_the_band_of_its_kind(kind: str) -> None:
    low, high = BANDS[kind]
    predicted = [row.days.p50 for row in rows() if row.port.kind == kind]
    assert all(low <= days <= high for days in predicted), predicted


def test_median_without_rewrites_is_that_of_the_ports() -> None:
    mine = [row for row in rows() if row.port.kind != "rewrite"]
    observed = median(row.port.days for row in mine)
    assert observed == 9.5
    assert abs(median(row.days.p50 for row in mine) / observed - 1) < 0.15


def test_days_of_the_kinds_are_those_of_the_fit() -> None:
    for kind, days in backtest.fit(backtest.fitted(), BOOK).items():
        assert BOOK.cost("integration", kind).likely == pytest.approx(days, rel=0.05)


def test_error_left_out_is_as_documented() -> None:
    model = spread(row.error for row in rows())
    one = spread(others(lambda port: 0))
    kind = spread(others(lambda port: port.kind))
    print(f"\nleave-one-out, as a factor: model {model:.2f}, kind alone {kind:.2f}, one number {one:.2f}")
    text = DOCS.read_text(encoding="utf-8")
    assert all(f"{number:.2f}" in text for number in (model, kind, one))
    assert model < one, "the model must beat one number for all"
    assert model < 2.3


def test_prediction_is_unbiased() -> None:
    errors = [math.log(row.days.p50 / row.port.days) for row in rows() if row.port.kind != "rewrite"]
    assert abs(sum(errors) / len(errors)) < 0.2


def test_spread_holds_about_eight_of_ten() -> None:
    inside = sum(row.without.p10 <= row.port.days <= row.without.p90 for row in rows())
    assert 0.7 <= inside / len(rows()) <= 0.95


def test_size_and_hazards_say_little_and_the_kind_says_most() -> None:
    known = [port for port in backtest.fitted() if port.kind != "rewrite"]
    days = [port.days for port in known]
    kinds = {"plain": 0, "gaps": 1, "application": 2}
    hazards = [sum(count for key, count in port.hazards.items() if key not in ("names", "gates")) for port in known]
    found = {
        "lines": backtest.rank_correlation([port.lines for port in known], days),
        "hazards": backtest.rank_correlation(hazards, days),
        "kind": backtest.rank_correlation([kinds[port.kind] for port in known], days),
    }
    print("\nrank correlation with days:", {key: round(value, 2) for key, value in found.items()})
    assert abs(found["lines"]) < 0.45 and abs(found["hazards"]) < 0.3
    assert found["kind"] > found["lines"] + 0.2
    text = DOCS.read_text(encoding="utf-8")
    for value in found.values():
        assert re.search(rf"\b{value:.2f}\b", text), value


def test_rank_correlation_is_spearmans() -> None:
    assert backtest.rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert backtest.rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert backtest.rank_correlation([1, 2, 2, 4], [1, 3, 2, 4]) == pytest.approx(0.9487, abs=1e-4)


def test_other_laws_do_not_do_better() -> None:
    """The two exponents were chosen among nine pairs by the error of the ports left out."""
    chosen = spread(row.error for row in rows())
    for repeats in (0.2, 0.35, 0.5):
        for files in (0.5, 0.75, 1.0):
            law = {**BOOK.entries["law"], "repeats": {"value": repeats}, "files": {"value": files}}
            other = type(BOOK)(BOOK.name, {**BOOK.entries, "law": law}, BOOK.sources)
            assert spread(row.error for row in backtest.rows(other)) >= chosen - 0.02, (repeats, files)
