"""Days, speeds and prices -> what the move costs, what it saves, and what to do.

Result: a `Business`, where hours and prices are given, and a `Verdict` for each workload and for the whole.
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

    None unless hours and both prices are given: nobody wants to read of savings from prices that they do not pay. None
    too where no speed is known.
    """
    if not (cards and config.gpu_hours and config.price_from and config.price_to):
        return None
    price_from, price_to = config.price_from, config.price_to
    mine = [speed for speed in speeds if speed.gpu == cards[0]["name"] and speed.low and speed.high]
    if not mine:
        return None
    hours = config.gpu_hours
    rate, rate_source = _rate(config.day_rate, effort)
    cost = Days(*(round(day * rate, 2) for day in (days.p10, days.p50, days.p90)))
    slow = sum(speed.low or 0.0 for speed in mine) / len(mine)
    fast = sum(speed.high or 0.0 for speed in mine) / len(mine)
    saved = tuple(round(hours * (price_from - price_to * 100 / percent), 2) for percent in (slow, fast))
    months = (_months(cost.p90, saved[0]), _months(cost.p10, saved[1]))
    sources = tuple(dict.fromkeys((_GIVEN, rate_source)))
    return Business(
        hours, price_from, price_to, rate, cost, (saved[0], saved[1]), months,
        str(effort.at("business")["currency"]), sources, tuple(_card(card, gpus) for card in cards),
    )  # fmt: skip


def _rate(given: float, table: Table) -> tuple[float, Source]:
    """What a day costs: as given, else the assumption of the tables."""
    if given:
        return given, _GIVEN
    entry = table.at("business", "day-rate")
    return float(entry["value"]), table.source(entry)


def _months(cost: float, saving: float) -> float | None:
    return round(cost / saving, 1) if saving > 0 else None


def _card(card: Entry, table: Table) -> Card:
    return Card(
        card["name"], card["arch"], card["memory"], card["peer"], card["peer-memory"], table.source(card)
    )  # fmt: skip


def verdicts(
    parts: Sequence[Part], blockers: Sequence[Blocker], speeds: Sequence[Performance], money: Business | None,
    later: tuple[str, float] = ("", 0.0),
) -> list[Verdict]:  # fmt: skip
    """One for each workload on the first GPU, then one for the whole.

    `later` is the ROCm release newer than the target that saves most of the manual work, and how much, 0 to 1.
    """
    gpu = speeds[0].gpu if speeds else ""
    found = [_workload(speed, money) for speed in speeds if speed.gpu == gpu]
    return [*found, _whole(parts, blockers, found, later, money is not None)]


def _workload(speed: Performance, money: Business | None) -> Verdict:
    if speed.no_data:
        said = f"Nobody has published how fast it runs on {speed.gpu} beside {speed.peer}: measure before deciding."
        return Verdict(speed.workload, "move-part", said)
    if speed.low is None or speed.high is None:
        return Verdict(speed.workload, "stay", "Nothing of it runs on AMD. Move to another serving stack first.")
    fast = f"{speed.low:.0f} to {speed.high:.0f} % of the speed of {speed.peer} on {speed.gpu}"
    if money is None:
        word: Advice = "move" if speed.low >= 75 else "move-part"
        return Verdict(speed.workload, word, f"{fast}.")
    ends = (speed.low, (speed.low + speed.high) / 2, speed.high)
    worst, likely, best = (money.gpu_hours * (money.price_from - money.price_to * 100 / end) for end in ends)
    unit = money.currency
    if best <= 0:
        return Verdict(speed.workload, "stay", f"{fast}: work done there costs more at these prices.")
    middle = _months(money.cost.p50, likely)
    pays = f"about {middle:g} months to break even" if middle is not None else "it may never pay for itself"
    range_ = f"{worst:,.0f} to {best:,.0f} {unit} saved a month, {pays}"
    if worst > 0 and middle is not None and middle <= LONGEST:
        return Verdict(speed.workload, "move", f"{fast}; {range_}.")
    if middle is None or middle > LONGEST:
        return Verdict(speed.workload, "stay", f"{fast}; {range_}.")
    return Verdict(speed.workload, "move-part", f"{fast}; {range_}. Measure a part of the traffic first.")


def _whole(
    parts: Sequence[Part],
    blockers: Sequence[Blocker],
    found: Sequence[Verdict],
    later: tuple[str, float],
    priced: bool,
) -> Verdict:
    """One decision and one sentence of reason."""
    if not parts or all(part.underlying == "no-gpu" for part in parts):
        return Verdict("all", "stay", "There is no GPU code here, so nothing needs to move.")
    tensorrt = [part.path for part in parts if part.underlying == "tensorrt"]
    if tensorrt and len(tensorrt) == len(parts):
        return Verdict("all", "stay", "It is built on TensorRT, which has no equivalent. Choose another stack first.")
    stay = [verdict.workload for verdict in found if verdict.advice == "stay"]
    if found and len(stay) == len(found):
        return Verdict("all", "stay", "No workload gains at these prices and speeds.")
    if all(part.category == "ported" for part in parts if part.cuda) and any(part.cuda for part in parts):
        return Verdict("all", "move", "A HIP port is there already. Close its gaps, then compare numbers.")
    if tensorrt or stay:
        return Verdict("all", "move-part", f"Leave {', '.join([*tensorrt, *stay])} where it is and move the rest.")
    unsure = [verdict.workload for verdict in found if verdict.advice == "move-part"]
    if priced and unsure:
        return Verdict("all", "move-part", f"Measure {', '.join(unsure)} first: at these prices it may not pay.")
    if later[1] > 0.5:
        saved = f"{round(100 * later[1])} % of the manual work"
        return Verdict("all", "wait", f"ROCm {later[0]} brings what {saved} here is about.")
    if blockers:
        return Verdict("all", "move-part", f"{_named(blockers)} no HIP equivalent. Choose a way around first.")
    return Verdict("all", "move", "Everything that was found has a HIP equivalent or a known way to change it.")


def _named(blockers: Sequence[Blocker]) -> str:
    """What blocks, as the subject of a sentence with its verb."""
    first = blockers[0].title.removeprefix("No equivalent: ")
    rest = len(blockers) - 1
    return f"{first} and {rest} more have" if rest else f"{first} has"
