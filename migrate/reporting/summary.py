"""Report -> Summary: the totals that every report format prints, counted in one place so that formats agree.

Result: a `Summary` of plain counts. Three numbers exclude each other and add up to the work: `automatic`
findings are fixed by `apply`, `review` ones by `apply --unsafe` with a review after it, and `manual` ones by neither.
What is fine as it is counts apart, once, and is not listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import (
    EFFORTS,
    GROUPS,
    SUPPORTS,
    FileResult,
    Finding,
    Outcome,
    Report,
    Resolution,
    Support,
    release,
)
from cudamigrate.model.estimate import Advice, Category, Days, Estimate, Verdict
from cudamigrate.model.lane_facts import LaneFunction, LaneState
from cudamigrate.reporting import port_words
from cudamigrate.wording import and_more, count_of

WORST_FIRST: tuple[Outcome, ...] = ("wrong-result", "compile-error", "missing", "slower", "fine")
"""Outcomes by harm: a wrong result comes first because nothing announces it."""
MEANING: Mapping[Outcome, str] = {
    "wrong-result": "runs on AMD and silently computes something else",
    "compile-error": "does not build for AMD as it is",
    "missing": "is left out of the build for AMD, so that what it does is missing",
    "slower": "builds and runs, with time lost",
    "fine": "most likely works as it is, and needs a look",
}
LEVELS: Mapping[Outcome, str] = {
    "wrong-result": "error",
    "compile-error": "error",
    "missing": "warning",
    "slower": "warning",
    "fine": "note",
}
"""How loud a finding is where a format has levels."""
CATEGORIES: Mapping[Category, str] = {
    "pytorch": "standard PyTorch",
    "pytorch-triton": "PyTorch with Triton kernels",
    "pytorch-cuda-extension": "PyTorch with CUDA extensions of its own",
    "native-cuda": "native CUDA C++",
    "tensorrt": "TensorRT inference",
    "jax": "JAX",
    "python-kernels": "CuPy, Numba or PyCUDA",
    "packages-only": "GPU used through packages only",
    "no-gpu": "no GPU code",
    "ported": "already ported",
}
ADVICE: Mapping[Advice, str] = {"move": "Move", "move-part": "Move a part", "wait": "Wait", "stay": "Stay"}
KINDS: Mapping[str, str] = {
    "environment": "Machines and environment",
    "build": "Build",
    "review": "Review of what was changed",
    "findings": "Findings left to repair",
    "integration": "Making it work as a whole",
    "validation": "Running it and comparing numbers",
    "tests": "Tests of kernels",
    "tuning": "Performance tuning",
    "ci": "Continuous integration",
    "benchmark": "Benchmarks",
}
"""Parts of the effort in the order in which they are reported; other kinds follow under their own names."""
_NOTICES = frozenset(("resolve", "language", "toolkit"))
"""Kinds of notices that a sentence of their own says, so that they count as no file skipped."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a set of findings by how they are fixed, no finding in two; `worst` is the most harmful outcome."""

    automatic: int = 0
    review: int = 0
    manual: int = 0
    fine: int = 0
    worst: Outcome = "fine"

    @property
    def findings(self) -> int:
        """All findings, those that are fine as they are included."""
        return self.work + self.fine

    @property
    def work(self) -> int:
        """Findings that ask for a change: automatic, reviewed or manual."""
        return self.automatic + self.review + self.manual

    @property
    def left(self) -> int:
        """Findings that ask somebody to look: those to review and the manual ones."""
        return self.review + self.manual

    def __add__(self, other: Tally) -> Tally:
        worst = min(self.worst, other.worst, key=WORST_FIRST.index)
        return Tally(
            self.automatic + other.automatic, self.review + other.review, self.manual + other.manual,
            self.fine + other.fine, worst,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleTally:
    """One rule's findings that need manual work, with the first that is certain in the order of the report."""

    rule: str
    count: int
    first: Finding


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of work in an estimate, in days of the middle case, and how many items it adds up."""

    kind: str
    title: str
    days: float
    items: int = 0


@dataclass(frozen=True, slots=True)
class FileWork:
    """What one file asks for: its findings, and the days of the middle case that its own items add up to."""

    file: FileResult
    tally: Tally
    days: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals of a report. `lines` and `files` cover all that was read, `cuda_*` the files with CUDA in them.

    `newer` counts, by ROCm release newer than the target, the findings whose equivalent came with it.
    """

    files: int
    cuda_files: int
    lines: int
    cuda_lines: int
    ported: int
    total: Tally
    groups: Mapping[str, Tally]
    outcomes: Mapping[Outcome, Tally]
    supports: Mapping[Support, int]
    skipped: Mapping[str, int]
    vendored: Mapping[str, int]
    submodules: tuple[str, ...]
    needed_submodules: Mapping[str, int]
    needed_dependencies: Mapping[str, int]
    newer: Mapping[str, int]


def summarize(report: Report) -> Summary:
    """Count a report. Groups are in the order of the groups, skips are counted by kind."""
    cuda = [file for file in report.files if file.cuda]
    counted = Counter((one.group, one.outcome, one.resolution) for one in report.findings)  # each is asked once
    found = {group for group, *_ in counted}
    order = [*(group for group in GROUPS if group in found), *sorted(found - set(GROUPS))]
    supports = Counter(finding.support for finding in report.findings)
    return Summary(
        files=len(report.files),
        cuda_files=len(cuda),
        lines=sum(file.lines for file in report.files),
        cuda_lines=sum(file.lines for file in cuda),
        ported=sum(file.ported for file in report.files),
        total=_tallied(counted),
        groups={group: _tallied(counted, group=group) for group in order},
        outcomes={outcome: _tallied(counted, outcome=outcome) for outcome in WORST_FIRST},
        supports={support: supports[support] for support in SUPPORTS},
        skipped=dict(sorted(Counter(skip.kind for skip in report.skipped if skip.kind not in _NOTICES).items())),
        vendored=dict(sorted(report.vendored.items())),
        submodules=tuple(sorted(report.submodules)),
        needed_submodules=dict(report.needed_submodules),
        needed_dependencies=dict(report.needed_dependencies),
        newer=_newer(report),
    )


LANE_WORDS: dict[LaneState, str] = {
    "left": "left for manual review",
    "converted": "fully converted",
    "right": "right already",
    "unchecked": "not checked",
}
"""What becomes of a function, in words; what needs review first."""


def lane_functions(report: Report) -> list[tuple[str, LaneFunction]]:
    """Functions with warp-level code and their files, those that are left for manual review first."""
    found = [(file.path, one) for file in report.files for one in file.lane_functions]
    order = list(LANE_WORDS)
    return sorted(found, key=lambda pair: (order.index(pair[1].state), pair[0], pair[1].line, pair[1].name))


def lane_line(report: Report) -> str:
    """How the functions with warp-level code come out, in one line; empty where there are none."""
    total = sum((states := lane_states(report)).values())
    words = ", ".join(f"{count:,} {LANE_WORDS[state]}" for state, count in states.items())
    return f"{count_of(total, 'function')} with warp-level code: {words}" if states else ""


def lane_states(report: Report) -> dict[LaneState, int]:
    """How many functions with warp-level code there are in each state, without those of which there are none."""
    counts = Counter(one.state for file in report.files for one in file.lane_functions)
    return {state: counts[state] for state in LANE_WORDS if counts[state]}


def tally(findings: Iterable[Finding]) -> Tally:
    """Count findings by how they are fixed."""
    return _tallied(Counter(("", one.outcome, one.resolution) for one in findings))


def _tallied(counted: Mapping[tuple[str, Outcome, Resolution], int], group: str = "", outcome: str = "") -> Tally:
    """Findings, counted by group, outcome and how they are fixed: all, or those of one group or outcome."""
    chosen = [(key, count) for key, count in counted.items() if group in ("", key[0]) and outcome in ("", key[1])]
    worst = min((key[1] for key, _ in chosen), key=WORST_FIRST.index, default=WORST_FIRST[-1])
    automatic, review, manual, fine = (
        sum(count for (*_, how), count in chosen if how == one) for one in ("automatic", "review", "manual", "fine")
    )
    return Tally(automatic, review, manual, fine, worst)


def balance(counted: Tally) -> str:
    """The three numbers in words: they exclude each other, and what is fine as it is counts apart."""
    numbers = f"{counted.automatic:,} automatic, {counted.review:,} to review (`--unsafe`), {counted.manual:,} manual"
    total = f"{count_of(counted.work, 'finding')}: {numbers}"
    fine = "1 more is fine as it is" if counted.fine == 1 else f"{counted.fine:,} more are fine as they are"
    return f"{total}; {fine}" if counted.fine else total


def listed(report: Report) -> list[Finding]:
    """The findings that reports list, worst first: all but those that are fine as they are."""
    return worst_first(finding for finding in report.findings if finding.resolution != "fine")


def by_hand_work(report: Report) -> list[tuple[FileResult, Tally]]:
    """Files with findings, those with the most left to do manually first."""
    pairs = [(file, counted) for file in report.files if (counted := tally(file.findings)).work]
    return sorted(pairs, key=lambda pair: (-pair[1].manual, -pair[1].review, -pair[1].findings, pair[0].path))


def manual_rules(report: Report) -> list[RuleTally]:
    """Rules whose findings need somebody: by harm, blockers first, then by how many rest on more than a word.

    The first finding of a rule is the first such, if there is one."""
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if finding.resolution in ("manual", "review"):
            found.setdefault(finding.rule, []).append(finding)
    certain = {rule: [one for one in each if one.certainty != "token"] for rule, each in found.items()}
    tallies = [RuleTally(rule, len(each), (certain[rule] or each)[0]) for rule, each in found.items()]
    blocking = {rule for one in (report.estimate.blockers if report.estimate else ()) for rule in one.rules}

    def key(one: RuleTally) -> tuple[int, bool, int, int, str]:
        harm, seen = WORST_FIRST.index(one.first.outcome), len(certain[one.rule])
        return harm, one.rule not in blocking, -seen, -one.count, one.rule

    return sorted(tallies, key=key)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """What needs manual work before what does not; then by harm, by effort and by place."""
    placed = sorted(findings, key=lambda f: (f.path, f.span, f.rule, f.ordinal))
    by_harm = sorted(placed, key=lambda f: (WORST_FIRST.index(f.outcome), -EFFORTS.index(f.effort)))
    return sorted(by_harm, key=lambda f: f.resolution in ("automatic", "fine"))


def parts(estimate: Estimate) -> list[Part]:
    """Kinds of work that add up to the total.

    Middle values do not add up to the middle of a sum; what is missing, or too much, is the last part.
    """
    sums: dict[str, list[float]] = {}
    for item in estimate.items:
        sums.setdefault(item.kind, []).append(item.days.p50)
    order = [*(kind for kind in KINDS if kind in sums), *sorted(set(sums) - set(KINDS))]
    found = [Part(kind, KINDS.get(kind, kind.capitalize()), sum(sums[kind]), len(sums[kind])) for kind in order]
    left = estimate.days.p50 - sum(part.days for part in found)
    if abs(left) >= 0.05:
        title = "Allowance for combined risks" if left > 0 else "Risks that offset each other"
        found.append(Part("spread", title, left))
    return found


def file_work(report: Report) -> list[FileWork]:
    """Files with findings, those that take longest first; without an estimate, those with the most manual work."""
    days: dict[str, float] = {}
    for item in report.estimate.items if report.estimate is not None else ():
        if item.path:
            days[item.path] = days.get(item.path, 0.0) + item.days.p50
    found = [FileWork(file, counted, days.get(file.path, 0.0)) for file, counted in by_hand_work(report)]
    return sorted(found, key=lambda work: -work.days)


def rule_days(estimate: Estimate | None) -> dict[str, float]:
    """Days of the middle case by rule."""
    found: dict[str, float] = {}
    for item in estimate.items if estimate is not None else ():
        if item.rule:
            found[item.rule] = found.get(item.rule, 0.0) + item.days.p50
    return found


def newer_days(report: Report) -> dict[str, float]:
    """Days of the middle case that each newer ROCm release would save, by release."""
    by_rule = rule_days(report.estimate)
    saved = dict.fromkeys(_newer(report), 0.0)
    for name, days in by_rule.items():
        since = report.rules[name].since if name in report.rules else ""
        if since in saved:
            saved[since] += days
    return saved


def overall(estimate: Estimate) -> Verdict | None:
    """The recommendation for the whole: the one that names no workload, else the first."""
    whole = [verdict for verdict in estimate.verdicts if verdict.workload in ("", "all", "whole", "overall")]
    return next(iter(whole or estimate.verdicts), None)


def advised(estimate: Estimate) -> list[Verdict]:
    """The verdicts for a table: of each workload with a known speed, then of the whole; none where that is alone."""
    first = estimate.performance[0].gpu if estimate.performance else ""
    unknown = {speed.workload for speed in estimate.performance if speed.no_data and speed.gpu == first}
    known = [one for one in estimate.verdicts if one.workload not in unknown]
    return known if len(known) > 1 else []


def days(value: float) -> str:
    """Days as people say them: halves of small numbers count, those of large ones do not."""
    if abs(value) < 0.05:
        return "0"
    return f"{value:,.1f}".removesuffix(".0") if abs(value) < 10 else f"{value:,.0f}"


def between(spread: Days) -> str:
    """The middle case, and the range that holds four moves in five."""
    if 0 < spread.p50 < 0.05:
        return "under 0.1 days"
    unit = "day" if days(spread.p50) == "1" else "days"
    return f"{days(spread.p50)} {unit} ({days(spread.p10)} to {days(spread.p90)})"


def port_lines(report: Report) -> list[str]:
    """What a report says of the port of a repository: how it shows, how far it goes, what it lacks, what is open."""
    port = report.port
    if port is None:
        return []
    guards = [f"{guard.name} ({guard.path}:{guard.line})" for guard in port.guards if guard.kind == "exact"]
    shown = [("guards", guards), ("shims", port.shims), ("a build for HIP in", port.builds), ("hipify", port.hipify)]
    kinds = [f"{word} {', '.join(places[:2])}{and_more(len(places) - 2)}" for word, places in shown if places]
    gaps = f"{count_of(port.gaps, 'gap')} left" if port.gaps else "no gap left"
    inside = sum(len(file.findings) for file in report.files if file.kernels)
    where = f" ({inside:,} in files with kernels, {port.gaps - inside:,} elsewhere)" if port.gaps else ""
    count = sum(map(len, port.unproven.values()))
    doubtful = [f"{count_of(count, 'CUDA place')} that could not be judged, and not priced: {port.doubts}"]
    unseen = port_words.unseen(report)
    share = f"{port.ported:,} of {port.kernels:,} kernels without a gap ({port.share:.0%})" * bool(port.kernels)
    if not port.gaps and port.ported + unseen < port.kernels:
        share = f"{port.kernels - port.ported - unseen:,} of {port.kernels:,} kernels {port_words.where(report)}"
    share = f"{share}{port_words.aside(unseen)}; " * bool(share)
    return [
        f"HIP port found: {'; '.join(kinds) or 'files for HIP beside those for CUDA'}",
        f"{share}{count_of(sum(port.covered.values()), 'CUDA place')} that the port covers, {gaps}{where}",
        *doubtful[:count],
    ]


def made_by(report: Report) -> str:
    """What made the report, in one line: tool and version, day, commit and command, as far as they are known."""
    where = report.repository
    commit = f"at {where.commit}{' with uncommitted changes' if where.dirty else ''}" if where.commit else ""
    said = (f"cudamigrate {report.version}", report.date, commit, report.command)
    return encodable(", ".join(part for part in said if part))


def encodable(text: str) -> str:
    """Bytes of a name that are not UTF-8 arrive as lone surrogates, which UTF-8 cannot hold: spelled as escapes."""
    return text if text.isascii() else _SURROGATE.sub(lambda match: rf"\u{ord(match[0]):04x}", text)


def _newer(report: Report) -> dict[str, int]:
    """How many findings each newer ROCm release would fix."""
    aim = release(report.target.rocm)
    since = Counter(report.rules[f.rule].since for f in report.findings if f.rule in report.rules)
    later = {version: count for version, count in since.items() if version[:1].isdigit() and release(version) > aim}
    return dict(sorted(later.items(), key=lambda item: release(item[0])))
