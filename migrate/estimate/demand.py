"""What a repository asks for, component by component -> the parts of the effort, what blocks, and calibrated totals.

A scan and the back-test over known ports share this: a port's recorded counts are a `Demand` too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cudamigrate.estimate import blockers, calibration, effort
from cudamigrate.estimate.blockers import Blocked
from cudamigrate.estimate.tables import Table
from cudamigrate.estimate.totals import plus, total
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import Rule
from cudamigrate.model.estimate import Blocker, CostItem, Days


@dataclass(slots=True)
class Demand:
    """Loads by component, what blocks by family, and whether no component has Python that uses a GPU."""

    loads: dict[str, effort.Load]
    blocked: dict[str, Blocked] = field(default_factory=dict)
    native: bool = True


@dataclass(frozen=True, slots=True)
class Priced:
    """The parts, their total, the total without this tool, what blocks, and the total with the first way around each.

    `kind` is the kind of port that the total is calibrated on, empty where no port stands behind it.
    """

    items: list[CostItem]
    days: Days
    manual: Days
    stops: list[Blocker]
    resolved: Days | None
    kind: str = ""


def parts(demand: Demand, book: Table) -> list[CostItem]:
    """All parts of the effort as the tables price them: those of components, and what the repository needs once."""
    loads = demand.loads
    items = effort.over_components([effort.items(loads[path], book) for path in sorted(loads)], book)
    if not items:
        return []
    once = (
        ("environment", "Machines, drivers, containers, packages", ("native" if demand.native else "python",)),
        ("ci", "Build and test on AMD GPUs with every change", ()),
        ("benchmark", "Benchmark the workloads on AMD", ()),
    )
    left = min((load.left for load in loads.values()), default=1.0)
    shared = []
    for kind, title, below in once:
        cost = book.cost(kind, *below)
        shared.append(CostItem(kind, title, effort.rounded(cost.times(left)), 1, "", "", cost.source, "", kind))
    return items + shared


def by_hand(demand: Demand, book: Table) -> float:
    """Days (P50) that the warp-level code and inline PTX which the tool converts take without it."""
    loads = (effort.Load(load.component, (), open=load.converted) for load in demand.loads.values())
    return math.fsum(item.days.p50 for load in loads for item in effort.items(load, book))


def summed(items: Sequence[CostItem]) -> float:
    """The P50 of parts together."""
    return math.fsum(item.days.p50 for item in items)


def price(demand: Demand, rules: Mapping[str, Rule], book: Table) -> Priced:
    """Parts, totals and blockers of a demand; calibrated where ports of its kind are known."""
    items = parts(demand, book)
    stops = blockers.blockers(demand.blocked, rules, book)
    loads = demand.loads.values()
    kind = calibration.kind(loads, book)
    if not kind or not items:
        return _bare(items, stops, demand, book)
    least = total([item.days for item in parts(without_cuda(demand), book)], book.number("law", "common"))
    raw, hand = summed(items), by_hand(demand, book)
    ways = math.fsum(stop.alternatives[0].days.p50 for stop in stops)

    def calibrated(sum_: float, of: str) -> Days:
        return calibration.at_least(calibration.days(sum_, of, calibration.share(loads, of, book), book), least)

    rewrite = rewritten(kind, demand.blocked, book)
    whole = calibration.days(raw + ways, rewrite, calibration.share(loads, rewrite, book), book)
    bare = calibration.days(raw, kind, calibration.share(loads, kind, book), book)
    calibration.scale(items, calibrated(raw, kind).p50 / raw)
    days = calibration.total(items, least, book)
    if ways:
        stops = calibration.ways(stops, max(0.0, whole.p50 - bare.p50) / ways)
    # where the Python alone takes longer than the port of the CUDA code, a way around comes on top of that
    resolved = calibration.at_least(whole, plus(days, calibration.between(bare, whole)))
    return Priced(items, days, calibrated(raw + hand, kind), stops, resolved if stops else None, kind)


def growth(demand: Demand, more: float, lines: int, book: Table) -> float:
    """What a day more of parts adds to the calibrated total, where `more` days in so many lines are added.

    1 where no port stands behind the total.
    The ways around blockers are priced so: what can be left out costs what it adds, not what it would take alone.
    """
    loads = demand.loads.values()
    kind = calibration.kind(loads, book) if more > 0 else ""
    items = parts(demand, book) if kind else []
    if not items:
        return 1.0
    larger = [replace(load, lines=load.lines + lines) for load in loads if load.kind == kind]
    raw, share = summed(items), max(calibration.share(each, kind, book) for each in (loads, larger))
    with_, without = (calibration.days(sum_, kind, share, book).p50 for sum_ in (raw + more, raw))
    return (with_ - without) / more


def without_cuda(demand: Demand) -> Demand:
    """What the Python code, packages and build files ask for by themselves: all, but for native code."""
    return replace(demand, loads={path: _without_cuda(load) for path, load in demand.loads.items()})


def _without_cuda(load: effort.Load) -> effort.Load:
    if not load.kind:
        return load
    return replace(
        load,
        categories=load.categories[1:],
        kind="",
        open=[one for one in load.open if one.path not in load.native],
        review={path: count for path, count in load.review.items() if path not in load.native},
        kernels={},
        builds=(),
        converted=(),
    )


def _bare(items: list[CostItem], stops: list[Blocker], demand: Demand, book: Table) -> Priced:
    """The totals where nothing is calibrated: the sums of the parts."""
    days = total([item.days for item in items], book.number("law", "common"))
    resolved = days
    for stop in stops:
        resolved = plus(resolved, stop.alternatives[0].days)
    hand = by_hand(demand, book)
    manual = replace(days, p10=days.p10 + hand, p50=days.p50 + hand, p90=days.p90 + hand)
    return Priced(items, days, manual, stops, resolved if stops else None)


def rewritten(kind: str, blocked: Mapping[str, Blocked], book: Table) -> str:
    """The kind of a port that goes around what blocks: a rewrite where tensor-core kernels are in it."""
    families = {str(family["name"]) for family in book.all("blocker") if family.get("rewrite")}
    return "rewrite" if kind and any(name in families for name in blocked) else kind
