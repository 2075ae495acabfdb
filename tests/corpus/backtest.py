"""What the estimate says of ports whose effort is known, from what was recorded of them, and how far it is off.

A port's recorded counts become the same `Load` that a scanned component becomes, and go through the same code. Lane
code is priced as manual work here: those who made these ports had no tool for it. `fit` sets the days of the three
kinds so that the median error of each is nil; `rows` predicts each port with and without itself in the fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cudamigrate.estimate.blockers import priced
from cudamigrate.estimate.effort import Load, Open, items
from cudamigrate.estimate.tables import Table, table
from cudamigrate.estimate.totals import total
from cudamigrate.model import Effort
from cudamigrate.model.estimate import Days

DATA = Path(__file__).with_name("ports.tsv")
KINDS = ("plain", "gaps", "application")
LEAST = 0.1
"""Days of a kind at least."""
LINES_PER_KERNEL = 120
"""What the corpus projects have between one `__global__` and the next, taken over all; kernels were not recorded."""
PRICED: Mapping[str, tuple[str, Effort]] = {
    "asm": ("ptx/inline-asm", "medium"),
    "lanes": ("warp/lane-code", "small"),
    "groups": ("cooperative-groups/group-reduce", "small"),
    "textures": ("texture/reference", "medium"),
    "gates": ("build/arch-gate", "small"),
}
"""What a recorded hazard counts as."""


@dataclass(frozen=True, eq=False)
class Port:
    """One row of the data."""

    name: str
    kind: str
    use: str
    build: str
    files: int
    lines: int
    hazards: Mapping[str, int]
    days: int
    source: str


@dataclass(frozen=True)
class Row:
    """A prediction beside what was observed; `without` leaves the port out of the fit."""

    port: Port
    days: Days
    without: Days

    @property
    def error(self) -> float:
        """Natural logarithm of prediction by observation, the port left out."""
        return math.log(self.without.p50 / self.port.days)


def ports() -> list[Port]:
    """The data."""
    lines = [line for line in DATA.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    head = lines[0].split("\t")
    return [_port(dict(zip(head, line.split("\t"), strict=True))) for line in lines[1:]]


def _port(row: Mapping[str, str]) -> Port:
    counts = {key: int(row[key]) for key in ("asm", "lanes", "groups", "textures", "matrix", "gates", "names")}
    return Port(
        row["port"], row["kind"], row["use"], row["build"], int(row["files"]), int(row["lines"]), counts,
        int(row["days"] or 0), row["source"],
    )  # fmt: skip


def fitted() -> list[Port]:
    """The ports that the fit rests on: first ports with dates."""
    return [port for port in ports() if port.use == "first"]


def load(port: Port) -> Load:
    """What the port asked for, as a scan of a component would say it."""
    files = [f"{at:03}.cu" for at in range(port.files)]
    opened = [
        Open(rule, path, effort, count)
        for key, (rule, effort) in PRICED.items()
        for path, count in _over(port.hazards[key], files).items()
    ]
    kernels = _over(max(port.files, port.lines // LINES_PER_KERNEL), files)
    kind = "gaps" if port.kind == "rewrite" else port.kind
    category = "pytorch-cuda-extension" if port.build == "torch-extension" else "native-cuda"
    return Load(
        ".", (category,), kind, port.lines, 1.0, opened, _over(port.hazards["names"], files), kernels, {}, [port.build]
    )  # type: ignore[arg-type]


def _over(count: int, files: Sequence[str]) -> dict[str, int]:
    """A count spread evenly over files."""
    each, more = divmod(count, len(files))
    return {path: each + (at < more) for at, path in enumerate(files) if each + (at < more)}


def predicted(port: Port, book: Table, scale: Mapping[str, float] | None = None) -> Days:
    """Days for a port, everything included; `scale` are other days for the kinds than the table's."""
    found = []
    for item in items(load(port), book):
        factor = 1.0
        if item.kind == "integration" and scale is not None:
            kind = "gaps" if port.kind == "rewrite" else port.kind
            factor = scale[kind] / book.cost("integration", kind).likely
        found.append(Days(item.days.p10 * factor, item.days.p50 * factor, item.days.p90 * factor))
    once = [book.cost(*path).times(1.0) for path in (("environment", "native"), ("ci",), ("benchmark",))]
    matrix = _over(port.hazards["matrix"], [f"{at:03}.cu" for at in range(port.files)])
    if matrix:
        way = 0 if port.kind == "rewrite" else -1
        found.append(priced("tensor-cores", matrix, book)[way].days)
    return total([*found, *once], book.number("law", "common"))


def fit(known: Iterable[Port], book: Table) -> dict[str, float]:
    """Days of each kind for which the geometric mean of prediction by observation is one; never less than a tenth."""
    sample = list(known)
    days = {}
    for kind in KINDS:
        mine = [(_line(port, book), port.days) for port in sample if port.kind == kind]
        low, high = LEAST, 200.0
        for _ in range(60):
            middle = math.sqrt(low * high)
            off = sum(math.log((base + slope * middle) / observed) for (base, slope), observed in mine)
            low, high = (middle, high) if off < 0 else (low, middle)
        days[kind] = low
    return days


@cache
def _line(port: Port, book: Table) -> tuple[float, float]:
    """A port's P50 as a line over the days of its kind: P50 adds up."""
    base = predicted(port, book, dict.fromkeys(KINDS, 1e-9)).p50
    return base, predicted(port, book, dict.fromkeys(KINDS, 1.0)).p50 - base


def rows(book: Table | None = None) -> list[Row]:
    """Every port of the fit: predicted as shipped, and with the days of its kind fitted without it."""
    book = book or table("effort")
    known = fitted()
    out = []
    for port in known:
        others = [other for other in known if other is not port]
        without = predicted(port, book, fit(others, book))
        if port.kind == "rewrite":
            without = _times(without, _ways(others, book))
        out.append(Row(port, predicted(port, book), without))
    return out


def _ways(others: Iterable[Port], book: Table) -> float:
    """By what the days of rewrites are off, as the geometric mean of `others` has it."""
    errors = [math.log(port.days / predicted(port, book).p50) for port in others if port.kind == "rewrite"]
    return math.exp(sum(errors) / len(errors))


def _times(days: Days, factor: float) -> Days:
    return Days(days.p10 * factor, days.p50 * factor, days.p90 * factor)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, ties at their mean rank."""
    a, b = _ranks(first), _ranks(second)
    middle = (len(a) - 1) / 2
    over = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    under = math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))
    return over / under


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]
