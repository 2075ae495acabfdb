"""Report -> text for a terminal: what was read, what is CUDA in it, what moves by itself, and what needs manual work.

Result: lines no wider than the terminal, one screen of them whatever the size of the repository: what does not fit is
counted. Only the commands at the end stay whole where the repository's path is longer than a line, so that they can be
copied. Everything that stems from the scanned repository is printed as it is: never read as markup, and with control
characters spelled out, so that a file name cannot repaint the terminal.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Mapping
from io import StringIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cudamigrate.errors import printable
from cudamigrate.model import FileResult, Outcome, Report
from cudamigrate.model.estimate import Estimate
from cudamigrate.reporting.summary import (
    CATEGORIES,
    WORST_FIRST,
    RuleTally,
    Summary,
    Tally,
    between,
    by_hand_work,
    days,
    headline,
    lane_line,
    manual_rules,
    overall,
    parts,
    port_lines,
    summarize,
)

SCREEN = 40
"""Lines of the report on a terminal of 80 columns or more."""
FILES_SHOWN = 15
RULES_SHOWN = 10
FOLDERS_SHOWN = 5
NARROWEST = 40

_STYLE: dict[Outcome, str] = {
    "wrong-result": "bold red",
    "compile-error": "yellow",
    "slower": "cyan",
    "fine": "green",
}


def render(report: Report, *, width: int = 0, color: bool = False) -> str:
    """The report as lines of text; `width` 0 is the terminal's, and 100 where there is none."""
    columns = max(width or shutil.get_terminal_size((100, 24)).columns, NARROWEST)
    summary = summarize(report)
    fixed = _lines([_title(report), Padding(_totals(report, summary), (0, 0, 0, 2))], columns, color)
    if report.estimate is not None:
        lines_below = [_estimate(report, report.estimate, longest) for longest in (2 * columns - 20, columns - 4)]
        blocks = [_lines([Padding(text, (0, 0, 0, 2))], columns, color) for text in lines_below]
        fixed += blocks[0] if len(fixed) + len(blocks[0]) <= SCREEN // 2 - 2 else blocks[1]
    steps = ["", *_lines([_next(report, columns)], columns, color, wrap=False)]
    room = SCREEN - len(fixed) - len(steps)
    return "".join(f"{line.rstrip()}\n" for line in [*fixed, *_details(report, summary, columns, color, room), *steps])


def _lines(parts: Iterable[RenderableType], columns: int, color: bool, wrap: bool = True) -> list[str]:
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
    for part in parts:
        console.print(part, soft_wrap=not wrap)  # a command cut in two is no command
    return out.getvalue().rstrip("\n").split("\n")


def _details(report: Report, summary: Summary, columns: int, color: bool, room: int) -> list[str]:
    """What needs manual work, the groups and the files, as much of each as there is room for."""
    if not report.findings:
        return []
    rules, files = manual_rules(report), by_hand_work(report)
    if len(files) == 1:
        files = []
    entries = [_lines([_rule(tally, columns)], columns, color) for tally in rules[:RULES_SHOWN]]
    shown = _shares(len(summary.groups), len(files), [len(entry) for entry in entries], len(rules), room)
    found = ["", *_lines([_groups(summary, shown[0])], columns, color)]
    if files:
        found += ["", *_lines([_files(files, shown[1], columns)], columns, color)]
    if rules:
        found += ["", *_lines([_section("What needs manual work, most harmful first")], columns, color)]
        found += [line for entry in entries[: shown[2]] for line in entry]
        rest = rules[shown[2] :]
        if rest:
            hidden = f"{_count(len(rest), 'more rule')} with {_count(sum(t.count for t in rest), 'finding')}"
            found += _lines([Text(f"  {hidden}; --format html shows every finding", style="dim")], columns, color)
    return found


