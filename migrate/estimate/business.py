"""Days, speeds and prices -> what the move costs, what it saves, and what to do.

Result: a `Business`, where both prices are known, and a `Verdict` for each workload and for the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.config import Config
from cudamigrate.estimate.category import Part
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.model.estimate import Advice, Blocker, Business, Card, Days, Performance, Source, Verdict

LONGEST = 24.0
"""Months after which a move that has not paid for itself is no longer recommended for money's sake."""
_GIVEN = Source("given by the user", "", "measured")


def view(
    days: Days, speeds: Sequence[Performance], cards: Sequence[Entry], config: Config, effort: Table, gpus: Table
) -> Business | None:
    """Money for the first GPU, at the mean of the workloads' ranges.

    None where a price is neither given nor known, or nothing would run there.
    """
    if not cards or not (price_from := _price(config.price_from, cards[0], "peer-price", gpus)):
        return None
    if not (price_to := _price(config.price_to, cards[0], "price", gpus)):
        return None
    mine = [speed for speed in speeds if speed.gpu == cards[0]["name"] and speed.low and speed.high]
    if not mine:
        return None
    hours, hours_source = _amount(config.gpu_hours, "gpu-hours", effort)
    rate, rate_source = _amount(config.day_rate, "day-rate", effort)
    cost = Days(*(round(day * rate, 2) for day in (days.p10, days.p50, days.p90)))
    slow = sum(speed.low or 0.0 for speed in mine) / len(mine)
    fast = sum(speed.high or 0.0 for speed in mine) / len(mine)
    saved = tuple(round(hours * (price_from[0] - price_to[0] * 100 / percent), 2) for percent in (slow, fast))
    months = (_months(cost.p90, saved[0]), _months(cost.p10, saved[1]))
    sources = tuple(dict.fromkeys((hours_source, price_from[1], price_to[1], rate_source)))
    return Business(
        hours, price_from[0], price_to[0], rate, cost, (saved[0], saved[1]), months,
        str(effort.at("business")["currency"]), sources, tuple(_card(card, gpus) for card in cards),
    )  # fmt: skip


def _price(given: float, card: Entry, key: str, table: Table) -> tuple[float, Source] | None:
    if given:
        return given, _GIVEN
    entry = card.get(key)
    return None if entry is None else (float(entry["value"]), table.source(entry))


def _amount(given: float, key: str, table: Table) -> tuple[float, Source]:
    if given:
        return given, _GIVEN
    entry = table.at("business", key)
    return float(entry["value"]), table.source(entry)


def _months(cost: float, saving: float) -> float | None:
    return round(cost / saving, 1) if saving > 0 else None


def _card(card: Entry, table: Table) -> Card:
    return Card(
        card["name"], card["arch"], card["memory"], card["peer"], card["peer-memory"], table.source(card)
    )  # fmt: skip


def verdicts(
    parts: Sequence[Part], days: Days, blockers: Sequence[Blocker], speeds: Sequence[Performance],
    money: Business | None,
) -> list[Verdict]:  # fmt: skip
    """One for each workload on the first GPU, then one for the whole."""
    gpu = speeds[0].gpu if speeds else ""
    found = [_workload(speed, days, money) for speed in speeds if speed.gpu == gpu]
    return [*found, _whole(parts, days, blockers, found)]


def _workload(speed: Performance, days: Days, money: Business | None) -> Verdict:
    if speed.low is None or speed.high is None:
        return Verdict(speed.workload, "stay", "nothing of it runs on AMD; move to another serving stack first")
    fast = f"{speed.low:.0f} to {speed.high:.0f} % of the CUDA baseline on {speed.gpu}"
    if money is None:
        word: Advice = "move" if speed.low >= 75 else "move-part"
        return Verdict(speed.workload, word, f"{fast}; prices are not known, so this is about speed alone")
    ends = (speed.low, (speed.low + speed.high) / 2, speed.high)
    worst, likely, best = (money.gpu_hours * (money.price_from - money.price_to * 100 / end) for end in ends)
    unit = money.currency
    if best <= 0:
        return Verdict(speed.workload, "stay", f"{fast}: work done there costs more at these prices")
    middle = _months(money.cost.p50, likely)
    pays = f"about {middle:g} months to break even" if middle is not None else "it may never pay for itself"
    range_ = f"{worst:,.0f} to {best:,.0f} {unit} saved a month, {pays}"
    if worst > 0 and middle is not None and middle <= LONGEST:
        return Verdict(speed.workload, "move", f"{fast}; {range_}")
    if middle is None or middle > LONGEST:
        return Verdict(speed.workload, "stay", f"{fast}; {range_}")
    return Verdict(speed.workload, "move-part", f"{fast}; {range_}: measure a part of the traffic before the rest")


def _whole(parts: Sequence[Part], days: Days, blockers: Sequence[Blocker], found: Sequence[Verdict]) -> Verdict:
    if not parts or all(part.underlying == "no-gpu" for part in parts):
        return Verdict("all", "stay", "there is no GPU code here: nothing needs to move")
    work = f"{days.p10:.1f} to {days.p90:.1f} engineer-days, {days.p50:.1f} in the middle"
    tensorrt = [part.path for part in parts if part.underlying == "tensorrt"]
    if tensorrt and len(tensorrt) == len(parts):
        return Verdict("all", "stay", "it is built on TensorRT, which has no equivalent: decide on a new stack first")
    stay = [verdict.workload for verdict in found if verdict.advice == "stay"]
    if found and len(stay) == len(found):
        return Verdict("all", "stay", f"no workload gains at these prices and speeds ({work})")
    if all(part.category == "ported" for part in parts if part.cuda) and any(part.cuda for part in parts):
        work = f"a port to HIP is there already; {work} to finish and check it"
    sure = [verdict.workload for verdict in found if verdict.advice == "move"]
    if tensorrt or stay:
        left = ", ".join([*tensorrt, *stay])
        return Verdict("all", "move-part", f"{work}; leave {left} where it is{_first(sure)}")
    if blockers:
        named = "; ".join(blocker.title for blocker in blockers[:3])
        return Verdict("all", "move-part", f"{work} for all but what has no equivalent: {named}{_first(sure)}")
    if len(sure) < len(found):
        return Verdict("all", "move-part", f"{work}; measure before the rest follows{_first(sure)}")
    return Verdict("all", "move", work)


def _first(sure: Sequence[str]) -> str:
    return f"; begin with {', '.join(sure)}" if sure else ""
