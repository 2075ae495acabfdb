"""Report -> bars: tables whose rows have a bar of inline SVG, which the templates draw without a script or a library.

A bar is one or more pieces of a width in percent. Each row has its numbers as text, so that a bar says nothing that
cannot be read, and colours come from the page's style in light, dark and on paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cudamigrate.model import Outcome, Report
from cudamigrate.model.estimate import Estimate
from cudamigrate.reporting.addends import adding_up
from cudamigrate.reporting.first_screen import Area, areas
from cudamigrate.reporting.summary import WORST_FIRST, FileWork, Tally, days, file_work, parts
from cudamigrate.wording import count_of

FILES = 15
"""Files on the overview; all of them have a page."""


LEGEND: Mapping[Outcome, str] = {
    "wrong-result": "wrong result",
    "compile-error": "does not compile",
    "missing": "missing on AMD",
    "slower": "slower",
    "fine": "runs as it is",
}
"""What the colour of a file says: the most harmful outcome of its findings."""
_WORK = (
    ("work", "days of one kind of work"),
    ("saved", "days that it saves"),
    ("total", "all days, P50"),
    ("range", "P10 to P90"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar: where it starts and how wide it is, in percent of the bar, and the class of its colour."""

    start: float
    width: float
    color: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what it is about, where it leads, its bar, and its numbers."""

    title: str
    link: str
    pieces: tuple[Piece, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table with bars; `heads` are those of the numbers, `legend` what each colour says."""

    name: str
    title: str
    summary: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    legend: tuple[tuple[str, str], ...] = ()


def settled(counted: Tally, most: int) -> tuple[Piece, ...]:
    """How a set of findings is fixed, as one bar; `most` findings fill it."""
    numbers = (("automatic", counted.automatic), ("review", counted.review), ("manual", counted.manual))
    return _joined([(color, 100 * value / most) for color, value in numbers]) if most else ()


def _joined(pieces: Sequence[tuple[str, float]]) -> tuple[Piece, ...]:
    found, at = [], 0.0
    for color, width in pieces:
        if width > 0:
            found.append(Piece(round(at, 2), round(width, 2), color))
        at += width
    return tuple(found)


def components(report: Report) -> list[tuple[Area, tuple[Piece, ...]]]:
    """The components of the first screen, each with its bar: how its findings are settled."""
    return [(area, settled(area.tally, area.tally.work)) for area in areas(report)]


def work(estimate: Estimate) -> Chart:
    """Where the days come from: each kind of work begins where the last one ends, and the range is the last bar."""
    pieces = parts(estimate)
    total = estimate.days
    full = max([total.p90, sum(max(part.days, 0.0) for part in pieces), 0.01])
    rows, at = [], 0.0
    for part, spent in zip(pieces, adding_up([part.days for part in pieces], total.p50), strict=True):
        low, high = sorted((at, at + part.days))
        color = "work" if part.days >= 0 else "saved"
        bar = (_piece(low, high, full, color),)
        rows.append(Row(part.title, "", bar, (spent, f"{part.items:,}" if part.items else "")))
        at += part.days
    middle = (_piece(total.p10, total.p90, full, "range"), _piece(0, total.p50, full, "total"))
    rows.append(Row("In all", "", middle, (f"{days(total.p50)} ({days(total.p10)} to {days(total.p90)})", "")))
    said = f"Four moves in five take {days(total.p10)} to {days(total.p90)} engineer-days."
    used = {piece.color for row in rows for piece in row.pieces}
    legend = tuple((color, words) for color, words in _WORK if color in used)
    return Chart("work", "Where the days come from", said, ("Engineer-days", "Items"), tuple(rows), legend)


def _piece(low: float, high: float, full: float, color: str) -> Piece:
    start, end = (min(100.0, max(0.0, 100 * value / full)) for value in (low, high))
    return Piece(round(start, 2), round(max(end - start, 0.3), 2), color)


def files(report: Report) -> Chart:
    """The files that ask for most work."""
    works = [one for one in file_work(report) if one.tally.work]
    timed = any(one.days > 0 for one in works)
    if timed:
        works = [one for one in works if one.days > 0]
    most = max((_size(one, timed) for one in works), default=1.0) or 1.0
    rows = []
    for one in works[:FILES]:
        numbers = (f"{one.tally.automatic:,}", f"{one.tally.review:,}", f"{one.tally.manual:,}")
        bar = (Piece(0, round(100 * _size(one, timed) / most, 2), one.tally.worst),)
        rows.append(Row(one.file.path, f"#file={one.file.path}", bar, (days(one.days), *numbers) if timed else numbers))
    heads = (*(["Days"] if timed else []), "Automatic", "Review", "Manual")
    more = len(works) - len(rows)
    said = f"{count_of(more, 'more file')} on the page Files." if more else ""
    worst = {one.tally.worst for one in works[:FILES]}
    legend = tuple((word, f"{LEGEND[word]} at worst") for word in WORST_FIRST if word in worst)
    return Chart("files", "Files that take most work", said, heads, tuple(rows), legend)


def _size(one: FileWork, timed: bool) -> float:
    return one.days if timed else float(one.tally.work)
