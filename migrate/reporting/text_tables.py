"""The tables of the report for a terminal, as rich draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from cudamigrate.errors import printable
from cudamigrate.model import FileResult, Outcome, Report
from cudamigrate.reporting.first_screen import Action, Area, area_days, scored
from cudamigrate.reporting.summary import RuleTally, Tally, between
from cudamigrate.wording import count_of

_STYLE: dict[Outcome, str] = {
    "wrong-result": "bold red",
    "compile-error": "yellow",
    "missing": "magenta",
    "slower": "cyan",
    "fine": "green",
}


def of_areas(found: Sequence[Area], report: Report) -> Table:
    """The components with their scores."""
    timed = report.estimate is not None
    table = _table("Component", "Score", "Automatic", "Review", "Manual", *(["Days"] if timed else []))
    for one in found:
        spent = [area_days(one)] if timed else []
        table.add_row(Text(one.title), scored(one), *_counts(one.tally), *spent)
    return table


def of_actions(shown: Sequence[Action], rest: Sequence[tuple[str, str]], columns: int) -> Table:
    """What to do, and in `rest` what is left out, as words and days."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=True, header_style="bold")
    room = columns - (34 if any(map(_marks, shown)) else 26)
    table.add_column("What to do", overflow="ellipsis", no_wrap=True, max_width=room)
    table.add_column("Engineer-days", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, style="dim")
    for at, one in enumerate(shown, 1):
        text = Text(f"{at}. {printable(one.title)}")
        text.append(_detail(one, room - len(text)), style="dim")
        table.add_row(text, between(one.days), " ".join(_marks(one)))
    for words, spent in rest:
        table.add_row(Text(f"   {words}", style="dim"), spent)
    if any(one.blocker for one in shown):
        table.add_row(Text("   * a blocker: not in the total", style="dim"), "")
    return table


def _detail(one: Action, room: int) -> str:
    """What an action counts, in brackets: without its files, or not at all, where there is no room for it."""
    said = [f" ({printable(detail)})" for detail in (one.detail, one.detail.partition(" in ")[0]) if detail]
    return next((text for text in said if len(text) <= room), "")


def _marks(one: Action) -> list[str]:
    return [*(["assumed"] if one.assumed else []), *(["*"] if one.blocker else [])]


def of_files(files: list[tuple[FileResult, Tally]], shown: int, columns: int) -> Table:
    """The first files with what they hold; `shown` says how many."""
    table = _table("Files, most manual work first", "Automatic", "Review", "Manual")
    room = columns - 36
    for file, counted in files[:shown]:
        table.add_row(Text(_fitted(printable(file.path), room)), *_counts(counted))
    if rest := [counted for _, counted in files[shown:]]:
        table.add_row(Text(count_of(len(rest), "more file"), style="dim"), *_counts(_summed(rest)))
    return table


def _summed(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def of_rule(tally: RuleTally, columns: int) -> Table:
    """A rule with its count and first place, and under it the message on one line."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 1), width=columns)
    table.add_column(justify="right", no_wrap=True, width=6)
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    first = tally.first
    place = f"{printable(first.path)}:{first.position.line}"
    if tally.count > 1:
        place = f"first at {place}"
    entry = Text(printable(tally.rule), style=_STYLE[first.outcome])
    entry.append("  " + _fitted(place, max(columns - len(tally.rule) - 12, 16)), style="dim")
    entry.append(f"\n{printable(first.message)}", style="default not bold")
    table.add_row(Text(_number(tally.count)), entry)
    return table


def _table(*columns: str) -> Table:
    """A table whose first column holds names and gives way, and whose others hold counts."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 1), header_style="dim")
    table.add_column(Text(columns[0], style="bold not dim"), overflow="ellipsis", no_wrap=True)
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _counts(tally: Tally) -> tuple[Text, Text, Text]:
    return Text(_number(tally.automatic)), Text(_number(tally.review)), Text(_number(tally.manual))


def _fitted(path: str, room: int) -> str:
    """`path` in `room` columns: its end says more than its beginning."""
    if cell_len(path) <= room:
        return path
    while cell_len(path) > max(room, 8) - 3:
        path = path[1:]
    return f"...{path}"


def _number(value: int) -> str:
    return f"{value:,}"
