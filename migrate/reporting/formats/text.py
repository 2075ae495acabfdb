"""Report -> text for a terminal: the decision, what it takes, what it rests on, and what to run next.

Result: lines no wider than the terminal, one screen of them whatever the size of the repository: what does not fit is
counted. Only the commands at the end stay whole where the repository's path is longer than a line, so that they can be
copied. Everything that stems from the scanned repository is printed as it is: never read as markup, and with control
characters spelled out, so that a file name cannot repaint the terminal.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from cudamigrate.errors import printable
from cudamigrate.model import Report
from cudamigrate.reporting import port_words
from cudamigrate.reporting.basis import MODEL, basis
from cudamigrate.reporting.first_screen import areas, chosen, smaller
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.money import briefly
from cudamigrate.reporting.plain_lines import Line, broken
from cudamigrate.reporting.summary import (
    Summary,
    balance,
    by_hand_work,
    lane_line,
    manual_rules,
    overall,
    port_lines,
    summarize,
    tally,
)
from cudamigrate.wording import FOLDERS_SHOWN, and_more, count_of, vendored_files

if TYPE_CHECKING:
    from rich.console import RenderableType

    Part = RenderableType | Line

SCREEN = 40
"""Lines of the report on a terminal of 80 columns or more."""
FILES_SHOWN = 15
RULES_SHOWN = 10
NARROWEST = 40
_DECIDED = 4
"""Lines that the decision may have: it says what was not judged, which is not to be lost."""


def render(report: Report, *, width: int = 0, color: bool = False) -> str:
    """The report as lines of text; `width` 0 is the terminal's, and 100 where there is none."""
    columns = max(width or shutil.get_terminal_size((100, 24)).columns, NARROWEST)
    summary = summarize(report)
    blocks: list[list[Part]] = [[_title(report)], [_decision(report, columns)], _first(report, columns)]
    fixed = [line for block in blocks if block for line in _lines(block, columns, color)]
    made = [Line(f"Made by: {printable(report.command)}", style="dim")] if report.command else []
    steps = ["", *_lines([_next(report, columns), *made], columns, color, wrap=False)]
    room = SCREEN - len(fixed) - len(steps)
    resting = _resting(report, summary, columns, color, room)
    details = _details(report, columns, color, room - len(resting))
    return "".join(f"{line.rstrip()}\n" for line in [*fixed, *resting, *details, *steps])


def _lines(parts: Sequence[Part], columns: int, color: bool, wrap: bool = True) -> list[str]:
    plain = None if color else broken(parts, columns, wrap)
    return _drawn(parts, columns, color, wrap) if plain is None else "\n".join(plain).rstrip("\n").split("\n")


def _drawn(parts: Sequence[Part], columns: int, color: bool, wrap: bool) -> list[str]:
    """The lines as rich draws them, which is slow to import."""
    from rich.console import Console

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
        shown = part.styled() if isinstance(part, Line) else part
        console.print(shown, soft_wrap=not wrap)  # a command cut in two is no command
    return out.getvalue().rstrip("\n").split("\n")


def _title(report: Report) -> Line:
    where, target = report.repository, report.target
    title = Line(f"cudamigrate {report.version}  ", style="dim")
    title.append(printable(where.name) or ".", style="bold not dim")
    if where.commit:
        branch = f" on {printable(where.branch)}" if where.branch else ""
        changed = " with uncommitted changes" if where.dirty else ""
        title.append(f" at {printable(where.commit[:10])}{branch}{changed}", style="not dim")
    title.append(f"  ->  ROCm {printable(target.rocm)}, {printable(' '.join(target.arch))}", style="not dim")
    if report.date:
        title.append(f"  {printable(report.date)}", style="dim")
    return title


