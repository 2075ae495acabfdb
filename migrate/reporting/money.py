"""Business -> rows of words: what hours and prices that were given make of the move."""

from __future__ import annotations

from cudamigrate.model.estimate import Business
from cudamigrate.reporting.summary import days

YEARS = 3
"""Years that the costs of staying and of moving are compared over."""


def rows(business: Business) -> list[tuple[str, str]]:
    """What is said of money: each amount with its unit. Ranges begin with the lowest speed expected."""
    unit, cost = business.currency, business.cost
    worst, best = ("never" if value is None else days(value) for value in business.months)
    stay = 12 * YEARS * business.gpu_hours * business.price_from
    moved = [stay - 12 * YEARS * saved + cost.p50 for saved in business.savings]
    found = [
        ("GPU hours a month", f"{round(business.gpu_hours):,}"),
        ("Price of a GPU hour now", f"{business.price_from + 0.0:,.2f} {unit}"),
        ("Price of a GPU hour then", f"{business.price_to + 0.0:,.2f} {unit}"),
        ("Cost of a month now", f"{round(business.gpu_hours * business.price_from):,} {unit}"),
        ("Rate of an engineer's day", f"{round(business.day_rate):,} {unit}"),
        ("Cost of the move", f"{round(cost.p50):,} ({round(cost.p10):,} to {round(cost.p90):,}) {unit}"),
        ("Savings a month", f"{round(business.savings[0]):,} to {round(business.savings[1]):,} {unit}"),
        ("Months to break even", worst if worst == best else f"{best} at best, {worst} at worst"),
        (
            f"Cost of {YEARS} years",
            f"{round(stay):,} {unit} to stay, {round(moved[0]):,} to {round(moved[1]):,} to move",
        ),
    ]
    ratios = _ratios(business)
    if ratios is not None:
        low, high = (f"{100 * ratio:.0f}" for ratio in ratios)
        found.append(("Break-even price", f"{low} to {high} % of the price now; then it is {_price(business)} %"))
    return found


def _ratios(business: Business) -> tuple[float, float] | None:
    """What an hour then may cost, as a part of its price now, at the lowest and at the highest speed expected.

    Work done in one hour now takes one hour by the speed then, so that the ratio is the speed, which the savings tell.
    """
    hours = business.gpu_hours
    if not hours or not business.price_from:
        return None
    paid = [business.price_from - saved / hours for saved in business.savings]
    if min(paid) <= 0:
        return None
    return business.price_to / paid[0], business.price_to / paid[1]


def _price(business: Business) -> str:
    return f"{100 * business.price_to / business.price_from:.0f}"
