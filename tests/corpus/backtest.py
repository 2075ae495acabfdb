"""What the estimate says of ports whose effort is known, and how far it is off: `python -m tests.corpus.backtest`.

Each port's scan of the commit before it (port-scans.json) goes through the code that prices a scan. Warp-level code and
PTX which the tool converts count as manual work: those who made the ports had no tool for it. Of what blocks, a rewrite
takes the first way around, every other port the cheapest. `fit` sets the constants from ports, `rows` predicts each
port with the constants that the other ports give.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cudamigrate.estimate import calibration
from cudamigrate.estimate.blockers import blockers
from cudamigrate.estimate.demand import by_hand, parts, summed
from cudamigrate.estimate.tables import Table, table
from cudamigrate.model.estimate import Days
from tests.corpus import port_scans

DATA = Path(__file__).with_name("ports.tsv")
LEVELS = ("plain", "gaps", "application")
"""Kinds whose days of integration are fitted, in the order of their size."""
LEAST, MOST = 0.1, 200.0
"""Bounds of the days of integration."""
INSIDE = 0.8
"""Ports that lie between P10 and P90."""


@dataclass(frozen=True)
class Port:
    """One row of the data; `parts` are the days of all but integration, `units` those of integration by kind."""

    name: str
    use: str
    days: int
    kind: str = ""
    share: float = 1.0
    parts: float = 0.0
    units: tuple[tuple[str, float], ...] = ()
    repository: str = ""
    commit: str = ""
    source: str = ""

    def sum(self, levels: Mapping[str, float]) -> float:
        """All parts with these days of integration."""
        return self.parts + math.fsum(levels[kind] * count for kind, count in self.units)


@dataclass(frozen=True)
class Constants:
    """What is fitted: days of integration and typical days by kind, what sums are off by, and the interval."""

    levels: Mapping[str, float]
    typical: Mapping[str, float]
    parts: float
    width: float

    def days(self, port: Port) -> Days:
        """What these constants say of a port: the formula of `calibration.days`."""
        guess = self.typical[port.kind] * port.share
        middle = math.sqrt(guess * self.parts * port.sum(self.levels))
        return Days(middle / self.width, middle, middle * self.width)


@dataclass(frozen=True)
class Row:
    """What is shipped and what the other ports say, beside what was observed."""

    port: Port
    shipped: Days
    without: Days

    @property
    def error(self) -> float:
        """Natural logarithm of prediction by observation, the port left out."""
        return math.log(self.without.p50 / self.port.days)

    @property
    def inside(self) -> bool:
        """Whether the days lie in the interval that the other ports give."""
        return self.without.p10 <= self.port.days <= self.without.p90


def written() -> list[dict[str, str]]:
    """The rows of ports.tsv."""
    lines = [line for line in DATA.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]


@cache
def fitted() -> tuple[Port, ...]:
    """The ports that the fit rests on: first ports with dates and a scan."""
    book, found = table("effort"), []
    for row in written():
        if row["use"] != "first":
            continue
        demand = port_scans.read(port_scans.scans()[row["port"]])
        loads = list(demand.loads.values())
        own = calibration.kind(loads, book)
        items = parts(demand, book)
        units: dict[str, float] = {}
        for item in items:
            if item.kind == "integration":
                units[item.group] = units.get(item.group, 0.0) + item.days.p50
        rewrite = row["rewrite"] == "yes"
        stops = blockers(demand.blocked, {}, book)
        ways = math.fsum(
            stop.alternatives[0].days.p50 if rewrite else min(way.days.p50 for way in stop.alternatives)
            for stop in stops
        )
        rest = summed([item for item in items if item.kind != "integration"])
        levels = tuple((kind, days / book.cost("integration", kind).likely) for kind, days in units.items())
        found.append(
            Port(
                row["port"], "first", int(row["days"]), "rewrite" if rewrite else own,
                calibration.share(loads, own, book), rest + ways + by_hand(demand, book), levels,
                row["repository"], row["commit"], row["source"],
            )
        )  # fmt: skip
    return tuple(found)


def fit(known: Sequence[Port]) -> Constants:
    """The constants that ports give; eight tenths of them lie in the interval when each is left out.

    A port that is the only one of its kind tells nothing of the interval.
    """
    found = _middle(known)
    errors = sorted(
        abs(math.log(_middle([*known[:at], *known[at + 1 :]]).days(port).p50 / port.days))
        for at, port in enumerate(known)
        if sum(other.kind == port.kind for other in known) > 1
    )
    return replace(found, width=math.exp(errors[math.ceil(INSIDE * len(errors)) - 1]))


def _middle(known: Sequence[Port]) -> Constants:
    """All constants but the interval, in closed form but for the days of integration.

    Those make the geometric mean of parts by days one for each kind, one kind after the other; a bound stops them.
    """
    levels = dict.fromkeys(LEVELS, LEAST)
    for kind in LEVELS:
        levels[kind] = _level([port for port in known if port.kind == kind], kind, levels)
    typical = {kind: _mean([port.days / port.share for port in known if port.kind == kind]) for kind in _kinds(known)}
    return Constants(levels, typical, _mean([port.days / port.sum(levels) for port in known]), 1.0)


def _kinds(known: Iterable[Port]) -> set[str]:
    return {port.kind for port in known}


def _mean(values: Sequence[float]) -> float:
    """Geometric mean."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def _level(mine: Sequence[Port], kind: str, levels: Mapping[str, float]) -> float:
    low, high = LEAST, MOST
    for _ in range(30):
        middle = math.sqrt(low * high)
        off = math.fsum(math.log(port.sum({**levels, kind: middle}) / port.days) for port in mine)
        low, high = (middle, high) if off < 0 else (low, middle)
    return low