def _decision(report: Report, columns: int) -> Line:
    """The decision, its reason, and the three numbers."""
    text = Line(_cut(printable(sentence(report)).replace("`", ""), _DECIDED * columns), style="bold")
    verdict = overall(report.estimate) if report.estimate is not None else None
    is_empty = not report.findings and not (report.estimate is not None and report.estimate.items)
    if verdict is not None and verdict.advice == "stay" and is_empty:  # no GPU code, which has been said
        unread = report.unread or report.unread_languages or report.submodules
        where = "\nNothing that needs to change was found in the files that were read." if unread else ""
        return text.append(where, style="not bold")
    if verdict is not None and not (report.port is not None and report.port.whole):
        text.append(f"\n{_cut(printable(verdict.because), 2 * columns - 20)}", style="not bold")
    if not report.findings and report.estimate is None:
        return text
    if report.estimate is not None and report.findings:
        text.append(f"\n{balance(tally(report.findings)).replace('`', '')}", style="not bold")
    elif is_empty:
        apart = report.port is not None and port_words.is_of_some_programs(report.port)
        judged = report.port is None or not report.port.unproven
        where = " in what the builds for HIP have" if apart else "" if judged else " in what could be judged"
        check = (
            " cudamigrate verify type-checks its HIP side." if report.port is not None and report.proof is None else ""
        )
        text.append(f"\nNothing that needs to change was found{where}.{check}", style="not bold")
    return text


def _first(report: Report, columns: int) -> list[Part]:
    """The components with their scores, and what to do."""
    found = areas(report)
    parts: list[Part] = []
    shown, _ = chosen(report)
    if not found and not shown:
        return parts
    from cudamigrate.reporting import text_tables  # slow to import

    if found:
        parts += [Line(), text_tables.of_areas(found, report)]
    if shown:
        parts += [Line(), text_tables.of_actions(shown, smaller(report), columns)]
    return parts


def _resting(report: Report, summary: Summary, columns: int, color: bool, room: int) -> list[str]:
    """What the decision rests on, and what was left out: as much as leaves room for what needs manual work."""
    business = report.estimate.business if report.estimate is not None else None
    money = briefly(business, report.estimate.performance if report.estimate else ()) if business is not None else []
    said = [*basis(report), *_beside(report, summary)]
    said[1:1] = money  # hours and prices were given: what they make of the move is asked for
    at = len(money) + (2 if report.trend else 1)
    at += any(line.startswith(MODEL) for line in said)
    said[at:at] = _passed_over(report, summary)  # what was not looked at is said before what was made of the rest
    kept: list[str] = []
    for text in said:
        spared = 5 if text in money or text.startswith(MODEL) else 7
        forms = [text, f"{text.partition(';')[0]}."] if text.startswith(MODEL) else [text]
        for form in forms:  # that days are a model is said in short where there is no room for more
            lines = _lines([Line(printable(form), indent=2)], columns, color)
            if len(kept) + len(lines) + 2 <= max(room - spared, 4):
                kept += lines
                break
    return ["", *_lines([_section("What this rests on")], columns, color), *kept] if kept else []


def _passed_over(report: Report, summary: Summary) -> list[str]:
    lines = []
    if report.suppressed:
        lines.append(f"{count_of(len(report.suppressed), 'finding')} suppressed by comments in the code")
    if summary.skipped:
        lines.append(f"{count_of(sum(summary.skipped.values()), 'file')} skipped: {_listed(summary.skipped)}")
    if summary.vendored:
        lines.append(printable(vendored_files(summary.vendored)))
    needed = (("fetched projects", summary.needed_dependencies), ("submodules", summary.needed_submodules))
    for what, named in needed:
        others = len(named) - 1
        names = printable(next(iter(named), "")) + (f" and {others} more" if others > 0 else "")
        whose = "that CUDA code includes" if summary.cuda_files else "that the build enters"
        lines[:0] = [f"Not counted: {what} {whose}, {names}"] if named else []
    if summary.submodules:
        names = ", ".join(printable(path) for path in summary.submodules[:FOLDERS_SHOWN])
        more = and_more(len(summary.submodules) - FOLDERS_SHOWN)
        many = count_of(len(summary.submodules), "submodule")
        lines.append(f"{many} not entered: {names}{more} (--submodules enters them)")
    return lines


