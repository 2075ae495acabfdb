"""Report -> text for a terminal: what was read, what is CUDA in it, what moves by itself, and what needs a hand.

Comes in: a `Report`. Goes out: lines no wider than the terminal, about one screen of them for a small repository. Only
the commands at the end stay whole where the repository's path is longer than that, so that they can be copied.
Everything that stems from the scanned repository is printed as it is: never read as markup, and with control
characters spelled out, so that a file name cannot repaint the terminal.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from migrate.model import FileResult, Outcome, Report
from migrate.summary import WORST_FIRST, RuleTally, Summary, Tally, by_hand_work, manual_rules, summarize

FILES_SHOWN = 15
RULES_SHOWN = 10
FOLDERS_SHOWN = 5
NARROWEST = 40
ROOMY = 90
"""Columns from which on remarks stand beside the facts."""

_MEANING: dict[Outcome, str] = {
    "wrong-result": "runs on AMD and silently computes something else",
    "compile-error": "does not build for AMD as it is",
    "slower": "builds and runs, with time lost",
    "fine": "works as it is, or nearly",
}
_STYLE: dict[Outcome, str] = {
    "wrong-result": "bold red",
    "compile-error": "yellow",
    "slower": "cyan",
    "fine": "green",
}


def render(report: Report, *, width: int = 0, color: bool = False) -> str:
    """The report as lines of text; `width` 0 is the terminal's, and 100 where there is none."""
    columns = max(width or shutil.get_terminal_size((100, 24)).columns, NARROWEST)
    out = StringIO()
    console = Console(
        file=out,
        width=columns,
        height=24,
        force_terminal=color,
        force_jupyter=False,
        color_system="standard" if color else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    for part in _parts(report, summarize(report), columns):
        console.print(part)
    console.print(_next(report, columns), soft_wrap=True)  # a command cut in two is no command
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().rstrip("\n").split("\n"))


def _parts(report: Report, summary: Summary, columns: int) -> Iterator[RenderableType]:
    yield _title(report)
    yield Padding(_totals(report, summary), (0, 0, 0, 2))
    if report.findings:
        yield _section("Findings by group")
        yield _groups(summary)
        if len(files := by_hand_work(report)) > 1:
            yield _section("Findings by file, most hand work first")
            yield _files(files, columns)
        yield _section("What happens on AMD if it stays as it is")
        yield _outcomes(summary, columns)
        if rules := manual_rules(report):
            yield _section("What needs a hand, most harmful first")
            yield _rules(rules, columns)
    yield Text()


def _title(report: Report) -> Text:
    where, target = report.repository, report.target
    title = Text(f"cudamigrate {report.version}  ", style="dim")
    title.append(plain(where.name) or ".", style="bold not dim")
    if where.commit:
        branch = f" on {plain(where.branch)}" if where.branch else ""
        changed = " with uncommitted changes" if where.dirty else ""
        title.append(f" at {plain(where.commit[:10])}{branch}{changed}", style="not dim")
    title.append(f"  ->  ROCm {plain(target.rocm)}, {plain(' '.join(target.arch))}", style="not dim")
    return title


def _totals(report: Report, summary: Summary) -> Text:
    lines = [
        f"{_count(summary.files, 'file')} read, {_number(summary.lines)} lines; "
        f"{_number(summary.cuda_files)} with CUDA, {_number(summary.cuda_lines)} lines"
    ]
    if summary.skipped:
        kinds = _listed(summary.skipped)
        lines.append(f"{_count(len(report.skipped), 'file')} skipped: {kinds}")
    if summary.vendored:
        held = _count(sum(summary.vendored.values()), "file")
        lines.append(f"{held} in vendored folders passed over: {_folders(summary.vendored)} (--vendored enters them)")
    if summary.newer:
        steps = ", ".join(
            f"ROCm {version} settles {_count(count, 'finding')}" for version, count in summary.newer.items()
        )
        lines.append(f"a newer target would help: {steps}")
    if summary.submodules:
        names = ", ".join(plain(path) for path in summary.submodules[:FOLDERS_SHOWN])
        more = _more(len(summary.submodules) - FOLDERS_SHOWN)
        lines.append(f"{_count(len(summary.submodules), 'submodule')}: {names}{more} (--submodules enters them)")
    if summary.ported:
        lines.append(f"{_count(summary.ported, 'region')} already written for HIP, left alone")
    lines.append(_balance(summary.total) if summary.total.findings else "Nothing found that needs to change.")
    return Text("\n".join(lines))


def _balance(total: Tally) -> str:
    asked = f", {_number(total.unsafe)} of them with --unsafe" if total.unsafe else ""
    return (
        f"{_count(total.findings, 'finding')}: {_number(total.automatic)} automatic ({total.percent} %), "
        f"{_number(total.manual)} by hand ({100 - total.percent} %){asked}"
    )


