"""Report -> charts: what the plotting library draws, and the same numbers as a table and as points to step through.

Result: `Chart`s in the order of the page. Colors are names that the page's script looks up in the theme, so that one
drawing serves light, dark and paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cudamigrate.model import JsonValue, Report
from cudamigrate.model.estimate import Estimate
from cudamigrate.reporting.summary import FileWork, Tally, days, file_work, parts, summarize, tally

BOXES = 150
"""Files with a box of their own; the rest shares one."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure. `drawing` is for the script; `rows` under `heads` are the table, each with where it leads."""

    name: str
    title: str
    summary: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    drawing: JsonValue


def charts(report: Report) -> list[Chart]:
    """The charts that the report has numbers for."""
    found = []
    if report.estimate is not None:
        found.append(_waterfall(report.estimate))
    if report.findings:
        found.append(_groups(report))
    works = [work for work in file_work(report) if work.days > 0 or work.tally.manual]
    if works:
        found.append(_treemap(report, works))
    return found


def _waterfall(estimate: Estimate) -> Chart:
    pieces = parts(estimate)
    total = estimate.days
    spread = f"{days(total.p10)} to {days(total.p90)}"
    rows = [("", (part.title, days(part.days), f"{part.items:,}" if part.items else "")) for part in pieces]
    rows.append(("", ("In all", days(total.p50), f"four in five: {spread}")))
    largest = max(pieces, key=lambda part: part.days, default=None)
    most = f" Most of it is {largest.title.lower()}, {days(largest.days)}." if largest is not None else ""
    drawing = {
        "kind": "waterfall",
        "labels": [*(part.title for part in pieces), "In all"],
        "values": [*(_plotted(part.days) for part in pieces), _plotted(total.p50)],
        "texts": [*(days(part.days) for part in pieces), days(total.p50)],
        "low": _plotted(total.p10),
        "high": _plotted(total.p90),
        "spread": spread,
    }
    return Chart(
        "waterfall",
        "Where the days come from",
        f"{days(total.p50)} engineer-days in the middle case, {spread} in four cases of five.{most}",
        ("Work", "Engineer-days", "Items"),
        tuple(rows),
        drawing,
    )


def _plotted(value: float) -> float:
    """A number to draw; adding nothing turns minus nothing into nothing."""
    return round(float(value), 3) + 0.0


def _treemap(report: Report, works: Sequence[FileWork]) -> Chart:
    timed = any(work.days > 0 for work in works)
    unit = "engineer-days" if timed else "manual findings"
    sized = [work for work in works if _size(work, timed) > 0]
    shown, rest = sized[:BOXES], sized[BOXES:]
    nodes = _Nodes(report.repository.name or "repository")
    for work in shown:
        nodes.add(work.file.path, _size(work, timed), _color(work))
    if rest:
        nodes.other(len(rest), sum(_size(work, timed) for work in rest))
    top = f" The first is {shown[0].file.path} with {_said(shown[0], timed)}." if shown else ""
    rows = tuple((f"#file={work.file.path}", (work.file.path, *_cells(work, timed))) for work in shown[:100])
    return Chart(
        "treemap",
        "Files by effort",
        f"Files that ask for work: {len(sized):,}. Boxes are as large as their {unit}.{top}",
        ("File", *(["Engineer-days"] if timed else []), "Manual", "Findings"),
        rows,
        {"kind": "treemap", "unit": unit, **nodes.columns()},
    )


def _size(work: FileWork, timed: bool) -> float:
    return work.days if timed else float(work.tally.manual)


def _said(work: FileWork, timed: bool) -> str:
    return f"{days(work.days)} days" if timed else f"{work.tally.manual:,}"


def _cells(work: FileWork, timed: bool) -> tuple[str, ...]:
    counts = (f"{work.tally.manual:,}", f"{work.tally.findings:,}")
    return (days(work.days), *counts) if timed else counts


def _color(work: FileWork) -> str:
    """The worst outcome among what is left for manual review."""
    return tally(finding for finding in work.file.findings if not finding.automatic).worst


class _Nodes:
    """Folders and files as columns: a folder is as large as what is in it."""

    def __init__(self, name: str) -> None:
        self.at = {"": 0}
        self.labels, self.parents = [name], [-1]
        self.values, self.colors, self.paths = [0.0], ["folder"], [""]

    def add(self, path: str, size: float, color: str) -> None:
        above = 0
        folder = ""
        for step in path.split("/")[:-1]:
            folder = f"{folder}{step}/"
            above = self._node(folder, step, above)
        leaf = self._node(path, path.rpartition("/")[2], above)
        self.colors[leaf], self.paths[leaf] = color, path
        while leaf >= 0:
            self.values[leaf] += size
            leaf = self.parents[leaf]

    def other(self, count: int, size: float) -> None:
        leaf = self._node("\0other", f"{count:,} other files", 0)
        self.colors[leaf] = "other"
        self.values[leaf] += size
        self.values[0] += size

    def columns(self) -> dict[str, JsonValue]:
        values = [round(value, 4) + 0.0 for value in self.values]
        return {
            "labels": self.labels,
            "parents": self.parents,
            "values": values,
            "texts": [days(value) for value in values],
            "colors": self.colors,
            "paths": self.paths,
        }

    def _node(self, key: str, label: str, above: int) -> int:
        if key not in self.at:
            self.at[key] = len(self.labels)
            self.labels.append(label)
            self.parents.append(above)
            self.values.append(0.0)
            self.colors.append("folder")
            self.paths.append("")
        return self.at[key]


def _groups(report: Report) -> Chart:
    groups = summarize(report).groups
    ordered = sorted(groups.items(), key=lambda pair: (-pair[1].findings, pair[0]))
    rows = tuple((f"#findings?group={name}", (name, *_tally_cells(counted))) for name, counted in ordered)
    total = tally(report.findings)
    return Chart(
        "groups",
        "Findings by group",
        f"{total.findings:,} findings, {total.automatic:,} automatic and {total.manual:,} manual.",
        ("Group", "Findings", "Automatic", "Manual", "Worst outcome"),
        rows,
        {
            "kind": "groups",
            "labels": [name for name, _ in ordered],
            "automatic": [counted.automatic for _, counted in ordered],
            "manual": [counted.manual for _, counted in ordered],
        },
    )


def _tally_cells(counted: Tally) -> tuple[str, ...]:
    return (f"{counted.findings:,}", f"{counted.automatic:,}", f"{counted.manual:,}", counted.worst)