def _beside(report: Report, summary: Summary) -> list[str]:
    lines = []
    lines += [printable(line) for line in port_lines(report)]
    lines += [line] if (line := lane_line(report)) else []
    for version, count in summary.newer.items():
        lines.append(f"A newer target would help: ROCm {version} fixes {count_of(count, 'finding')}")
    if summary.ported:
        lines.append(f"{count_of(summary.ported, 'region')} already written for HIP, not changed")
    return lines


def _details(report: Report, columns: int, color: bool, room: int) -> list[str]:
    """What needs manual work, by rule and by file, as much of each as there is room for."""
    rules, files = manual_rules(report), by_hand_work(report)
    if not report.findings or not rules or room < 4:
        return []
    from cudamigrate.reporting import text_tables  # slow to import

    if len(files) == 1:
        files = []
    entries = [_lines([text_tables.of_rule(tally, columns)], columns, color) for tally in rules[:RULES_SHOWN]]
    shown = _shares(len(files), [len(entry) for entry in entries], len(rules), room)
    found: list[str] = []
    if shown[0]:
        found += ["", *_lines([text_tables.of_files(files, shown[0], columns)], columns, color)]
    found += ["", *_lines([_section("What needs review or manual work, most harmful first")], columns, color)]
    found += [line for entry in entries[: shown[1]] for line in entry]
    rest = rules[shown[1] :]
    if rest:
        hidden = f"{count_of(len(rest), 'more rule')} with {count_of(sum(t.count for t in rest), 'finding')}"
        found += _lines([Line(f"  {hidden}; --format html shows every finding", style="dim")], columns, color)
    return found


def _shares(files: int, entries: list[int], rules: int, room: int) -> tuple[int, int]:
    """How many files and rules to show in `room` lines: one rule at least, then rules and files in turns."""
    shown = [0, 1]
    limits = (min(files, FILES_SHOWN), len(entries))

    def height() -> int:
        most = 2 + sum(entries[: shown[1]]) + (shown[1] < rules)
        return most + ((2 + shown[0] + (shown[0] < files)) if shown[0] else 0)

    growing = True
    while growing:
        growing = False
        for at in (1, 0):
            if shown[at] < limits[at]:
                shown[at] += 1
                if height() > room:
                    shown[at] -= 1
                else:
                    growing = True
    return shown[0], shown[1]


def _next(report: Report, columns: int) -> Line:
    path = shlex.quote(printable(report.repository.root) or ".")
    steps: list[tuple[str, str]] = []
    if any(finding.automatic for finding in report.findings):
        steps.append((f"cudamigrate apply {path} --diff", "show the changes, write nothing"))
        if report.repository.commit:
            steps.append((f"cudamigrate apply {path}", "make them on a new branch"))
        else:
            folder = _copy(report)
            steps.append((f"cudamigrate apply {path} --output {folder}", "make them in a copy: it is not under git"))
    if rules := manual_rules(report):
        steps.append((f"cudamigrate explain {shlex.quote(printable(rules[0].rule))}", "what it means and what to do"))
    if not steps and report.repository.commit:
        steps.append(("cudamigrate check", "keep CUDA-only code out of what is staged"))
    elif not steps:  # `check` reads what git has staged
        steps.append((f"cudamigrate scan {path} --format html --output report.html", "the report as one page"))
    longest = max(len(command) for command, _ in steps)
    lines = Line()
    for at, (command, why) in enumerate(steps):
        lines.append("\n      " if at else "Next: ", style="bold")
        lines.append(command)
        if longest + 50 <= columns:
            lines.append(" " * (longest - len(command) + 2) + why, style="dim")
    return lines


def _copy(report: Report) -> str:
    """A folder beside the tree for a converted copy of it."""
    where = report.repository
    root = printable(where.root).rstrip("/")
    folder = (
        f"{root}-hip"
        if root.rpartition("/")[2] not in ("", ".", "..")
        else f"../{printable(where.name) or 'project'}-hip"
    )
    return shlex.quote(folder)


def _section(title: str) -> Line:
    return Line(title, style="bold")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {printable(kind)}" for kind, count in counts.items())