def _shares(groups: int, files: int, entries: list[int], rules: int, room: int) -> tuple[int, int, int]:
    """How many groups, files and rules to show in `room` lines: one of each at least, then in turns."""
    limits = (groups, min(files, FILES_SHOWN), len(entries))
    shown = [min(1, limit) for limit in limits]

    def height() -> int:
        most = 2 + shown[0] + (shown[0] < groups) + (groups > 1)
        most += (2 + shown[1] + (shown[1] < files)) if files else 0
        return most + ((2 + sum(entries[: shown[2]]) + (shown[2] < rules)) if rules else 0)

    growing = True
    while growing:
        growing = False
        for at in (2, 1, 0):
            if shown[at] < limits[at]:
                shown[at] += 1
                if height() > room:
                    shown[at] -= 1
                else:
                    growing = True
    return shown[0], shown[1], shown[2]


def _title(report: Report) -> Text:
    where, target = report.repository, report.target
    title = Text(f"cudamigrate {report.version}  ", style="dim")
    title.append(printable(where.name) or ".", style="bold not dim")
    if where.commit:
        branch = f" on {printable(where.branch)}" if where.branch else ""
        changed = " with uncommitted changes" if where.dirty else ""
        title.append(f" at {printable(where.commit[:10])}{branch}{changed}", style="not dim")
    title.append(f"  ->  ROCm {printable(target.rocm)}, {printable(' '.join(target.arch))}", style="not dim")
    return title


def _totals(report: Report, summary: Summary) -> Text:
    lines = [
        f"{_count(summary.files, 'file')} read, {_number(summary.lines)} lines; "
        f"{_number(summary.cuda_files)} with CUDA, {_number(summary.cuda_lines)} lines"
    ]
    if summary.skipped:
        kinds = _listed(summary.skipped)
        lines.append(f"{_count(sum(summary.skipped.values()), 'file')} skipped: {kinds}")
    if report.silenced:
        lines.append(f"{_count(len(report.silenced), 'finding')} silenced by comments in the code")
    if summary.vendored:
        held = _count(sum(summary.vendored.values()), "file")
        lines.append(f"{held} in vendored folders passed over: {_folders(summary.vendored)} (--vendored enters them)")
    if summary.newer:
        steps = ", ".join(
            f"ROCm {version} fixes {_count(count, 'finding')}" for version, count in summary.newer.items()
        )
        lines.append(f"a newer target would help: {steps}")
    if summary.submodules:
        names = ", ".join(printable(path) for path in summary.submodules[:FOLDERS_SHOWN])
        more = _more(len(summary.submodules) - FOLDERS_SHOWN)
        lines.append(f"{_count(len(summary.submodules), 'submodule')}: {names}{more} (--submodules enters them)")
    lines += [printable(line) for line in port_lines(report)]
    if summary.ported:
        lines.append(f"{_count(summary.ported, 'region')} already written for HIP, left alone")
    if summary.total.findings:
        lines.append(_balance(summary.total))
        stays = [f"{_number(summary.outcomes[word].findings)} {word}" for word in WORST_FIRST]
        shown = [text for text, word in zip(stays, WORST_FIRST, strict=True) if summary.outcomes[word].findings]
        lines.append(f"on AMD as it is: {', '.join(shown)}")
        lines += [line] if (line := lane_line(report)) else []
    else:
        lines.append("Nothing found that needs to change.")
    return Text("\n".join(lines))


def _balance(total: Tally) -> str:
    asked = f", {_number(total.unsafe)} of them with --unsafe" if total.unsafe else ""
    return (
        f"{_count(total.findings, 'finding')}: {_number(total.automatic)} automatic ({total.percent} %), "
        f"{_number(total.manual)} manual ({100 - total.percent} %){asked}"
    )


