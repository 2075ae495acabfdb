"""The estimate of a move: what it costs, what it gives, and what to do.

The numbers are those of `rules/*.toml`; docs/effort.md says how they were set and how weak they are.

`clues` reads what one file shows, `survey` joins it to what the repository is, `category` makes components of it,
`optional` parts what a port can do without from the core, `loads` says what the core asks for, `effort` prices that,
`blockers` what has no equivalent, `beside_total` the optional parts, `totals` adds up, and `performance`, `business`,
`plan`, `frameworks` and `published_days` make the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from cudamigrate.config import Config
from cudamigrate.estimate import (
    beside_total,
    business,
    clues,
    demand,
    effort,
    frameworks,
    loads,
    optional,
    performance,
    plan,
    prices,
    published_days,
    replacements,
)
from cudamigrate.estimate.category import Part, parts, whole
from cudamigrate.estimate.survey import Survey, join
from cudamigrate.estimate.tables import table
from cudamigrate.estimate.totals import total
from cudamigrate.model import FileResult, Report, SourceFile, release
from cudamigrate.model.estimate import (
    Blocker,
    Business,
    Component,
    CostItem,
    Estimate,
    FileClues,
    Performance,
    Replacement,
    Verdict,
)

__all__ = ["check", "demand_of", "make", "of", "reader"]


LEAST = 0.5
"""Days that a newer ROCm saves at least where it is worth waiting for."""


def reader() -> Callable[[SourceFile], FileClues | None]:
    """What reads the clues of one file; it can be sent to other processes."""
    return partial(clues.of, wanted=frameworks.words(table("frameworks")))


def make(report: Report, results: Iterable[FileResult], config: Config) -> Estimate:
    """The estimate of a scan, whose results hold the clues of their files, those of files that were skipped too.

    Raises ConfigError for a GPU that is not known, RuleError.
    """
    return of(report, join(results), config)


def check(config: Config) -> None:
    """Raise ConfigError for GPUs that are not known and prices without a pair: before a long scan, not after it."""
    cards = performance.gpus(config.gpu, config.arch, config.source_gpu, table("gpus"))
    prices.check(cards, config, table("gpus"))


def of(report: Report, seen: Survey, config: Config) -> Estimate:
    """The estimate of a report and what was seen beside it."""
    book = table("effort")
    found = _parts(report, seen)
    cores = optional.cores(found, report.rules)
    wanted = loads.of(found, cores, report, seen, book)
    priced = demand.price(wanted, report.rules, book)
    items, days, stops, common = priced.items, priced.days, priced.stops, book.number("law", "common")
    components = _components(found, items, wanted.loads, seen, common)
    uses = frameworks.uses(seen, report.findings, report.rules, table("frameworks"))
    cards = performance.gpus(config.gpu, config.arch, config.source_gpu, table("gpus"))
    speeds = performance.expected(found, seen, cards, table("performance"))
    money = business.view(days, speeds, cards, config, book, table("gpus"))
    steps = plan.steps(items, bool(stops), common)
    replaced = replacements.of(replacements.libraries(report.files, seen))
    category = whole(found, {component.path: component.days.p50 for component in components})
    published, stated = published_days.published(found, category, book)
    pieces, ported = [one for core in cores.values() for one in core.pieces], _ported(found)
    return Estimate(
        category=category,
        days=days,
        published=published,
        compared=published_days.compared(category, days, published, items, stops, ported),
        items=tuple(items),
        components=tuple(components),
        blockers=tuple(stops),
        performance=tuple(speeds),
        verdicts=tuple(_verdicts(report, found, stops, speeds, money, items, replaced)),
        plan=tuple(steps),
        frameworks=tuple(uses),
        business=money,
        sources=published_days.sources(items, stated),
        resolved=priced.resolved,
        staffing=tuple(plan.staffing(steps, days)) if items else (),
        ported=ported,
        optional=beside_total.of(pieces, report, seen, wanted, loads.done(found)),
        manual=priced.manual,
        kind=priced.kind,
        replaced=replaced,
    )


def demand_of(report: Report, seen: Survey) -> demand.Demand:
    """What a scanned repository asks for, before it is priced."""
    found = _parts(report, seen)
    cores = optional.cores(found, report.rules)
    return loads.of(found, cores, report, seen, table("effort"))


def _parts(report: Report, seen: Survey) -> list[Part]:
    return parts(report.files, seen, frameworks.telling(table("frameworks")), report.port)


def _verdicts(
    report: Report, found: Sequence[Part], stops: Sequence[Blocker], speeds: Sequence[Performance],
    money: Business | None, items: Sequence[CostItem], replaced: Sequence[Replacement],
) -> list[Verdict]:  # fmt: skip
    """What is recommended for each workload and for the whole."""
    later = _later(report, items)
    return business.verdicts(found, stops, speeds, money, later, replaced, _unread(report), report.glanced)


def _unread(report: Report) -> int:
    """How many files, submodules, or languages that are not glanced at, may hold GPU code that is not known."""
    return report.unread or (0 if report.glanced else len(report.unread_languages)) or len(report.submodules)


def _later(report: Report, items: Sequence[CostItem]) -> tuple[str, float]:
    """The ROCm release after the target that saves most of the manual work, and the part of it, 0 to 1."""
    manual = [item for item in items if item.kind == "findings"]
    saved: dict[str, float] = {}
    for item in manual:
        since = report.rules[item.rule].since if item.rule in report.rules else ""
        if since[:1].isdigit() and release(since) > release(report.target.rocm):
            saved[since] = saved.get(since, 0.0) + item.days.p50
    best = max(saved, key=lambda version: saved[version], default="")
    return (
        (best, saved[best] / math.fsum(item.days.p50 for item in manual)) if best and saved[best] > LEAST else ("", 0.0)
    )


def _components(
    found: Sequence[Part], items: Sequence[CostItem], loads: Mapping[str, effort.Load], seen: Survey, common: float
) -> list[Component]:
    return [
        Component(
            path=part.path,
            category=part.category,
            evidence=part.evidence,
            files=len(part.files),
            cuda_lines=part.cuda_lines,
            findings=part.gaps,
            days=total([item.days for item in items if item.component == part.path], common),
            ported=part.ported,
            underlying=part.underlying,
            also=(part.python,) if part.python not in ("no-gpu", part.underlying) else (),
            kind=loads[part.path].kind,
            kernels=sum(file.kernels for file in part.cuda),
            hip=part.hip,
            programs=part.programs,
            strings=sum(count for path, count in seen.strings.items() if seen.home(path) == part.path),
        )
        for part in found
    ]


def _ported(found: Sequence[Part]) -> float:
    """How far the CUDA code of all components is ported, by lines."""
    lines = sum(part.cuda_lines for part in found)
    if not lines:
        return max((part.ported for part in found), default=0.0)
    return round(sum(part.ported * part.cuda_lines for part in found) / lines, 2)