def shipped(book: Table) -> Constants:
    """The constants in rules/effort.toml."""
    typical = {kind: book.number("calibration", kind) for kind in calibration.KINDS}
    levels = {kind: book.cost("integration", kind).likely for kind in LEVELS}
    return Constants(levels, typical, book.number("calibration", "parts"), book.number("calibration", "width"))


def rows(known: Sequence[Port] | None = None) -> list[Row]:
    """Every port of the fit: as shipped, and as the other ports have it."""
    every = known if known is not None else fitted()
    given = shipped(table("effort"))
    return [
        Row(port, given.days(port), fit([*every[:at], *every[at + 1 :]]).days(port)) for at, port in enumerate(every)
    ]


def others(same: Callable[[Port], object], known: Sequence[Port] | None = None) -> list[float]:
    """Errors of a guess that is the geometric mean of all other ports which are the same in some way."""
    every = known if known is not None else fitted()
    errors = []
    for at, port in enumerate(every):
        rest = [other for other in (*every[:at], *every[at + 1 :]) if same(other) == same(port)]
        errors.append(math.log(_mean([other.days for other in rest]) / port.days))
    return errors


def spread(errors: Iterable[float]) -> float:
    """Root mean square of logarithms, as a factor."""
    found = list(errors)
    return math.exp(math.sqrt(math.fsum(error * error for error in found) / len(found)))


def lines() -> list[str]:
    """The table, as Markdown."""
    out = ["| port | kind | days | left out | P10 to P90 | factor | inside |", "|---|---|--:|--:|---|--:|---|"]
    for row in rows():
        days, port = row.without, row.port
        cells = (
            port.name, port.kind, str(port.days), f"{days.p50:.1f}", f"{days.p10:.1f} to {days.p90:.1f}",
            f"{math.exp(row.error):.2f}", "yes" if row.inside else "no",
        )  # fmt: skip
        out.append(f"| {' | '.join(cells)} |")
    return out


def summary() -> list[str]:
    """The error, share inside, width and bias of the model, and the errors of its rivals, all left out."""
    found = rows()
    errors = [row.error for row in found]
    inside = sum(row.inside for row in found)
    width = _mean([row.without.p90 / row.without.p10 for row in found])
    bias = math.exp(math.fsum(errors) / len(errors))
    six = sum(abs(error) <= math.log(6) / 2 for error in errors)
    return [
        f"model: root mean square factor {spread(errors):.2f}; {inside} of {len(found)} inside P10 to P90, "
        f"{width:.1f} times wide; bias {bias:.2f}; {six} of {len(found)} inside an interval six times wide",
        f"kind alone: {spread(others(lambda port: port.kind)):.2f}",
        f"one number for all: {spread(others(lambda port: 0)):.2f}",
    ]


def main() -> None:
    """Print the table, what comes of it, other forms of the model, and the constants that all ports give."""
    from tests.corpus import rivals  # which asks this module for the ports

    print("\n".join([*lines(), "", *summary(), "", *rivals.lines(), ""]))
    found = fit(fitted())
    levels = ", ".join(f"{kind} {found.levels[kind]:.2f}" for kind in LEVELS)
    typical = ", ".join(f"{kind} {found.typical[kind]:.1f}" for kind in calibration.KINDS)
    largest = max(port.sum(found.levels) for port in fitted())
    print(f"fit: integration {levels}; typical {typical}; parts {found.parts:.3f}; width {found.width:.2f}", end="; ")
    print(f"largest {largest:.0f}")


if __name__ == "__main__":
    main()
