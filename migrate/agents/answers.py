"""What the tools answer: small typed objects, which the SDK describes to agents as JSON Schema.

The SDK takes a class attribute for a default, so these classes have no slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cudamigrate.agents.tasks import Task
from cudamigrate.model import Finding, Report
from cudamigrate.model.execution import Execution
from cudamigrate.model.verification import Verification
from cudamigrate.reporting import headline

FILES, COMPLAINTS = 20, 10
"""Files that a scan names, and complaints or programs that one answer holds, at most."""


@dataclass(frozen=True)
class FileCount:
    """A file, its findings, and how many of them no safe fix handles."""

    path: str
    findings: int
    left: int


@dataclass(frozen=True)
class ScanAnswer:
    """What is CUDA in the tree. `files` are those with most work left, `more_files` how many others have findings."""

    headline: str
    tree: str
    findings: int
    fixed_by_apply: int
    outcomes: dict[str, int]
    groups: dict[str, int]
    files: list[FileCount]
    more_files: int
    skipped: int


@dataclass(frozen=True)
class FindingAnswer:
    """One finding. `fix` is safe, unsafe (needs review), suggestion (never made by the tool) or none."""

    id: str
    path: str
    line: int
    column: int
    rule: str
    message: str
    outcome: str
    fix: str
    before: str
    after: str


@dataclass(frozen=True)
class FindingsAnswer:
    """A page of findings; `next_offset` asks for the next one and is None on the last."""

    total: int
    findings: list[FindingAnswer]
    next_offset: int | None


@dataclass(frozen=True)
class ExplainAnswer:
    """What a name is on AMD; where it is not known, `nearest` is a name that is."""

    name: str
    text: str
    nearest: str = ""


@dataclass(frozen=True)
class FixAnswer:
    """One fix: the diff, and the files that were written. Nothing is written where the server has no output folder."""

    rule: str
    path: str
    diff: str
    written: list[str]
    left_in_file: int


@dataclass(frozen=True)
class Complaint:
    """What the compiler says of a place."""

    path: str
    line: int
    column: int
    message: str
    rule: str


@dataclass(frozen=True)
class VerifyAnswer:
    """Whether files compile for AMD. `absent` says why nothing was judged; nothing is claimed of `unresolved` files."""

    ok: bool
    engine: str
    absent: str
    counts: dict[str, int]
    unresolved: list[str]
    complaints: list[Complaint]
    more_complaints: int


@dataclass(frozen=True)
class ProgramAnswer:
    """What running one program showed: same, differs or not-run, and why."""

    name: str
    verdict: str
    reason: str
    faults: list[str]


@dataclass(frozen=True)
class RunAnswer:
    """What running programs on the emulated GPU showed; `absent` says why none could be run."""

    ok: bool
    reference: str
    absent: str
    programs: list[ProgramAnswer]
    more_programs: int


@dataclass(frozen=True)
class TasksAnswer:
    """A page of tasks; `next_offset` asks for the next one and is None on the last."""

    total: int
    tasks: list[Task]
    next_offset: int | None


def scanned(report: Report, tree: str) -> ScanAnswer:
    """The report in one screen."""
    every = Counter(one.path for one in report.findings)
    left = Counter(one.path for one in report.findings if not one.automatic)
    order = sorted(every, key=lambda path: (-left[path], -every[path], path))
    return ScanAnswer(
        headline=headline.sentence(report),
        tree=tree,
        findings=len(report.findings),
        fixed_by_apply=sum(one.automatic for one in report.findings),
        outcomes=dict(Counter(one.outcome for one in report.findings)),
        groups=dict(Counter(one.group for one in report.findings).most_common()),
        files=[FileCount(path, every[path], left[path]) for path in order[:FILES]],
        more_files=max(0, len(order) - FILES),
        skipped=sum(not one.notice for one in report.skipped),
    )


def found(findings: Sequence[Finding], offset: int, limit: int) -> FindingsAnswer:
    """A page of findings."""
    page = [
        FindingAnswer(
            one.fingerprint, one.path, one.position.line, one.position.column, one.rule, one.message, one.outcome,
            "none" if one.fix is None else one.fix.safety, one.before, one.after,
        )
        for one in findings[offset : offset + limit]
    ]  # fmt: skip
    return FindingsAnswer(len(findings), page, _next(len(findings), offset, limit))


def left(tasks: Sequence[Task], offset: int, limit: int) -> TasksAnswer:
    """A page of tasks."""
    return TasksAnswer(len(tasks), list(tasks[offset : offset + limit]), _next(len(tasks), offset, limit))


def _next(total: int, offset: int, limit: int) -> int | None:
    return offset + limit if offset + limit < total else None


def verified(judged: Verification) -> VerifyAnswer:
    """The verdicts, failures first."""
    counts = Counter(verdict.word for verdict in judged.verdicts)
    complaints_found = [
        Complaint(one.place.path, one.place.line, one.place.column, one.message, one.rule)
        for verdict in judged.verdicts
        if verdict.word == "failed"
        for one in verdict.diagnostics
    ]
    return VerifyAnswer(
        ok=not judged.absent and bool(judged.verdicts) and not counts["failed"] and not counts["unresolved"],
        engine=judged.toolchain.title if judged.toolchain is not None else "",
        absent=judged.absent,
        counts={str(word): number for word, number in counts.items()},
        unresolved=[verdict.path for verdict in judged.verdicts if verdict.word == "unresolved"][:FILES],
        complaints=complaints_found[:COMPLAINTS],
        more_complaints=max(0, len(complaints_found) - COMPLAINTS),
    )


def ran(done: Execution) -> RunAnswer:
    """The verdicts on programs, those that differ first."""
    order = sorted(done.verdicts, key=lambda one: ("differs", "not-run", "same").index(one.word))
    programs = [
        ProgramAnswer(one.name, one.word, one.reason, [f"{fault.kind}: {fault.detail}" for fault in one.faults[:5]])
        for one in order[:COMPLAINTS]
    ]
    good = bool(order) and all(one.word == "same" for one in order)
    return RunAnswer(good, done.reference, done.absent, programs, max(0, len(order) - COMPLAINTS))
