"""Report -> Summary: the totals that every report format prints, counted in one place so that formats agree.

Comes in: a `Report`. Goes out: a `Summary` of plain counts. `automatic` counts the findings that `apply` settles
unasked, `unsafe` those it settles with `--unsafe`, and `manual` all that are not automatic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrate.model import GROUPS, SUPPORTS, FileResult, Finding, Outcome, Report, Support, release

WORST_FIRST: tuple[Outcome, ...] = ("wrong-result", "compile-error", "slower", "fine")
"""Outcomes by harm: a wrong result comes first because nothing announces it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a set of findings; `worst` is its most harmful outcome."""

    findings: int = 0
    automatic: int = 0
    unsafe: int = 0
    worst: Outcome = "fine"

    @property
    def manual(self) -> int:
        """Findings that `apply` does not settle unasked."""
        return self.findings - self.automatic

    @property
    def percent(self) -> int:
        """Automatic findings in a hundred, rounded down: 100 only where all are."""
        return 100 * self.automatic // self.findings if self.findings else 100


@dataclass(frozen=True, slots=True)
class RuleTally:
    """One rule's findings that need a hand, with the first of them in the order of the report."""

    rule: str
    count: int
    first: Finding


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals of a report. `lines` and `files` cover all that was read, `cuda_*` the files with CUDA in them.

    `newer` counts, by ROCm release newer than the target, the findings whose counterpart came with it.
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
    newer: Mapping[str, int]


def summarize(report: Report) -> Summary:
    """Count a report. Groups are in the order of the groups, skips are counted by kind."""
    cuda = [file for file in report.files if file.cuda]
    by_group: dict[str, list[Finding]] = {}
    by_outcome: dict[Outcome, list[Finding]] = {outcome: [] for outcome in WORST_FIRST}
    for finding in report.findings:
        by_group.setdefault(finding.group, []).append(finding)
        by_outcome[finding.outcome].append(finding)
    order = [*(group for group in GROUPS if group in by_group), *sorted(set(by_group) - set(GROUPS))]
    supports = Counter(finding.support for finding in report.findings)
    return Summary(
        files=len(report.files),
        cuda_files=len(cuda),
        lines=sum(file.lines for file in report.files),
        cuda_lines=sum(file.lines for file in cuda),
        ported=sum(file.ported for file in report.files),
        total=tally(report.findings),
        groups={group: tally(by_group[group]) for group in order},
        outcomes={outcome: tally(found) for outcome, found in by_outcome.items()},
        supports={support: supports[support] for support in SUPPORTS},
        skipped=dict(sorted(Counter(skip.kind for skip in report.skipped).items())),
        vendored=dict(sorted(report.vendored.items())),
        submodules=tuple(sorted(report.submodules)),
        newer=_newer(report),
    )


def tally(findings: Iterable[Finding]) -> Tally:
    """Count findings by who settles them."""
    count = automatic = unsafe = 0
    worst: Outcome = "fine"
    for finding in findings:
        count += 1
        automatic += finding.automatic
        unsafe += finding.fix is not None and finding.fix.safety == "unsafe"
        if WORST_FIRST.index(finding.outcome) < WORST_FIRST.index(worst):
            worst = finding.outcome
    return Tally(count, automatic, unsafe, worst)


def by_hand_work(report: Report) -> list[tuple[FileResult, Tally]]:
    """Files with findings, those with the most left to do by hand first."""
    pairs = [(file, tally(file.findings)) for file in report.files if file.findings]
    return sorted(pairs, key=lambda pair: (-pair[1].manual, -pair[1].findings, pair[0].path))


def manual_rules(report: Report) -> list[RuleTally]:
    """Rules whose findings need a hand: the most harmful outcome first, then the most frequent."""
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if not finding.automatic:
            found.setdefault(finding.rule, []).append(finding)
    tallies = [RuleTally(rule, len(findings), findings[0]) for rule, findings in found.items()]
    return sorted(tallies, key=lambda t: (WORST_FIRST.index(t.first.outcome), -t.count, t.rule))


def _newer(report: Report) -> dict[str, int]:
    """How many findings each newer ROCm release would settle."""
    aim = release(report.target.rocm)
    since = Counter(report.rules[f.rule].since for f in report.findings if f.rule in report.rules)
    later = {version: count for version, count in since.items() if version[:1].isdigit() and release(version) > aim}
    return dict(sorted(later.items(), key=lambda item: release(item[0])))