def _groups(summary: Summary) -> Table:
    table = _table("Group", "Findings", "Automatic", "By hand")
    table.add_column("Worst outcome", no_wrap=True)
    for group, tally in summary.groups.items():
        table.add_row(Text(plain(group)), *_counts(tally), Text(tally.worst, style=_STYLE[tally.worst]))
    if len(summary.groups) > 1:
        total = summary.total
        table.add_row(Text("all", style="bold"), *_counts(total), Text(total.worst, style=_STYLE[total.worst]))
    return table


def _files(files: list[tuple[FileResult, Tally]], columns: int) -> Table:
    table = _table("File", "Findings", "Automatic", "By hand")
    room = columns - 36
    for file, tally in files[:FILES_SHOWN]:
        table.add_row(Text(_fitted(plain(file.path), room)), *_counts(tally))
    rest = [tally for _, tally in files[FILES_SHOWN:]]
    if rest:
        sums = Tally(sum(t.findings for t in rest), sum(t.automatic for t in rest))
        table.add_row(Text(f"{_count(len(rest), 'more file')}", style="dim"), *_counts(sums))
    return table


def _outcomes(summary: Summary, columns: int) -> Table:
    table = _table("Outcome", "Findings", "Automatic", "By hand")
    if columns >= ROOMY:
        table.add_column("", style="dim", overflow="ellipsis", no_wrap=True)
    for outcome in WORST_FIRST:
        tally = summary.outcomes[outcome]
        if tally.findings:
            remark = [Text(_MEANING[outcome])] if columns >= ROOMY else []
            table.add_row(Text(outcome, style=_STYLE[outcome]), *_counts(tally), *remark)
    return table


def _rules(rules: list[RuleTally], columns: int) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 1))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for tally in rules[:RULES_SHOWN]:
        first = tally.first
        place = f"{plain(first.path)}:{first.position.line}"
        if tally.count > 1:
            place = f"first at {place}"
        entry = Text(plain(tally.rule), style=_STYLE[first.outcome])
        entry.append("  " + _fitted(place, max(columns - len(tally.rule) - 12, 16)), style="dim")
        entry.append(f"\n{plain(first.message)}", style="default not bold")
        table.add_row(Text(_number(tally.count)), entry)
    if len(rules) > RULES_SHOWN:
        rest = sum(tally.count for tally in rules[RULES_SHOWN:])
        hidden = _count(len(rules) - RULES_SHOWN, "more rule")
        table.add_row(Text(_number(rest)), Text(f"{hidden}; --format json lists every finding", style="dim"))
    return table


def _next(report: Report, columns: int) -> Text:
    path = shlex.quote(plain(report.repository.root) or ".")
    steps: list[tuple[str, str]] = []
    if any(finding.automatic for finding in report.findings):
        steps.append((f"cudamigrate apply {path} --diff", "show the changes, write nothing"))
        steps.append((f"cudamigrate apply {path}", "make them on a new branch"))
    if rules := manual_rules(report):
        steps.append((f"cudamigrate explain {shlex.quote(plain(rules[0].rule))}", "what it means and what to do"))
    if not steps:
        steps.append(("cudamigrate check", "keep CUDA-only code out of what is staged"))
    longest = max(len(command) for command, _ in steps)
    lines = Text()
    for at, (command, why) in enumerate(steps):
        lines.append("\n      " if at else "Next: ", style="bold")
        lines.append(command)
        if longest + 50 <= columns:
            lines.append(" " * (longest - len(command) + 2) + why, style="dim")
    return lines


def _section(title: str) -> Text:
    return Text(f"\n{title}", style="bold")


def _table(*columns: str) -> Table:
    """A table whose first column holds names and gives way, and whose others hold counts."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 1), header_style="dim")
    table.add_column(columns[0], overflow="fold")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _counts(tally: Tally) -> tuple[Text, Text, Text]:
    return Text(_number(tally.findings)), Text(_number(tally.automatic)), Text(_number(tally.manual))


def _number(value: int) -> str:
    return f"{value:,}"


def _count(value: int, noun: str) -> str:
    return f"{value:,} {noun}{'' if value == 1 else 's'}"


def _more(hidden: int) -> str:
    return f" and {hidden:,} more" if hidden > 0 else ""


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{_number(count)} {plain(kind)}" for kind, count in counts.items())


def _folders(vendored: Mapping[str, int]) -> str:
    """The folders with the most files, each with its count."""
    largest: Iterable[tuple[str, int]] = sorted(vendored.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{plain(folder)}/ {_number(count)}" for folder, count in list(largest)[:FOLDERS_SHOWN]]
    return ", ".join(shown) + _more(len(vendored) - FOLDERS_SHOWN)


def _fitted(path: str, room: int) -> str:
    """`path` in `room` columns: its end says more than its beginning."""
    text = Text(path)
    if text.cell_len <= room:
        return path
    while Text(path).cell_len > max(room, 8) - 3:
        path = path[1:]
    return f"...{path}"


def plain(text: str) -> str:
    """`text` with everything that a terminal would act on, or cannot show, spelled as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
