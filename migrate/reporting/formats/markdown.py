"""Report -> Markdown, for a comment on a pull request or for an issue.

Result: GitHub's Markdown, shorter than what a comment may hold: sections that no longer fit are named at the end. What
stems from the repository cannot become markup, a mention or a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.errors import printable
from cudamigrate.lazy_re import re
from cudamigrate.model import Outcome, Report
from cudamigrate.model.estimate import Business, Estimate, Performance
from cudamigrate.reporting import money, type_check
from cudamigrate.reporting.addends import adding_up, of_rule
from cudamigrate.reporting.basis import basis, workload
from cudamigrate.reporting.first_screen import actions, area_days, areas, chosen, scored, smaller
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import (
    ADVICE,
    CATEGORIES,
    LANE_WORDS,
    WORST_FIRST,
    Summary,
    Tally,
    advised,
    balance,
    between,
    days,
    encodable,
    file_work,
    lane_functions,
    lane_line,
    manual_rules,
    newer_days,
    overall,
    parts,
    port_lines,
    rule_days,
    summarize,
    tally,
)
from cudamigrate.wording import count_of, vendored_files

LONGEST = 65_000
"""Characters; a comment on GitHub holds 65,536."""
ROWS = 25
"""Rows of one table; the rest is counted."""
COUNTS = ("Automatic", "Review", "Manual")
_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_SPECIAL = re.compile(r"([\\`*_\[\]|~>])")

_LINKED = re.compile(r"([@#:](?=[\w/])|www(?=\.))")
"""What GitHub makes a mention, a number of an issue or a link of, also where it is escaped."""
HARM: Mapping[Outcome, str] = {
    "wrong-result": "with a silently wrong result",
    "compile-error": "with a compile error",
    "missing": "missing on AMD",
    "slower": "slower",
    "fine": "fine after a short look",
}
"""What findings of an outcome do, after their number."""


def render(report: Report) -> str:
    """The report as Markdown."""
    summary = summarize(report)
    text, left = "", []
    for title, section in _sections(report, summary):
        if len(text) + len(section) + len(title) < LONGEST - 1_000:
            text += (f"\n### {title}\n\n" if title else "") + section
        else:
            left.append(title)
    if left:
        text += f"\n*Too long for a comment, and left out: {', '.join(left)}.*\n"
    return encodable(text)


def _sections(report: Report, summary: Summary) -> Iterator[tuple[str, str]]:
    estimate = report.estimate
    yield "", _top(report, summary)
    if areas(report):
        yield "Components", _areas(report)
    if actions(report):
        yield "What to do", _actions(report)
    if type_check.verdict(report) or type_check.remarks(report):
        yield "Type check for AMD", _type_check(report)
    yield "What this rests on", _basis(report, summary)
    if estimate is not None and estimate.blockers:
        yield "What blocks", _blockers(estimate)
    if estimate is not None and estimate.plan:
        yield "Plan", _plan(estimate)
    if tally(report.findings).left:
        yield "What needs review or manual work", _rules(report)
    if report.findings and lane_line(report):
        yield "Functions with warp-level code", _lane_functions(report)
    if tally(report.findings).work:
        yield "Files", _folded("Files with findings", _files(report))
    if estimate is not None:
        yield from _estimated(estimate)


def _estimated(estimate: Estimate) -> Iterator[tuple[str, str]]:
    """What the estimate says beside the first screen, blockers and the plan."""
    yield "Where the days come from", _days(estimate)
    if estimate.performance:
        yield "Speed to expect", _performance(estimate)
    if len(advised(estimate)) > 1:
        rows = [(prose(workload(v.workload)), f"**{ADVICE[v.advice]}**", prose(v.because)) for v in advised(estimate)]
        yield "Workload by workload", _table(("Workload", "Advice", "Because"), rows)
    if estimate.business is not None:
        yield "Money", _business(estimate.business, estimate.performance)
    if estimate.frameworks:
        found = [(prose(f.name), prose(f.status), prose(f.advice)) for f in estimate.frameworks]
        yield "Frameworks and packages", _table(("Uses", "On ROCm", "What to do"), found)


def _top(report: Report, summary: Summary) -> str:
    where, target = report.repository, report.target
    commit = f" at {code(where.commit[:10])}" if where.commit else ""
    lines = [f"## CUDA to AMD: {prose(where.name) or 'the repository'}{commit}", f"**{prose(sentence(report))}**"]
    verdict = overall(report.estimate) if report.estimate is not None else None
    if verdict is not None:
        lines[-1] += f" {prose(verdict.because)}"
    if report.findings:
        lines.append(f"{balance(summary.total)}.")
    made = [f"cudamigrate {prose(report.version)}", prose(report.date), code(report.command)]
    made += [f"ROCm {prose(target.rocm)}", prose(" ".join(target.arch))]
    lines.append(f"<sub>{', '.join(filter(None, made))}</sub>")
    return "\n\n".join(lines) + "\n"


def _areas(report: Report) -> str:
    timed = report.estimate is not None
    rows = []
    for one in areas(report):
        spent = [area_days(one)] if timed else []
        rows.append((one.title, scored(one), *_counts(one.tally), *spent))
    heads = ("Component", "Score", *COUNTS, *(["Days"] if timed else []))
    return _table(heads, rows, "-rrrrr") + "\nThe score is the part of the findings that needs no manual work.\n"


def _actions(report: Report) -> str:
    shown, _ = chosen(report)
    lines = []
    for at, one in enumerate(shown, 1):
        detail = f" ({prose(one.detail)})" if one.detail else ""
        apart = (", assumed" if one.assumed else "") + ("; not in the total" if one.blocker else "")
        lines.append(f"{at}. {prose(one.title)}{detail}: **{between(one.days)}**{apart}")
    lines += [f"\n{words}: {spent}." for words, spent in smaller(report)]
    return "\n".join(lines) + "\n"


def _type_check(report: Report) -> str:
    said = type_check.verdict(report)
    lines = "".join(f"- {prose(line)}\n" for line in type_check.remarks(report))
    return "\n".join(filter(None, (f"{prose(said)}\n" if said else "", lines)))


def _basis(report: Report, summary: Summary) -> str:
    lines = [prose(line) for line in basis(report)]
    harm = [f"{summary.outcomes[word].work:,} {HARM[word]}" for word in WORST_FIRST if summary.outcomes[word].work]
    if harm:
        lines.append(f"Of the findings, on AMD as the code is: {', '.join(harm)}.")
    by_release = newer_days(report)
    for version, count in summary.newer.items():
        saved = by_release.get(version, 0.0)
        more = f", about {days(saved)} days" if saved >= 0.05 else ""
        many = count_of(count, "finding")
        lines.append(f"A newer target would help: ROCm {prose(version)} fixes {many}{more}.")
    if summary.skipped:
        lines.append(f"Files skipped: {', '.join(f'{n:,} {prose(kind)}' for kind, n in summary.skipped.items())}.")
    if summary.vendored:
        lines.append(f"{prose(vendored_files(summary.vendored))}.")
    if report.suppressed:
        lines.append(f"Suppressed by comments in the code: {len(report.suppressed):,}.")
    lines += [f"{prose(line)}." for line in port_lines(report)]
    return "".join(f"- {line}\n" for line in lines)


def _days(estimate: Estimate) -> str:
    works = parts(estimate)
    spent = adding_up([part.days for part in works], estimate.days.p50)
    rows = [(prose(part.title), each) for part, each in zip(works, spent, strict=True)]
    rows.append(
        ("**In all**", f"**{days(estimate.days.p50)}** ({days(estimate.days.p10)} to {days(estimate.days.p90)})")
    )
    about = f"This is {CATEGORIES[estimate.category]}."
    said = f"{about} {prose(estimate.compared)}".strip()
    return _table(("Engineer-days", "Middle case"), rows, "-r") + f"\n{said}\n"


def _blockers(estimate: Estimate) -> str:
    lines = []
    for blocker in estimate.blockers[:ROWS]:
        places = f" ({count_of(blocker.count, 'place')})" if blocker.count else ""
        lines.append(f"- **{prose(blocker.title)}**{places}")
        for way in blocker.alternatives:
            loses = f"; loses {prose(way.loses)}" if way.loses else ""
            lines.append(f"  - {prose(way.title)}: {between(way.days)}{loses}")
    lines += _more(len(estimate.blockers))
    total = f"\nWith a way around each: {between(estimate.resolved)}.\n" if estimate.resolved is not None else ""
    return "\n".join(lines) + "\n" + total


def _performance(estimate: Estimate) -> str:
    rows = []
    for speed in estimate.performance[:ROWS]:
        said = "no data" if speed.no_data else "not available"
        if speed.low is not None and speed.high is not None:
            said = f"{round(speed.low)} to {round(speed.high)} %"
        because = "; ".join(speed.reasons[:2]) + (f"; and {len(speed.reasons) - 2} more" if speed.reasons[2:] else "")
        rows.append((prose(workload(speed.workload)), prose(speed.gpu.upper()), said, prose(because)))
    return _table(("Workload", "GPU", "Of the CUDA speed", "Because"), rows, "--r-")


def _business(business: Business, speeds: Sequence[Performance]) -> str:
    said = _table(("", ""), [(prose(name), prose(value)) for name, value in money.rows(business, speeds)], "-r")
    heads, rows = money.columns(business, speeds)
    if rows:
        each = [tuple(prose(cell) for cell in row) for row in rows]
        said += "\n" + _table(tuple(prose(head) for head in heads), each, "-" + "r" * (len(heads) - 1))
    pairs = [tuple(prose(cell) for cell in row) for row in money.price_rows(business)]
    against = "".join(f"\n{prose(line)}\n" for line in money.contrary(business))
    return f"{said}\n{_table(money.PRICE_HEADS, pairs, '-rrr--')}{against}"


def _rules(report: Report) -> str:
    by_rule = rule_days(report.estimate)
    found = manual_rules(report)
    rows = []
    for one in found[:ROWS]:
        first = one.first
        mine = [finding for finding in report.findings if finding.rule == one.rule]
        spent = [of_rule(one.rule, mine, by_rule, report)] if by_rule else []
        place = code(f"{first.path}:{first.position.line}")
        rows.append((code(one.rule), f"{one.count:,}", *spent, first.outcome, prose(first.message), place))
    heads = ("Rule", "Findings", *(["Days"] if by_rule else []), "Outcome", "What to do", "First at")
    return _table(heads, rows, "-rr---" if by_rule else "-r---", len(found))


def _files(report: Report) -> str:
    found = file_work(report)
    timed = any(work.days for work in found)
    rows = []
    for work in found[: 2 * ROWS]:
        spent = [days(work.days)] if timed else []
        rows.append((code(work.file.path), *spent, *_counts(work.tally)))
    heads = ("File", *(["Days"] if timed else []), *COUNTS)
    return _table(heads, rows, "-rrrr", len(found))


def _plan(estimate: Estimate) -> str:
    rows, number = [], {step.name: str(at) for at, step in enumerate(estimate.plan, 1)}
    for step in estimate.plan:
        title = f"**{prose(step.title)}**" if step.critical else prose(step.title)
        spent = between(step.days) if step.days.p90 else "a decision"
        after = prose(", ".join(number.get(name, name) for name in step.after))
        rows.append((number[step.name], title, spent, after, str(step.people)))
    said = "\nSteps in bold make up the longest chain. People: as many as can share a step.\n"
    return _table(("", "Step", "Engineer-days", "After step", "People"), rows, "r--rr") + said


def _lane_functions(report: Report) -> str:
    found = lane_functions(report)
    left = [(path, one) for path, one in found if one.state == "left"]
    text = f"{lane_line(report)}.\n"
    if left:
        rows = [(code(one.name), code(f"{path}:{one.line}"), prose(", ".join(one.rules))) for path, one in left[:ROWS]]
        text += "\n" + _table(("For manual review", "At", "Because of"), rows, count=len(left))
    rows = [(code(one.name), code(f"{path}:{one.line}"), LANE_WORDS[one.state]) for path, one in found[len(left) :]]
    if rows:
        table = _table(("Function", "At", "On AMD"), rows[:ROWS], count=len(rows))
        text += "\n" + _folded("The others" if left else "Which", table)
    return text


def _counts(tally: Tally) -> tuple[str, str, str]:
    return f"{tally.automatic:,}", f"{tally.review:,}", f"{tally.manual:,}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], sides: str = "", count: int = 0) -> str:
    """A table; `sides` has `r` for the columns that hold numbers, `count` is how many rows there would be."""
    rules = ["---:" if side == "r" else "---" for side in sides.ljust(len(heads), "-")[: len(heads)]]
    lines = [f"| {' | '.join(row)} |" for row in (heads, tuple(rules), *rows)]
    return "\n".join([*lines, *_more(count, len(rows))]) + "\n"


def _more(count: int, shown: int = ROWS) -> list[str]:
    return [f"\n*... and {count - shown:,} more.*"] if count > shown else []


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n</details>\n"


def prose(text: str) -> str:
    """Words in which only `code` is marked; nothing else of it becomes markup, a mention or an issue's number."""
    pieces, at = [], 0
    for match in _CODE.finditer(text):
        pieces += [_plain(text[at : match.start()]), code(match[2])]
        at = match.end()
    return "".join([*pieces, _plain(text[at:])])


def code(text: str) -> str:
    """Text in a code span, on one line; a bar is escaped because the span may be in a table."""
    flat = " ".join(printable(text, " \t\r\n\f\v").split())
    if not flat:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}".replace("|", "\\|")


def _plain(text: str) -> str:
    text = re.sub(r"\s+", " ", printable(text, " \t\r\n\f\v"))
    escaped = _SPECIAL.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _LINKED.sub(r"\1<!-- -->", escaped)