def _estimate(report: Report, estimate: Estimate, longest: int) -> Text:
    """The days, where they come from, what blocks and why the advice is what it is, each cut at `longest`."""
    lines = Text(headline(report), style="bold")
    about = f"; {CATEGORIES[estimate.category]}"
    if estimate.published is not None:
        about += f", others say {days(estimate.published[0])} to {days(estimate.published[1])}"
    lines.append(about, style="not bold")
    lines_below = [", ".join(f"{days(p.days)} {printable(p.kind)}" for p in parts(estimate) if days(p.days) != "0")]
    verdict = overall(estimate)
    if verdict is not None:
        lines_below.append(printable(verdict.because))
    if estimate.blockers:
        shown = ", ".join(printable(blocker.title) for blocker in estimate.blockers[:3])
        names = shown + _more(len(estimate.blockers) - 3)
        out = f"; {between(estimate.resolved)} with a way around each" if estimate.resolved is not None else ""
        lines_below.append(f"{_count(len(estimate.blockers), 'blocker')}, not in these days: {names}{out}")
    for speed in estimate.performance[:1]:
        if speed.low is not None and speed.high is not None:
            expected = f"{round(speed.low)} to {round(speed.high)} % of the CUDA speed"
            lines_below.append(f"{printable(speed.workload)} on {printable(speed.gpu)}: {expected} to be expected")
    for line in filter(None, lines_below):
        lines.append(f"\n{line if len(line) <= longest else line[: longest - 3] + '...'}", style="not bold")
    return lines


def _groups(summary: Summary, shown: int) -> Table:
    table = _table("Findings by group", "Findings", "Automatic", "Manual")
    table.add_column("Worst outcome", no_wrap=True)
    ordered = sorted(summary.groups.items(), key=lambda pair: -pair[1].manual)
    kept = {group for group, _ in ordered[:shown]}
    for group, tally in summary.groups.items():
        if group in kept:
            table.add_row(Text(printable(group)), *_counts(tally), Text(tally.worst, style=_STYLE[tally.worst]))
    if rest := [tally for group, tally in summary.groups.items() if group not in kept]:
        sums = _summed(rest)
        table.add_row(Text(_count(len(rest), "more group"), style="dim"), *_counts(sums), Text(sums.worst))
    if len(summary.groups) > 1:
        total = summary.total
        table.add_row(Text("all", style="bold"), *_counts(total), Text(total.worst, style=_STYLE[total.worst]))
    return table


def _files(files: list[tuple[FileResult, Tally]], shown: int, columns: int) -> Table:
    table = _table("Files, most manual work first", "Findings", "Automatic", "Manual")
    room = columns - 36
    for file, tally in files[:shown]:
        table.add_row(Text(_fitted(printable(file.path), room)), *_counts(tally))
    if rest := [tally for _, tally in files[shown:]]:
        table.add_row(Text(_count(len(rest), "more file"), style="dim"), *_counts(_summed(rest)))
    return table


def _summed(tallies: Iterable[Tally]) -> Tally:
    counted = list(tallies)
    worst = min((tally.worst for tally in counted), key=WORST_FIRST.index)
    return Tally(sum(t.findings for t in counted), sum(t.automatic for t in counted), worst=worst)


def _rule(tally: RuleTally, columns: int) -> Table:
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


def _next(report: Report, columns: int) -> Text:
    path = shlex.quote(printable(report.repository.root) or ".")
    steps: list[tuple[str, str]] = []
    if any(finding.automatic for finding in report.findings):
        steps.append((f"cudamigrate apply {path} --diff", "show the changes, write nothing"))
        steps.append((f"cudamigrate apply {path}", "make them on a new branch"))
    if rules := manual_rules(report):
        steps.append((f"cudamigrate explain {shlex.quote(printable(rules[0].rule))}", "what it means and what to do"))
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
    return Text(title, style="bold")


def _table(*columns: str) -> Table:
    """A table whose first column holds names and gives way, and whose others hold counts."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 1), header_style="dim")
    table.add_column(Text(columns[0], style="bold not dim"), overflow="ellipsis", no_wrap=True)
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
    return ", ".join(f"{_number(count)} {printable(kind)}" for kind, count in counts.items())


def _folders(vendored: Mapping[str, int]) -> str:
    """The folders with the most files, each with its count."""
    largest: Iterable[tuple[str, int]] = sorted(vendored.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{printable(folder)}/ {_number(count)}" for folder, count in list(largest)[:FOLDERS_SHOWN]]
    return ", ".join(shown) + _more(len(vendored) - FOLDERS_SHOWN)


def _fitted(path: str, room: int) -> str:
    """`path` in `room` columns: its end says more than its beginning."""
    text = Text(path)
    if text.cell_len <= room:
        return path
    while Text(path).cell_len > max(room, 8) - 3:
        path = path[1:]
    return f"...{path}"
