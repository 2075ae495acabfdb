"""What the template says: filters, and the parts of a report that are sentences and tables.

Result: values for `templates/page.html`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote

from cudamigrate.lazy_re import re
from cudamigrate.model import SUPPORTS, JsonValue, Report
from cudamigrate.model.estimate import Estimate, Performance, Source
from cudamigrate.model.lane_facts import LaneFunction
from cudamigrate.reporting import money, type_check
from cudamigrate.reporting.basis import basis, workload
from cudamigrate.reporting.first_screen import area_days, chosen, scored, smaller
from cudamigrate.reporting.formats.html import bars
from cudamigrate.reporting.formats.html.work import collapsed
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import (
    ADVICE,
    CATEGORIES,
    LANE_WORDS,
    MEANING,
    WORST_FIRST,
    advised,
    between,
    days,
    encodable,
    lane_functions,
    lane_line,
    listed,
    newer_days,
    overall,
    port_lines,
    summarize,
)

_CODE = re.compile(r"`([^`]+)`")


def context(report: Report) -> dict[str, object]:
    """What the template needs beside the report itself."""
    estimate = report.estimate
    summary = summarize(report)
    saved = newer_days(report)
    return {
        "summary": summary,
        "estimate": estimate,
        "advised": advised(estimate) if estimate is not None else [],
        "verdict": overall(estimate) if estimate is not None else None,
        "sentence": sentence(report),
        "components": bars.components(report),
        "chosen": chosen(report),
        "smaller": smaller(report),
        "basis": basis(report),
        "port_lines": port_lines(report),
        "numbered": {step.name: at for at, step in enumerate(estimate.plan if estimate is not None else (), 1)},
        "work": bars.work(estimate) if estimate is not None and estimate.items else None,
        "files": bars.files(report),
        "outcomes": [(word, summary.outcomes[word], MEANING[word]) for word in WORST_FIRST],
        "newer": [(version, count, saved.get(version, 0.0)) for version, count in summary.newer.items()],
        "coverage": _coverage(report),
        "linked": {finding.path for finding in report.findings if finding.resolution != "fine"},
        "other_submodules": [path for path in summary.submodules if path not in summary.needed_submodules],
        "supports": SUPPORTS,
        "type_verdict": type_check.verdict(report),
        "type_remarks": type_check.remarks(report),
        "run_words": _RUNS,
        "run_counts": _run_counts(report),
        "speeds": _speeds(estimate),
        "advice": ADVICE,
        "categories": CATEGORIES,
        "items": collapsed(estimate) if estimate is not None else ([], []),
        "prices": _prices(estimate),
        "price_heads": money.PRICE_HEADS,
        **_money(estimate),
        **_lanes(report),
    }


def _lanes(report: Report) -> dict[str, object]:
    """The functions with warp-level code, and whether any of them has something to say."""
    found = lane_functions(report)
    return {
        "lane_functions": found,
        "lane_line": lane_line(report),
        "lane_words": LANE_WORDS,
        "lane_reasons": any(lane_reason(one) for _, one in found),
    }


def _speeds(estimate: Estimate | None) -> Sequence[Performance]:
    """The speeds to show: none where each row would only repeat that nothing is published, as the first screen says."""
    every = estimate.performance if estimate is not None else ()
    return every if any(not one.no_data or len(one.reasons) > 1 for one in every) else ()


def _money(estimate: Estimate | None) -> dict[str, object]:
    """What prices make of the move, and what several cards differ in."""
    if estimate is None or estimate.business is None:
        return {"money": [], "money_columns": ([], [])}
    asked = estimate.business, estimate.performance
    return {"money": money.rows(*asked), "money_columns": money.columns(*asked)}


def _prices(estimate: Estimate | None) -> tuple[list[tuple[str, ...]], list[str]]:
    """The verdict under each pair of prices, and what speaks against the move."""
    if estimate is None or estimate.business is None:
        return [], []
    return list(money.price_rows(estimate.business)), money.contrary(estimate.business)


_RUNS = {"same": "the same", "differs": "different", "not-run": "not run"}


def _run_counts(report: Report) -> list[tuple[str, int]]:
    """How many programs there are of each verdict."""
    runs = report.proof.runs if report.proof is not None else None
    words = [verdict.word for verdict in runs.verdicts] if runs is not None else []
    return [(word, sum(one == word for one in words)) for word in _RUNS]


def _coverage(report: Report) -> list[tuple[str, list[int], int]]:
    """How well HIP covers what was found: findings of each library, or group, by support, without the fine ones."""
    found: dict[str, list[int]] = {}
    for finding in listed(report):
        rule = report.rules.get(finding.rule)
        name = rule.library if rule is not None and rule.library else finding.group
        found.setdefault(name, [0] * len(SUPPORTS))[SUPPORTS.index(finding.support)] += 1
    rows = [(name, counts, sum(counts)) for name, counts in found.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0]))


def lane_reason(one: LaneFunction) -> str:
    """Why a function needs somebody: the rules of what is left, or what keeps it from being checked."""
    return ", ".join(one.rules) or (one.why if one.state == "unchecked" else "")


def number(value: int) -> str:
    """A count with its thousands apart."""
    return f"{value:,}"


def marked(text: str) -> object:
    """Prose whose `code` is code; all of it is escaped."""
    from markupsafe import Markup, escape

    pieces, at = Markup(""), 0
    for match in _CODE.finditer(text):
        pieces += escape(text[at : match.start()]) + Markup("<code>{}</code>").format(match[1])
        at = match.end()
    return pieces + escape(text[at:])


def speed(low: float | None, high: float | None, no_data: bool = False) -> str:
    """A range in percent of the CUDA baseline."""
    if no_data:
        return "no data"
    return "not available" if low is None or high is None else f"{round(low)} to {round(high)} %"


def cited(source: Source) -> str:
    """A source with its date and how good it is."""
    dated = f", {source.date}" if source.date else ""
    return f"{source.text}{dated}" if source.grade == "given" else f"{source.text}{dated} ({source.grade})"


def fragment(text: str) -> str:
    """A name as it is in a link inside the page."""
    return quote(encodable(text), safe="/=?#")


FILTERS: dict[str, Callable[..., JsonValue]] = {
    "area_days": area_days,
    "between": between,
    "cited": cited,
    "days": days,
    "fragment": fragment,
    "lane_reason": lane_reason,
    "marked": marked,
    "number": number,
    "scored": scored,
    "speed": speed,
    "workload": workload,
}
