"""Other forms of the estimate on the same ports: could a fact that a scan knows make it better?

Each rival is the mean of a kind and a straight line in the logarithm of one fact, fitted without the port that it
guesses. `interval` says how far the model's own error is known from so few ports.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from statistics import fmean
from typing import Any

from tests.corpus import backtest, port_scans
from tests.corpus.backtest import Port, spread

DRAWS = 4000
"""Samples of ports, drawn with replacement, for the interval of the error."""


@dataclass(frozen=True)
class Rival:
    """A fact beside the kind: its error in the sample and left out, and days for a tenfold of it (a factor)."""

    fact: str
    inside: float
    left_out: float
    tenfold: float


Scan = Mapping[str, Any]
Fact = Callable[[Scan], float]


def _sum(scan: Scan, of: Callable[[Mapping[str, Any]], float]) -> float:
    return math.fsum(of(load) for load in scan["loads"])


def _places(scan: Scan, *groups: str, key: str = "open") -> float:
    return _sum(scan, lambda load: sum(row[3] for row in load[key] if row[0].startswith(groups)))


FACTS: Mapping[str, Fact] = {
    "lines of CUDA code": lambda scan: _sum(scan, lambda load: load["lines"]),
    "kernels": lambda scan: _sum(scan, lambda load: sum(count for _, count in load["kernels"])),
    "files with kernels": lambda scan: _sum(scan, lambda load: len(load["kernels"])),
    "Triton kernels": lambda scan: _sum(scan, lambda load: sum(count for _, count in load["triton"])),
    "components": lambda scan: len(scan["loads"]),
    "build systems": lambda scan: _sum(scan, lambda load: len(load["builds"])),
    "findings left": lambda scan: _places(scan, ""),
    "rules left": lambda scan: len({row[0] for load in scan["loads"] for row in load["open"]}),
    "files with findings left": lambda scan: _sum(scan, lambda load: len({row[1] for row in load["open"]})),
    "findings of a day and more": lambda scan: _sum(
        scan, lambda load: sum(row[3] for row in load["open"] if row[2] in ("medium", "large", "redesign"))
    ),
    "warp-level places": lambda scan: (
        _places(scan, "warp", "cooperative-groups") + _places(scan, "converted/warp", key="converted")
    ),
    "PTX statements": lambda scan: _places(scan, "ptx") + _places(scan, "converted/ptx", key="converted"),
    "library and API places": lambda scan: _places(scan, "library", "api"),
    "cuDNN places": lambda scan: _places(scan, "api/cudnn", "library/cudnn"),
    "build findings": lambda scan: _places(scan, "build", "environment"),
    "Python findings": lambda scan: _places(scan, "python", "packages"),
    "files without an equivalent": lambda scan: sum(len(files) for files in scan["blocked"].values()),
    "files changed automatically": lambda scan: _sum(scan, lambda load: len(load["review"])),
    "automatic changes": lambda scan: _sum(scan, lambda load: sum(count for _, count in load["review"])),
}


@cache
def rivals() -> tuple[Rival, ...]:
    """Every fact beside the kind, the best left out first."""
    ports = backtest.fitted()
    found = []
    for name, fact in FACTS.items():
        values = [math.log1p(fact(port_scans.scans()[port.name])) for port in ports]
        line = _line(ports, values)
        inside = [line[1](port.kind, value) - math.log(port.days) for port, value in zip(ports, values, strict=True)]
        errors = []
        for at, port in enumerate(ports):
            rest = [*ports[:at], *ports[at + 1 :]]
            errors.append(
                _line(rest, [*values[:at], *values[at + 1 :]])[1](port.kind, values[at]) - math.log(port.days)
            )
        found.append(Rival(name, spread(inside), spread(errors), 10 ** line[0]))
    return tuple(sorted(found, key=lambda rival: rival.left_out))


def _line(ports: Sequence[Port], values: Sequence[float]) -> tuple[float, Callable[[str, float], float]]:
    """The slope within kinds by least squares, and the line: kind and value -> logarithm of days."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for port, value in zip(ports, values, strict=True):
        groups.setdefault(port.kind, []).append((value, math.log(port.days)))
    middle = {kind: (fmean(x for x, _ in mine), fmean(y for _, y in mine)) for kind, mine in groups.items()}
    apart = [(x - middle[kind][0], y - middle[kind][1]) for kind, mine in groups.items() for x, y in mine]
    squares = math.fsum(x * x for x, _ in apart)
    slope = math.fsum(x * y for x, y in apart) / squares if squares else 0.0
    return slope, lambda kind, value: middle[kind][1] + slope * (value - middle[kind][0])


def interval(errors: Sequence[float]) -> tuple[float, float, float]:
    """Where the factor lies in 95 of 100 samples of as many ports, and the part of samples under 2.2."""
    drawn = random.Random(0)
    factors = sorted(spread(drawn.choices(errors, k=len(errors))) for _ in range(DRAWS))
    low, high = factors[round(0.025 * DRAWS)], factors[round(0.975 * DRAWS) - 1]
    return low, high, sum(factor < 2.2 for factor in factors) / DRAWS


def widths(errors: Sequence[float]) -> list[tuple[int, int]]:
    """How many ports lie inside an interval of several widths, left out."""
    return [(width, sum(abs(error) <= math.log(width) / 2 for error in errors)) for width in (4, 6, 8, 9, 12, 16)]


def alike(parts: float = 1.3, size: float = 1.5) -> tuple[int, float]:
    """Pairs of ports that a scan hardly tells apart, and the factor by which one of such a pair is off from their mean.

    They are of one kind, and differ by less than these factors in the days of their parts and in their lines of CUDA
    code. Whatever formula: days of ports that look the same are known no better than that.
    """
    lines_ = {port.name: FACTS["lines of CUDA code"](port_scans.scans()[port.name]) for port in backtest.fitted()}
    apart = [
        math.log(one.days / other.days)
        for one, other in combinations(backtest.fitted(), 2)
        if one.kind == other.kind
        and abs(math.log(one.parts / other.parts)) < math.log(parts)
        and abs(math.log(lines_[one.name] / lines_[other.name])) < math.log(size)
    ]
    return len(apart), spread([gap / math.sqrt(2) for gap in apart])


def lines() -> list[str]:
    """The table, and the intervals, as Markdown."""
    errors = [row.error for row in backtest.rows()]
    out = ["| kind and | in the sample | left out | days for a tenfold |", "|---|--:|--:|--:|"]
    out += [f"| {one.fact} | {one.inside:.2f} | {one.left_out:.2f} | {one.tenfold:.1f} times |" for one in rivals()]
    low, high, part = interval(errors)
    inside = ", ".join(f"{count} inside {width} times" for width, count in widths(errors))
    pairs, noise = alike()
    shipped = spread([math.log(row.shipped.p50 / row.port.days) for row in backtest.rows()])
    return [
        *out, "",
        f"model in the sample {shipped:.2f}; its factor left out is {low:.2f} to {high:.2f} in 95 of 100 samples of "
        f"these ports, under 2.2 in {part:.0%}",
        "",
        f"{pairs} pairs of ports of one kind with parts within 1.3 times and lines within 1.5 times: their days are "
        f"off from each other's mean by a factor of {noise:.2f}",
        "", f"ports by the width of the interval, of {len(errors)}: {inside}",
    ]  # fmt: skip
