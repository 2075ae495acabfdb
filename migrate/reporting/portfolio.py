"""Reports of many repositories -> one portfolio: effort, value, what several share, and an order of migration.

Result: plain data, which is also the JSON document, and the same as text or Markdown. What is shared are blockers and
packages without an equivalent: one fix in them serves all repositories that have them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from graphlib import CycleError, TopologicalSorter

from cudamigrate.errors import printable, printable_json
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import Report
from cudamigrate.model.estimate import Days, Estimate
from cudamigrate.reporting.formats.markdown import prose
from cudamigrate.reporting.summary import days, overall


@dataclass(frozen=True, slots=True)
class _Style:
    """How lines are written: a heading, a line of a table of its cells, text of others, and what is below a head."""

    heading: str
    joined: Callable[[list[str]], str]
    said: Callable[[str], str]
    ruled: bool


LEAST = 0.05
"""Days from which on what several have is worth a line."""
SCHEMA = "cudamigrate-portfolio/1"
_NOTHING = "no-gpu"
"""The category of a repository without GPU code."""


@dataclass(frozen=True, slots=True)
class Row:
    """A repository of a portfolio.

    `days` are those of the move without blockers; `value` is what a month saves, worse and better end, where the
    GPU-hours and both prices are known. `blockers` and `packages` have their engineer-days: what has no equivalent
    on AMD, and packages that need manual work. `holds` are folders of other people's repositories in it.
    `error` says why it could not be read.
    """

    name: str
    place: str
    report: str = ""
    category: str = ""
    advice: str = ""
    days: tuple[float, float, float] = (0.0, 0.0, 0.0)
    files: int = 0
    lines: int = 0
    findings: Mapping[str, int] | None = None
    value: tuple[float, float] | None = None
    currency: str = ""
    blockers: Mapping[str, float] | None = None
    packages: Mapping[str, float] | None = None
    holds: tuple[str, ...] = ()
    skipped: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """What several repositories have: its kind, who has it, the days of one fix, and of a fix in each of them.

    `unlocks` are those that nothing else blocks.
    """

    kind: str
    title: str
    repositories: tuple[str, ...]
    once: float
    each: float
    unlocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All repositories, what they share, and the names in the order of migration; when and by what it was made."""

    version: str
    rows: tuple[Row, ...]
    shared: tuple[Shared, ...]
    order: tuple[str, ...]
    date: str = ""
    command: str = ""


def row(name: str, place: str, report: Report, file: str, holds: tuple[str, ...] = ()) -> Row:
    """What a portfolio says of one repository; `file` is its own report, `holds` what it has of other repositories."""
    estimate = report.estimate
    made = Row(
        name=name,
        place=place,
        report=file,
        files=len(report.files),
        lines=sum(one.lines for one in report.files if one.cuda),
        findings=dict(sorted(Counter(one.resolution for one in report.findings).items())),
        holds=holds,
        skipped=report.unread,
    )
    return made if estimate is None else _estimated(made, estimate)


def _estimated(made: Row, estimate: Estimate) -> Row:
    verdict, money = overall(estimate), estimate.business
    savings = money.savings if money is not None else None
    packages: dict[str, float] = {}
    for item in estimate.items:
        if item.rule.startswith("packages/"):
            packages[item.rule.partition("/")[2]] = packages.get(item.rule.partition("/")[2], 0.0) + item.days.p50
    return replace(
        made,
        category=estimate.category,
        advice=verdict.advice if verdict is not None else "",
        days=_rounded(estimate.days),
        value=None if savings is None else (round(savings[0], 2), round(savings[1], 2)),
        currency="" if money is None else money.currency,
        blockers={
            one.title: round(min((way.days.p50 for way in one.alternatives), default=0.0), 2)
            for one in estimate.blockers
        },
        packages={name: round(days, 2) for name, days in sorted(packages.items())},
    )


def _rounded(days: Days) -> tuple[float, float, float]:
    return round(days.p10, 4), round(days.p50, 4), round(days.p90, 4)


def of(rows: Sequence[Row], version: str) -> Portfolio:
    """The portfolio of some repositories."""
    return Portfolio(version, tuple(rows), tuple(_shared(rows)), tuple(_order(rows)))


def _shared(rows: Sequence[Row]) -> list[Shared]:
    """What at least two repositories have, by how many it unlocks and what it saves."""
    having: dict[tuple[str, str], dict[str, float]] = {}
    for one in rows:
        for kind, found in (("blocker", one.blockers), ("package", one.packages)):
            for title, spent in (found or {}).items():
                having.setdefault((kind, title), {})[one.name] = spent
    blocked = {one.name: len(one.blockers or {}) for one in rows}
    shared = [
        Shared(
            kind,
            title,
            tuple(sorted(by_name)),
            max(by_name.values()),
            round(sum(by_name.values()), 2),
            tuple(sorted(name for name in by_name if kind == "blocker" and blocked[name] == 1)),
        )
        for (kind, title), by_name in having.items()
        if len(by_name) > 1 and max(by_name.values()) >= LEAST
    ]
    return sorted(shared, key=lambda one: (-len(one.unlocks), one.once - one.each, -len(one.repositories), one.title))


