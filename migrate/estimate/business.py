"""Days, speeds and prices -> what the move costs, what it saves, and what to do.

Result: a `Business`, where hours and prices are given, and a `Verdict` for each workload and for the whole.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from cudamigrate.config import Config
from cudamigrate.estimate import prices
from cudamigrate.estimate.blockers import named
from cudamigrate.estimate.category import Part
from cudamigrate.estimate.tables import Entry, Table, table
from cudamigrate.model.estimate import (
    WORKLOADS,
    Blocker,
    Business,
    Card,
    CardMoney,
    Days,
    Performance,
    Replacement,
    Source,
    Verdict,
    by_card,
)
from cudamigrate.wording import count_of, series

LONGEST = 24.0
"""Months after which a move that has not paid for itself is no longer recommended for money's sake."""
LONGEST_PATHS = 60
"""Characters of the names of two folders that one sentence holds."""
_GIVEN = Source("given by the user", "", "given")


def view(
    days: Days, speeds: Sequence[Performance], cards: Sequence[Entry], config: Config, effort: Table, gpus: Table
) -> Business | None:
    """Money for each GPU that has a price, at the mean of the workloads' ranges.

    None unless hours and both prices are given: nobody wants to read of savings from prices that they do not pay. Where
    no speed is known there are no savings, and the speed that the prices ask for is said all the same.
    """
    priced = prices.given(cards, config) if cards and config.gpu_hours else []
    if not priced:
        return None
    rate, rate_source = _rate(config.day_rate, effort)
    cost = Days(*(round(day * rate, 2) for day in (days.p10, days.p50, days.p90)))
    first, *others = (_move(card, now, then, cost, speeds, config) for card, now, then in priced)
    watts = [entry for card, _, _ in priced for entry in _watts(card) if any(_power(_watts(card), config.power_price))]
    sources = tuple(dict.fromkeys((_GIVEN, rate_source, *(gpus.source(entry) for entry in watts if entry))))
    names = [card["name"] for card, _, _ in priced]
    ordered = [card for card, _, _ in priced] + [card for card in cards if card["name"] not in names]
    described = tuple(_card(one, gpus, _speeds(speeds, str(one["name"]))) for one in ordered)
    return Business(
        gpu_hours=config.gpu_hours,
        price_from=first.price_from,
        price_to=first.price_to,
        day_rate=rate,
        cost=cost,
        savings=first.savings,
        months=first.months,
        currency=str(effort.at("business")["currency"]),
        sources=sources,
        cards=described,
        speeds=first.speeds,
        power=first.power,
        support=config.support,
        tokens=config.tokens_per_second,
        memory=config.memory,
        pairs=first.pairs,
        contrary=first.contrary,
        others=tuple(others),
    )


def _move(card: Entry, now: float, then: float, cost: Days, speeds: Sequence[Performance], config: Config) -> CardMoney:
    """What the prices of a card make of the move to it."""
    power = _power(_watts(card), config.power_price)
    range_ = _speeds(speeds, str(card["name"]))
    saved: tuple[float, float] | None = None
    months: tuple[float | None, float | None] = (None, None)
    if range_ is not None:
        hourly = [(now + power[0]) - (then + power[1]) / part for part in range_]
        worst, best = (round(config.gpu_hours * one - config.support, 2) for one in hourly)
        saved, months = (worst, best), (_months(cost.p90, worst), _months(cost.p10, best))
    published = table("prices")
    return CardMoney(
        str(card["name"]), now, then, saved, months, range_, power,
        prices.pairs(card, now, then, range_, _GIVEN, published), prices.contrary(card, published),
    )  # fmt: skip


def _watts(card: Entry) -> tuple[Entry | None, Entry | None]:
    return card["peer-power"], card.get("power")


def _speeds(speeds: Sequence[Performance], gpu: str) -> tuple[float, float] | None:
    """The lowest and highest speed of a GPU as parts of the CUDA speed, each the mean over workloads."""
    mine = [(speed.low, speed.high) for speed in speeds if speed.gpu == gpu and speed.low and speed.high]
    if not mine:
        return None
    low, high = (sum(float(pair[end]) for pair in mine) / len(mine) / 100 for end in (0, 1))
    return low, high


def _power(watts: tuple[Entry | None, Entry | None], price: float) -> tuple[float, float]:
    """What the power of both GPUs costs in an hour; nothing where the watts of one or the price are not known."""
    before, then = watts
    if before is None or then is None:
        return 0.0, 0.0
    return round(before["value"] / 1000 * price, 4), round(then["value"] / 1000 * price, 4)


