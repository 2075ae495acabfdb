"""Business -> rows of words: what hours and prices that were given make of the move."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cudamigrate.model.estimate import WORKLOADS, Business, Performance, PricePair, by_card
from cudamigrate.reporting.summary import days
from cudamigrate.wording import series

YEARS = 3
"""Years that the costs of staying and of moving are compared over."""


def rows(business: Business, speeds: Sequence[Performance] = ()) -> list[tuple[str, str]]:
    """What is said of money: each amount with its unit. Ranges begin with the lowest speed expected.

    `speeds` are those of the workloads: savings hold for hours spent on those whose speed is known. What several cards
    with a price differ in is in `columns`.
    """
    unit, cost = business.currency, business.cost
    found = [
        ("GPUs", _gpus(business)),
        ("GPU hours a month", f"{round(business.gpu_hours):,}{' of each' if _several_peers(business) else ''}"),
        ("Rate of an engineer's day", f"{round(business.day_rate):,} {unit}"),
        ("Support a month", f"{round(business.support):,} {unit}" if business.support else ""),
        ("Cost of the move", f"{round(cost.p50):,} ({round(cost.p10):,} to {round(cost.p90):,}) {unit}"),
        *([] if business.others else _of_card(business, speeds)),
        *_memory(business),
        *_others(business),
    ]
    return [row for row in found if row[1]]


def columns(business: Business, speeds: Sequence[Performance] = ()) -> tuple[list[str], list[tuple[str, ...]]]:
    """What the cards with a price differ in, where there are several: heads with a column for each, and the rows."""
    if not business.others:
        return [], []
    each = by_card(business)
    said = [dict(_of_card(one, speeds)) for one in each]
    names = dict.fromkeys(name for rows_ in said for name in rows_)
    return ["", *map(_pair_of, each)], [(name, *(rows_.get(name, "no data") for rows_ in said)) for name in names]


def _of_card(business: Business, speeds: Sequence[Performance]) -> list[tuple[str, str]]:
    """What the prices of the first card make of the move."""
    unit = business.currency
    now, then = _hourly(business)
    return [
        ("Cost of a GPU hour now", _hour(business.price_from, business.power[0], unit)),
        ("Cost of a GPU hour then", _hour(business.price_to, business.power[1], unit)),
        ("Cost of a month now", f"{round(business.gpu_hours * now):,} {unit}"),
        *_gains(business, now, _reserve(business, speeds)),
        *_break_even(business, now, then),
        *_tokens(business, now, then),
        *_memory_cost(business),
    ]


def _several_peers(business: Business) -> bool:
    """Whether cards with a price are compared with different GPUs."""
    return len({one.cards[0].peer for one in by_card(business) if one.cards}) > 1


def _pair_of(business: Business) -> str:
    """The card and the one that it is compared with."""
    return f"{business.cards[0].gpu.upper()} for {business.cards[0].peer.upper()}" if business.cards else ""


def briefly(business: Business, speeds: Sequence[Performance] = ()) -> list[str]:
    """A sentence for each card that the move may go to: what it saves at the price given, or that it has none."""
    if not business.cards:
        return []
    return [_saved(one, speeds) for one in by_card(business)] + [
        f"Money, {card.gpu.upper()} for {card.peer.upper()}: no data, its price was not given. "
        f"Published prices: {_published(card.price, business.currency)}."
        for card in business.cards[1 + len(business.others) :]
    ]


def _saved(business: Business, speeds: Sequence[Performance]) -> str:
    """What the move to one card saves a month, and when it has paid for itself."""
    said = f"Money, {_pair_of(business)}: "
    if business.savings is None:
        return said + "savings not known, as no comparison of their speed is published."
    (low, high), (now, _) = business.savings, _hourly(business)
    said += (
        f"{round(low):,} to {round(high):,} {business.currency} saved of {round(business.gpu_hours * now):,} a month"
    )
    return f"{said}{_reserve(business, speeds)}. Months to break even: {_months(business)}."


def _reserve(business: Business, speeds: Sequence[Performance]) -> str:
    """What the savings leave open: which workloads they are of, where the speed of others is not known."""
    mine = [speed for speed in speeds if business.cards and speed.gpu == business.cards[0].gpu]
    known = [WORKLOADS.get(one.workload, one.workload) for one in mine if one.low and one.high]
    open_ = [WORKLOADS.get(one.workload, one.workload) for one in mine if one.no_data]
    return f" if all hours are {series(known)}; {series(open_)}: no data" if known and open_ else ""


def _gpus(business: Business) -> str:
    """Which GPU is paid for now and which then: prices are those of one pair."""
    if not business.cards:
        return ""
    first = business.cards[0]
    alone = f"{first.peer.upper()} now, {first.gpu.upper()} then"
    pairs = series(map(_pair_of, by_card(business))) if business.others else alone
    more = series(card.gpu.upper() for card in business.cards[1 + len(business.others) :])
    return pairs + (f"; no price was given for {more}" if more else "")


def _hourly(business: Business) -> tuple[float, float]:
    """What an hour costs now and then, its power included."""
    return business.price_from + business.power[0], business.price_to + business.power[1]


def _hour(price: float, power: float, unit: str) -> str:
    said = f"{price + 0.0:,.2f} {unit}"
    return f"{said} and {power:,.2f} for power" if power else said


def _gains(business: Business, now: float, reserve: str) -> list[tuple[str, str]]:
    """Costs then, savings, months to break even and three years, where a speed is known."""
    if business.savings is None:
        return [("Savings a month", "not known: nobody has published the speed of such code on these two GPUs")]
    unit, month = business.currency, business.gpu_hours * now
    low, high = business.savings
    stay = 12 * YEARS * month
    moved = [stay - 12 * YEARS * saved + business.cost.p50 for saved in business.savings]
    support = f", {round(business.support):,} of it for support" if business.support else ""
    return [
        ("Cost of a month then", f"{round(month - low):,} to {round(month - high):,} {unit}{support}"),
        ("Savings a month", f"{round(low):,} to {round(high):,} {unit}{reserve}"),
        ("Months to break even", _months(business)),
        (
            f"Cost of {YEARS} years",
            f"{round(stay):,} {unit} to stay, {round(moved[0]):,} to {round(moved[1]):,} to move, the move included",
        ),
    ]


def _months(business: Business) -> str:
    worst, best = ("never" if value is None else days(value) for value in business.months)
    return worst if worst == best else f"{best} at best, {worst} at worst"


def _break_even(business: Business, now: float, then: float) -> list[tuple[str, str]]:
    """The price at which moving changes nothing, beside the price given; nothing where an hour costs nothing now."""
    if now <= 0:
        return []
    given = f"{100 * then / now:.0f} %{', power included' if any(business.power) else ''}"
    if business.speeds is None:
        return [
            (
                "Break-even price ratio",
                f"the prices given have {given}: the move pays from {given.partition(',')[0]} of the CUDA speed",
            )
        ]
    low, high = (f"{100 * part:.0f}" for part in business.speeds)
    return [("Break-even price ratio", f"{low} to {high} %, equal to the speed; the prices given have {given}")]


def _tokens(business: Business, now: float, then: float) -> list[tuple[str, str]]:
    """What a million tokens cost, where a throughput was given."""
    if not business.tokens:
        return []
    million = 1e6 / business.tokens / 3600
    said = f"{now * million:,.2f} {business.currency} now"
    if business.speeds is not None and min(business.speeds) > 0:
        slow, fast = (then * million / part for part in business.speeds)
        said += f", {slow:,.2f} to {fast:,.2f} then"
    return [("Cost of a million tokens", said)]


def _memory(business: Business) -> list[tuple[str, str]]:
    """How many cards a model or working set needs by its memory alone, and what they cost an hour."""
    if (
        not business.memory
        or not business.cards
        or not all(card.memory >= 1 and card.peer_memory >= 1 for card in business.cards)
    ):
        return []
    sizes = {(card.peer.upper(), card.peer_memory): 0 for card in business.cards}
    sizes |= {(card.gpu.upper(), card.memory): 0 for card in business.cards}
    counts = {name: math.ceil(business.memory / size) for name, size in sizes}
    said = ", ".join(f"{counts[name]} {name} of {size} GB" for name, size in sizes)
    return [(f"Cards for {business.memory:g} GB", said)]


def _memory_cost(business: Business) -> list[tuple[str, str]]:
    """What an hour of the cards costs that a model or working set needs, now and on the first card."""
    if not _memory(business):
        return []
    card, (now, then) = business.cards[0], _hourly(business)
    here, there = (math.ceil(business.memory / size) for size in (card.peer_memory, card.memory))
    said = f"{here * now:,.2f} {business.currency} now, {there * then:,.2f} then, by memory alone"
    return [(f"Cost of an hour for {business.memory:g} GB", said)]


def _others(business: Business) -> list[tuple[str, str]]:
    """Published prices of the cards without a price; the pairs of the others have a table of their own."""
    return [
        (f"Published prices, {card.gpu.upper()} for {card.peer.upper()}", _published(card.price, business.currency))
        for card in business.cards[1 + len(business.others) :]
    ]


def _published(pair: PricePair | None, unit: str) -> str:
    if pair is None:
        return "no data"
    return f"{pair.price_from:,.2f} {unit} an hour now, {pair.price_to:,.2f} then ({pair.source.date}): {pair.verdict}"


def price_rows(business: Business) -> list[tuple[str, str, str, str, str, str]]:
    """The verdict under each pair of prices: GPUs, both prices, their ratio, what follows, and source and date."""
    return [
        (
            _pair_of(one),
            f"{pair.price_from:,.2f}",
            f"{pair.price_to:,.2f}",
            f"{100 * pair.ratio:.0f} %",
            pair.verdict + (f". Against it: {pair.against}" if pair.against else ""),
            ", ".join(part for part in (pair.source.text, pair.source.date, _grade(pair.source.grade)) if part),
        )
        for one in by_card(business)
        for pair in one.pairs
    ]


def _grade(grade: str) -> str:
    """How good a source is; that a price was given says its text already."""
    return "" if grade == "given" else grade


PRICE_HEADS = ("GPUs", "Hour now", "Hour then", "Ratio", "What follows", "Source")
"""The heads of `price_rows`."""


def contrary(business: Business) -> list[str]:
    """Published measurements that speak against the move."""
    return [
        f"Against the move{f' to {one.cards[0].gpu.upper()}' if one.cards else ''}: {source.text} "
        f"({source.date}, {source.grade})."
        for one in by_card(business)
        for source in one.contrary
    ]
