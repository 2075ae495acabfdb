"""Items of an estimate -> the rows of "What each day is for": one for each cause, and each source once.

A test of kernels or a repair is an item for each file; a reader asks what it costs in all, and where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cudamigrate.model.estimate import CostItem, Days, Estimate, Source
from cudamigrate.reporting.basis import is_assumed, of_step


@dataclass(frozen=True, slots=True)
class Work:
    """The items of one title, rule and source: their days and places together, and the files, most days first.

    `note` is the number of the source in the list below the table, 0 where there is none.
    """

    title: str
    rule: str
    days: Days
    count: int
    files: tuple[str, ...]
    assumed: bool
    note: int


def collapsed(estimate: Estimate) -> tuple[list[Work], list[Source]]:
    """The rows, those with most days first, and their sources in the order of their numbers."""
    items = estimate.items
    found: dict[tuple[str, str, Source | None], list[CostItem]] = {}
    for item in sorted(items, key=lambda one: (-one.days.p50, one.kind, one.title, one.path, one.rule)):
        found.setdefault((item.title, item.rule, item.source), []).append(item)
    order = sorted(found, key=lambda key: (-sum(one.days.p50 for one in found[key]), key[0], key[1]))
    sources = list(dict.fromkeys(source for _, _, source in order if source is not None))
    return [_work(*key, found[key], sources, of_step(found[key], estimate)) for key in order], sources


def _work(
    title: str,
    rule: str,
    source: Source | None,
    items: Sequence[CostItem],
    sources: Sequence[Source],
    whole: Days | None,
) -> Work:
    spent = whole or Days(*(float(sum(getattr(one.days, end) for one in items)) for end in ("p10", "p50", "p90")))
    files = tuple(dict.fromkeys(one.path for one in items if one.path))
    note = sources.index(source) + 1 if source is not None else 0
    return Work(title, rule, spent, sum(one.count for one in items), files, is_assumed(source), note)