def _rate(given: float, table: Table) -> tuple[float, Source]:
    """What a day costs: as given, else the assumption of the tables."""
    if given:
        return given, _GIVEN
    entry = table.at("business", "day-rate")
    return float(entry["value"]), table.source(entry)


def _months(cost: float, saving: float) -> float | None:
    return round(cost / saving, 1) if saving > 0 else None


def _card(card: Entry, gpus: Table, range_: tuple[float, float] | None) -> Card:
    known = prices.published(card, range_, table("prices"))
    return Card(
        card["name"], card["arch"], card["memory"], card["peer"], card["peer-memory"], gpus.source(card),
        next(iter(known), None),
    )  # fmt: skip


def verdicts(
    parts: Sequence[Part], blockers: Sequence[Blocker], speeds: Sequence[Performance], money: Business | None,
    later: tuple[str, float] = ("", 0.0), replaced: Sequence[Replacement] = (), unread: int = 0,
    glanced: Mapping[str, int] | None = None,
) -> list[Verdict]:  # fmt: skip
    """One for each workload whose speed is known, then one for the whole.

    They are of the first GPU, or where prices were given of the one that more workloads gain on, the first of equals.

    `later` is the ROCm release newer than the target that saves most of the manual work, and how much, 0 to 1.
    `replaced` are the libraries that the repository is and AMD has too: those are used, and nothing is ported.
    `unread` files, submodules, or languages that name CUDA, were not read: without GPU code in the others, nothing is
    known of all.
    `glanced` are the files by language that most code which uses CUDA is in, and that were not read.
    """
    if replaced:
        return [Verdict("all", "stay", _in_its_place(replaced))]
    choices = [_workloads(speeds, one.cards[0].gpu, one) for one in (by_card(money) if money is not None else [])]
    choices = choices or [_workloads(speeds, speeds[0].gpu if speeds else "", None)]
    found = max(choices, key=_gain)
    known = [one for one in found if one.advice != "wait"]  # the speeds say "no data" of the others: no advice on them
    if unread and _is_without_gpu(parts):
        return [*known, Verdict("all", "stay", "What was read has no GPU code. Look at what was not read.")]
    return [*known, _whole(parts, blockers, found, later, money is not None, glanced)]


def _workloads(speeds: Sequence[Performance], gpu: str, money: Business | None) -> list[Verdict]:
    return [_workload(speed, money) for speed in speeds if speed.gpu == gpu]


def _gain(found: Sequence[Verdict]) -> int:
    """How much workloads gain: two for one that moves, one for one that moves in part."""
    return sum({"move": 2, "move-part": 1}.get(one.advice, 0) for one in found)


def _in_its_place(replaced: Sequence[Replacement]) -> str:
    theirs, ours = series(one.name for one in replaced), series(one.amd for one in replaced)
    if all(one.same for one in replaced):
        said = f"{ours} {'has' if len(replaced) == 1 else 'have'} the same interface. Build programs against that."
    else:
        said = f"Programs that use {theirs} are rewritten for {ours}. The interfaces differ."
    return " ".join([said, *(f"{one.amd} has limits: {one.limits}." for one in replaced if one.limits)])


def _workload(speed: Performance, money: Business | None) -> Verdict:
    if speed.no_data:
        said = f"For a measurement: no comparison of {speed.gpu.upper()} with {speed.peer.upper()} for it is published."
        return Verdict(speed.workload, "wait", said)
    if speed.low is None or speed.high is None:
        return Verdict(speed.workload, "stay", "Nothing of it runs on AMD. Move to another serving stack first.")
    fast = f"{speed.low:.0f} to {speed.high:.0f} % of the speed of {speed.peer.upper()} on {speed.gpu.upper()}"
    if money is None:
        if speed.low >= 75:
            return Verdict(speed.workload, "move", f"{fast}.")
        return Verdict(speed.workload, "move-part", f"{fast}. Move one of several machines and measure it first.")
    ends = (speed.low, (speed.low + speed.high) / 2, speed.high)
    now, then = (price + power for price, power in zip((money.price_from, money.price_to), money.power, strict=True))
    worst, likely, best = (money.gpu_hours * (now - then * 100 / end) - money.support for end in ends)
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
    return Verdict(speed.workload, "move-part", f"{fast}; {range_}. Measure it on one machine first.")