def _order(rows: Sequence[Row]) -> list[str]:
    """Which repository to move first: one that others hold before these, the blocked last, then by value for effort.

    Without prices the smallest effort comes first. What has no GPU code has nothing to move.
    """
    by_name = {one.name: one for one in rows if moves(one)}
    needs = {
        name: {other for other in one.holds if other in by_name and other != name} for name, one in by_name.items()
    }
    try:
        sorter = TopologicalSorter(needs)
        sorter.prepare()
    except CycleError:
        sorter = TopologicalSorter(dict.fromkeys(by_name, ()))
        sorter.prepare()
    order, ready = [], list[str]()
    while sorter.is_active():
        ready.extend(sorter.get_ready())
        ready.sort(key=lambda name: _rank(by_name[name]))
        order.append(ready.pop(0))
        sorter.done(order[-1])
    return order


def moves(one: Row) -> bool:
    """False for what could not be read and what has no GPU code."""
    return not one.error and one.category != _NOTHING


def _rank(one: Row) -> tuple[bool, float, float, str]:
    days = max(one.days[1], 0.1)
    gain = sum(one.value) / 2 / days if one.value is not None else 0.0
    return bool(one.blockers), -gain, days, one.name


def render_json(portfolio: Portfolio) -> str:
    """The portfolio as a JSON document."""
    rows = [{key: value for key, value in asdict(one).items() if value not in (None, "", ())} for one in portfolio.rows]
    document = {
        "schema": SCHEMA,
        "version": portfolio.version,
        "date": portfolio.date,
        "command": portfolio.command,
        "totals": totals(portfolio.rows),
        "order": portfolio.order,
        "shared": [asdict(one) for one in portfolio.shared],
        "repositories": rows,
    }
    return printable_json(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def totals(rows: Sequence[Row]) -> dict[str, float]:
    """Repositories, those that failed and those that are blocked, engineer-days and lines of CUDA."""
    read = [one for one in rows if not one.error]
    return {
        "repositories": len(rows),
        "failed": len(rows) - len(read),
        "days": round(sum(one.days[1] for one in read), 1),
        "blocked": sum(bool(one.blockers) for one in read),
        "lines": sum(one.lines for one in read),
    }


def render_text(portfolio: Portfolio) -> str:
    """The portfolio for a terminal."""
    style = _Style("{}", lambda cells: "  ".join(cells).rstrip(), printable, ruled=False)
    return "".join(f"{line}\n" for line in _lines(portfolio, style))


def render_markdown(portfolio: Portfolio) -> str:
    """The portfolio as Markdown."""
    style = _Style("## {}\n", lambda cells: f"| {' | '.join(one.strip() for one in cells)} |", prose, ruled=True)
    return "".join(f"{line}\n" for line in _lines(portfolio, style))


def _files_read(count: int) -> str:
    return f"{count:,} {'file that was' if count == 1 else 'files that were'} read"


def _lines(portfolio: Portfolio, style: _Style) -> Iterator[str]:
    heading, said = style.heading, style.said
    found = totals(portfolio.rows)
    yield heading.format("Portfolio")
    yield ", ".join(filter(None, (f"cudamigrate {portfolio.version}", portfolio.date, said(portfolio.command))))
    yield ""
    yield (
        f"{found['repositories']} {'repository' if found['repositories'] == 1 else 'repositories'}, "
        f"{found['failed']} could not be read. About {days(found['days'])} "
        f"engineer-days for {found['lines']:,} lines of CUDA; {found['blocked']} blocked until a way around is chosen."
    )
    yield ""
    yield heading.format("Order of migration")
    yield from _table(_ordered(portfolio, said), style)
    if portfolio.shared:
        yield ""
        yield heading.format("Shared: one fix serves several")
        yield from _table(_common(portfolio, said), style)
    still = [one for one in portfolio.rows if not one.error and not moves(one)]
    if still:
        yield ""
        yield heading.format("Nothing to move")
        yield from (f"- {said(one.name)}: no GPU code in {_files_read(one.files)}" for one in still)
    failed = [one for one in portfolio.rows if one.error]
    if failed:
        yield ""
        yield heading.format("Not read")
        yield from (f"- {said(one.name)}: {said(one.error)}" for one in failed)


def _table(rows: list[list[str]], style: _Style) -> Iterator[str]:
    wide = [max(len(line[at]) for line in rows) for at in range(len(rows[0]))]
    for number, line in enumerate(rows):
        yield style.joined([cell.ljust(width) for cell, width in zip(line, wide, strict=True)])
        if style.ruled and not number:
            yield style.joined(["---"] * len(wide))


def _ordered(portfolio: Portfolio, said: Callable[[str], str]) -> list[list[str]]:
    by_name = {one.name: one for one in portfolio.rows}
    rows = [["", "repository", "days (10 to 90 %)", "CUDA lines", "automatic", "review", "manual", "value", "blockers"]]
    for number, name in enumerate(portfolio.order, 1):
        one, found = by_name[name], by_name[name].findings or {}
        low, middle, high = one.days
        value = f"{one.value[0]:,.0f} to {one.value[1]:,.0f} {one.currency} a month" if one.value else "not known"
        spent = f"{days(middle)} ({days(low)} to {days(high)})"
        counts = [f"{found.get(kind, 0):,}" for kind in ("automatic", "review", "manual")]
        rows.append(
            [
                str(number),
                said(name),
                spent,
                f"{one.lines:,}",
                *counts,
                value,
                said("; ".join(one.blockers or ())) or "none",
            ]
        )
    return rows


def _common(portfolio: Portfolio, said: Callable[[str], str]) -> list[list[str]]:
    rows = [["what", "repositories", "days once", "days in each", "unlocks"]]
    for one in portfolio.shared:
        names = ", ".join(said(name) for name in one.repositories)
        unlocks = ", ".join(said(name) for name in one.unlocks) or "none alone"
        rows.append([f"{one.kind}: {said(one.title)}", names, days(one.once), days(one.each), unlocks])
    return rows
