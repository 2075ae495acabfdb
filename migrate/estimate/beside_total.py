"""What the optional parts of a repository would take, beside the total."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cudamigrate.estimate import blockers, demand, effort, optional
from cudamigrate.estimate.survey import Survey
from cudamigrate.estimate.tables import Table, table
from cudamigrate.estimate.totals import plus, total
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Report
from cudamigrate.model.estimate import OptionalPart
from cudamigrate.wording import series


def of(
    pieces: Sequence[optional.Piece], report: Report, seen: Survey, wanted: demand.Demand, done: frozenset[str]
) -> tuple[OptionalPart, ...]:
    """Optional parts on the calibration of the total."""
    book = table("effort")
    parts_ = _optional(pieces, report, seen, book, done)
    apart = {path for piece in pieces for path in piece.files}
    lines = sum(file.lines for file in report.files if file.cuda and file.path in apart)
    by = demand.growth(wanted, math.fsum(part.days.p50 for part in parts_), lines, book)
    return tuple(replace(part, days=effort.scaled(part.days, by)) for part in parts_)


def _optional(
    pieces: Sequence[optional.Piece], report: Report, seen: Survey, book: Table, done: frozenset[str]
) -> tuple[OptionalPart, ...]:
    """What the optional parts would take, each by its name over all components; a way around its blockers included."""
    titles = {rule.id: rule.title for rule in report.rules.values()}
    kernels = {file.path: file.kernels for file in report.files if file.kernels}
    made = []
    for name in sorted({piece.name for piece in pieces}):
        mine = [piece for piece in pieces if piece.name == name]
        findings = [finding for piece in mine for finding in piece.findings]
        work, blocked = blockers.split(findings, Survey(roots=seen.roots), book, done)
        whole = {path for piece in mine for path in piece.files}
        load = effort.Load(
            ".",
            (),
            open=effort.opened(work, titles),
            review=effort.reviews(work),
            kernels={path: kernels[path] for path in whole if path in kernels},
            triton={path: count for path, count in seen.triton.items() if path in whole},
        )
        days = total([item.days for item in effort.items(load, book)], book.number("law", "common"))
        stops = blockers.blockers(blocked, report.rules, book)
        for stop in stops:
            days = plus(days, stop.alternatives[0].days)
        if days.p90 >= 0.05:
            around = f", a way around {series(blockers.named(stop) for stop in stops)} included" if stops else ""
            made.append(OptionalPart(name, f"{mine[0].reason}{around}", days, len(findings)))
    return tuple(sorted(made, key=lambda part: (-part.days.p50, part.name)))