def _is_without_gpu(parts: Sequence[Part]) -> bool:
    return all(part.underlying == "no-gpu" for part in parts)


def _without_gpu(parts: Sequence[Part]) -> Verdict:
    if any(part.watches for part in parts):
        return Verdict("all", "move", "It watches GPUs through NVML and computes nothing on them: AMD SMI does that.")
    return Verdict("all", "stay", "There is no GPU code here, so nothing needs to move.")


def _whole(
    parts: Sequence[Part],
    blockers: Sequence[Blocker],
    found: Sequence[Verdict],
    later: tuple[str, float],
    priced: bool,
    glanced: Mapping[str, int] | None,
) -> Verdict:
    """One decision and one sentence of reason."""
    if _is_without_gpu(parts) and not glanced:
        return _without_gpu(parts)
    tensorrt = [part.path for part in parts if part.underlying == "tensorrt"]
    if tensorrt and len(tensorrt) == len(parts):
        return Verdict("all", "stay", "It is built on TensorRT, which has no equivalent. Choose another stack first.")
    stay = [WORKLOADS[verdict.workload] for verdict in found if verdict.advice == "stay"]
    if found and len(stay) == len(found):
        return Verdict("all", "stay", "No workload gains at these prices and speeds.")
    if all(part.category == "ported" for part in parts if part.cuda) and any(part.cuda for part in parts):
        then = "Close its gaps, then compare numbers." if any(part.gaps for part in parts) else "Compare its numbers."
        return Verdict("all", "move", f"A HIP port is there already. {then}")
    if tensorrt or stay:
        return Verdict("all", "move-part", f"Leave {', '.join([*tensorrt, *stay])} where it is and move the rest.")
    if priced and (said := _unsure(found)):
        return Verdict("all", "move-part", said)
    if later[1] > 0.5:
        saved = f"{round(100 * later[1])} % of the manual work"
        return Verdict("all", "wait", f"ROCm {later[0]} brings what {saved} here is about.")
    if glanced:
        files = series(count_of(count, f"{name} file") for name, count in glanced.items())
        return Verdict("all", "move-part", f"Most files that use CUDA were not read: {files}. Look at them first.")
    if blockers:
        lacking = f"Without a HIP equivalent: {_named(blockers)}{_where(blockers)}. Choose a way around first."
        return Verdict("all", "move-part", lacking)
    return Verdict("all", "move", "Everything that was found has a HIP equivalent or a known way to change it.")


def _where(blockers: Sequence[Blocker]) -> str:
    """The folders that what blocks is in, one or two by name: the part that does not move by itself."""
    every = [home for home in dict.fromkeys(home for one in blockers for home in _homes(one)) if home]
    homes = [home for home in every if not any(home.startswith(f"{other}/") for other in every)]
    shown = homes[:2] if sum(map(len, homes[:2])) <= LONGEST_PATHS else homes[:1]
    more = " and elsewhere" if len(homes) > len(shown) else ""
    return f", in {', '.join(shown) if more else series(shown)}{more}" if homes else ""


def _homes(blocker: Blocker) -> list[str]:
    """The folder around all places of a blocker, else those with most of them first; empty is the top."""
    folders = [place.path.rpartition("/")[0] for place in blocker.places]
    around = posixpath.commonpath(folders) if folders and all(folders) else ""
    return [around] if around else sorted(set(folders), key=lambda folder: (-folders.count(folder), folder))


def _unsure(found: Sequence[Verdict]) -> str:
    """What is to be measured before prices decide, and why; empty where they decide already."""
    part = [WORKLOADS[verdict.workload] for verdict in found if verdict.advice == "move-part"]
    unknown = [WORKLOADS[verdict.workload] for verdict in found if verdict.advice == "wait"]
    said = [f"At the lower speeds expected {series(part)} {_do(part)} not pay." if part else ""]
    said += [f"Nobody has published the speed of {series(unknown)} on these cards." if unknown else ""]
    return " ".join(["Move one machine and measure.", *filter(None, said)]) if part or unknown else ""


def _do(names: Sequence[str]) -> str:
    return "does" if len(names) == 1 else "do"


def _named(blockers: Sequence[Blocker]) -> str:
    """What blocks: two by name, the others counted."""
    shown = [named(blocker) for blocker in blockers[:2]]
    rest = len(blockers) - len(shown)
    return f"{', '.join(shown)} and {rest} more" if rest else series(shown)
