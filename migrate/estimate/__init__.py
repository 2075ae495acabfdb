"""The estimate of a move: what it costs, what it gives, and what to do.

The numbers are those of `rules/*.toml`; docs/effort.md says how they were set and how weak they are.

`clues` reads what one file shows, `survey` joins it to what the repository is, `category` makes components of it,
`optional` parts what a port can do without from the core, `effort` prices its work, `blockers` what has no equivalent,
`totals` adds up, and `performance`, `business`, `plan` and `frameworks` make the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from cudamigrate.config import Config
from cudamigrate.estimate import (
    blockers,
    business,
    clues,
    demand,
    effort,
    frameworks,
    optional,
    performance,
    plan,
    replacements,
)
from cudamigrate.estimate.category import NATIVE, Part, gaps, parts, whole
from cudamigrate.estimate.survey import Survey, join
from cudamigrate.estimate.tables import Table, table
from cudamigrate.estimate.totals import plus, total
from cudamigrate.model import FileResult, Finding, Report, SourceFile, release
from cudamigrate.model.estimate import (
    Blocker,
    Category,
    Component,
    CostItem,
    Days,
    Estimate,
    FileClues,
    OptionalPart,
    Source,
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
    """Raise ConfigError where the configuration names a GPU that is not known: before a long scan, not after it."""
    performance.gpus(config.gpu, config.arch, config.source_gpu, table("gpus"))


def of(report: Report, seen: Survey, config: Config) -> Estimate:
    """The estimate of a report and what was seen beside it."""
    book = table("effort")
    found = parts(report.files, seen, frameworks.telling(table("frameworks")), report.port)
    cores = {part.path: optional.split(part, report.rules) for part in found}
    wanted = demanded(found, cores, report, seen, book)
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
    published, stated = _published(found, category, book)
    return Estimate(
        category=category,
        days=days,
        published=published,
        compared=compared(category, days, published, items, stops, _ported(found)),
        items=tuple(items),
        components=tuple(components),
        blockers=tuple(stops),
        performance=tuple(speeds),
        verdicts=tuple(business.verdicts(found, stops, speeds, money, _later(report, items), replaced)),
        plan=tuple(steps),
        frameworks=tuple(uses),
        business=money,
        sources=_sources(items, stated),
        resolved=priced.resolved,
        staffing=tuple(plan.staffing(steps, days)) if items else (),
        ported=_ported(found),
        optional=_apart([one for core in cores.values() for one in core.pieces], report, seen, wanted, _done(found)),
        manual=priced.manual,
        kind=priced.kind,
        replaced=replaced,
    )


def demand_of(report: Report, seen: Survey) -> demand.Demand:
    """What a scanned repository asks for, before it is priced."""
    book = table("effort")
    found = parts(report.files, seen, frameworks.telling(table("frameworks")), report.port)
    return demanded(found, {part.path: optional.split(part, report.rules) for part in found}, report, seen, book)


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


def demanded(
    found: Sequence[Part], cores: Mapping[str, optional.Split], report: Report, seen: Survey, book: Table
) -> demand.Demand:
    """What the core of each component asks for, and what blocks in all of them."""
    loads: dict[str, effort.Load] = {}
    findings = [finding for core in cores.values() for finding in core.findings]
    findings = replacements.others(findings, replacements.libraries(report.files, seen))
    open_, blocked = blockers.split(findings, seen, book, _done(found))
    left = set(map(id, open_))
    titles = {rule.id: rule.title for rule in report.rules.values()}
    for part in found:
        core = cores[part.path]
        if part.respected:
            loads[part.path] = _gap(core, [one for one in core.findings if id(one) in left], titles)
            continue
        mine = [finding for finding in core.findings if id(finding) in left]
        apart = {path for piece in core.pieces for path in piece.files}
        texts = {path: count for path, count in seen.strings.items() if seen.home(path) == part.path}
        lines = core.lines + sum(file.lines for file in part.files if file.path in texts)
        # nothing was read of kernels in strings
        kind, grade = _kind(part, mine, lines, book) if not texts else ("gaps", 1.0)
        loads[part.path] = effort.Load(
            part.path,
            (part.underlying, part.python),
            kind,
            lines,
            1.0 - book.number("law", "ported") * part.ported,
            effort.opened(mine, titles, seen.guarded, 1.0 - book.number("law", "ported")),
            effort.reviews(core.findings),
            {file.path: file.kernels for file in core.files if file.kernels} | texts,
            {p: count for p, count in seen.triton.items() if seen.home(p) == part.path and p not in apart},
            sorted(seen.builds.get(part.path, {})) or (["other"] if part.cuda else []),
            programs=max(1, part.programs),
            converted=effort.converted(core.findings, book),
            native=frozenset(file.path for file in part.files if file.language in NATIVE),
            grade=grade,
        )
    return demand.Demand(loads, blocked, all(part.python == "no-gpu" for part in found))


def _done(found: Sequence[Part]) -> frozenset[str]:
    """The components that are ported: what would block there, the port has gone around."""
    return frozenset(part.path for part in found if part.category == "ported")


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
        for stop in blockers.blockers(blocked, report.rules, book):
            days = plus(days, stop.alternatives[0].days)
        if days.p90 >= 0.05:
            made.append(OptionalPart(name, mine[0].reason, days, len(findings)))
    return tuple(sorted(made, key=lambda part: (-part.days.p50, part.name)))


def _apart(
    pieces: Sequence[optional.Piece], report: Report, seen: Survey, wanted: demand.Demand, done: frozenset[str]
) -> tuple[OptionalPart, ...]:
    """Optional parts on the calibration of the total."""
    book = table("effort")
    parts_ = _optional(pieces, report, seen, book, done)
    apart = {path for piece in pieces for path in piece.files}
    lines = sum(file.lines for file in report.files if file.cuda and file.path in apart)
    by = demand.growth(wanted, math.fsum(part.days.p50 for part in parts_), lines, book)
    return tuple(
        replace(part, days=effort.rounded(Days(*(by * each for each in (part.days.p10, part.days.p50, part.days.p90)))))
        for part in parts_
    )


def _gap(core: optional.Split, mine: Sequence[Finding], titles: Mapping[str, str]) -> effort.Load:
    """What the gaps of a port ask for: their places, and tests of the kernels that they are in."""
    return effort.Load(
        core.component,
        (),
        open=effort.opened(mine, titles),
        review=effort.reviews(mine),
        kernels={file.path: file.lacking for file in core.files if file.lacking},
    )


def _kind(part: Part, work: Sequence[Finding], lines: int, book: Table) -> tuple[str, float]:
    """The kind of port that a component is, by the work and the CUDA lines of its core, and how far it is one, 0 to 1.

    Names alone are plain where PyTorch's build renames them, and in small programs: a build of one's own is work too.
    """
    if not part.cuda or part.programs:
        return "plain" if part.cuda else "", 1.0
    native = part.underlying == "native-cuda"
    many = len(part.cuda) >= book.number("size", "application-files")
    if native and many and lines > book.number("size", "application-from"):
        return "application", _way(lines, "application-from", "application-lines", book)
    if lines > book.number("size", "full-lines") and (native or gaps(work)):
        return "gaps", _way(lines, "full-lines", "gaps-lines", book)
    return "plain", 1.0


def _way(lines: int, start: str, end: str, book: Table) -> float:
    """How far a number of lines is from one size of the table to another, 0 to 1, as logarithms."""
    first, last = (book.number("size", name) for name in (start, end))
    return min(1.0, math.log(lines / first) / math.log(last / first))


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


def _published(
    found: Sequence[Part], category: Category, book: Table
) -> tuple[tuple[float, float] | None, tuple[Source, ...]]:
    """What others state for the category, or for what a ported one is apart from that."""
    words = [category, *(part.underlying for part in found if part.category == category)]
    for word in words:
        entry = book.at("published").get(word)
        if entry is not None:
            low, high = (float(point) for point in entry["days"])
            return (low, high), (book.source(entry),)
    return None, ()


def compared(
    category: Category,
    days: Days,
    published: tuple[float, float] | None,
    items: Sequence[CostItem],
    stops: Sequence[Blocker],
    done: float,
) -> str:
    """A sentence on why the estimate and the published range differ."""
    if category == "tensorrt":
        return (
            "Others call a move of TensorRT code not feasible today: the days here are for all around it, and each way "
            "to another stack has its own."
        )
    if published is None:
        return "No range of days for this kind of code is published to compare these with."
    sums: dict[str, float] = {}
    for item in items:
        sums[item.kind] = sums.get(item.kind, 0.0) + item.days.p50
    order = sorted(sums, key=lambda kind: (-sums[kind], kind))
    most = " and ".join(f"{kind} ({_said(sums[kind])} days)" for kind in order[:2])
    range_ = f"{published[0]:g} to {published[1]:g} days that others state for its category"
    if days.p50 < published[0]:
        why = [f"{100 * done:.0f} % of it is ported already"] if done >= 0.3 else []
        why += ["what the tool changes by itself is priced as reading it"] if sums.get("review") else []
        why += ["what has no equivalent is listed as blockers and not counted in"] if stops else []
        why = why or ["there is little of it here"]
        return f"The {_said(days.p50)} days are below the {range_}: {'; '.join(why)}. Most goes into {most}."
    if days.p50 > published[1]:
        return (
            f"The {_said(days.p50)} days are above the {range_}: the code is larger or has more gaps, above all {most}."
        )
    return f"The {_said(days.p50)} days lie within the {range_}; most goes into {most}."


def _said(days: float) -> str:
    """Days as reports print them."""
    return f"{days:.1f}".removesuffix(".0") if days < 10 else f"{days:.0f}"


def _sources(items: Sequence[CostItem], more: Sequence[Source]) -> tuple[Source, ...]:
    """Every source of the effort, once."""
    named = [item.source for item in items if item.source is not None]
    return tuple(sorted(dict.fromkeys((*named, *more)), key=lambda source: (source.grade, source.text)))
