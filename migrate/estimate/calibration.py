"""The sum of an estimate's parts -> days, calibrated on ports whose days are known (docs/effort.md).

The days are the geometric mean of two opinions: what ports of the same kind took, and the sum of the parts times what
that sum was off by. Beyond the parts of the largest port they grow in proportion to the parts, and nothing is
calibrated that no port stands behind: trees without CUDA code, and the gaps of a port that is there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from cudamigrate.estimate.effort import PLACES, Load, graded, rounded, scaled
from cudamigrate.estimate.tables import Table
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.estimate import Blocker, CostItem, Days

KINDS = ("plain", "gaps", "application", "rewrite")
"""Kinds of ports, the cheapest first; a rewrite is a port that writes its tensor-core kernels again."""


def kind(loads: Iterable[Load], table: Table) -> str:
    """The kind of the dearest component by what is not ported yet of it; empty where none has CUDA code to port."""
    found = [load for load in loads if load.kind]
    return max(found, key=lambda load: (_typical(load, table), KINDS.index(load.kind))).kind if found else ""


def _typical(load: Load, table: Table) -> float:
    """Days of ports of a component's kind, by what is not ported yet of it."""
    return load.left * graded(load, lambda kind: table.number("calibration", kind))


def share(loads: Iterable[Load], of: str, table: Table) -> float:
    """How much of a port of its kind a tree is, 0 to 1: by the lines of small trees, what is not ported yet, and grade.

    A rewrite is no kind of a component: any of them may hold what is written again.
    """
    mine = [load for load in loads if load.kind]
    lines = sum(load.lines for load in mine)
    size = min(1.0, math.sqrt(lines / table.number("size", "full-lines")))
    if of == "rewrite":
        return size * max((load.left for load in mine), default=1.0)
    typical = table.number("calibration", of) if of else 1.0
    return size * max((_typical(load, table) / typical for load in mine if load.kind == of), default=1.0)


def days(parts: float, of: str, share: float, table: Table) -> Days:
    """Days of a tree of a kind whose parts add up to so many days."""
    typical = table.number("calibration", of) * share
    inside = min(parts, table.number("calibration", "largest"))
    middle = math.sqrt(typical * table.number("calibration", "parts") * inside) * (parts / inside if inside else 1.0)
    width = table.number("calibration", "width")
    return rounded(Days(middle / width, middle, middle * width))


def scale(items: list[CostItem], factor: float) -> None:
    """Multiply items, so that their sum is the calibrated total; each in its place, for a large tree has very many."""
    for at, item in enumerate(items):
        items[at] = replace(item, days=scaled(item.days, factor))


def ways(stops: Sequence[Blocker], factor: float) -> list[Blocker]:
    """Blockers whose ways around are times a factor."""
    return [
        replace(stop, alternatives=tuple(replace(way, days=scaled(way.days, factor)) for way in stop.alternatives))
        for stop in stops
    ]


def total(items: Sequence[CostItem], least: Days, table: Table) -> Days:
    """The calibrated total of calibrated items: its P50 is their sum. No point is under that of `least`."""
    middle = round(math.fsum(item.days.p50 for item in items), PLACES)
    width = table.number("calibration", "width")
    return at_least(rounded(Days(middle / width, middle, middle * width)), least)


def at_least(days: Days, least: Days) -> Days:
    """The greater of two estimates, point by point."""
    return Days(max(days.p10, least.p10), max(days.p50, least.p50), max(days.p90, least.p90))


def between(less: Days, more: Days) -> Days:
    """What one estimate has over another, point by point."""
    return Days(*(max(0.0, getattr(more, name) - getattr(less, name)) for name in ("p10", "p50", "p90")))
