"""A JSON report -> the Report it was made from, so that it can be rendered again and compared.

Every format renders it as it would have rendered the original; what JSON does not carry, such as the patterns of rules,
is left empty. A file that `rules/report.schema.json` would refuse raises InputError with one line that names the first
place that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from cudamigrate import bounded_files
from cudamigrate.errors import InputError
from cudamigrate.lazy_re import re
from cudamigrate.model import (
    GROUPS,
    REPORT_SCHEMA,
    Certainty,
    Change,
    Edit,
    Effort,
    FileResult,
    Finding,
    Fix,
    Match,
    Outcome,
    Position,
    Proof,
    Report,
    Repository,
    Resolution,
    Rule,
    Safety,
    Skip,
    Span,
    Step,
    Support,
    Target,
)
from cudamigrate.model.estimate import Estimate
from cudamigrate.model.execution import Execution, Fault, RunVerdict, RunWord
from cudamigrate.model.lane_facts import LaneFunction, LaneState, WaveState
from cudamigrate.model.port_facts import PortSummary
from cudamigrate.model.verification import Cause, Missing, Word
from cudamigrate.reporting.formats import json as json_report
from cudamigrate.reporting.json_decoding import WrongError, decode, parse

_RELEASE = re.compile(r"[0-9]+(\.[0-9]+)*")
_ARCH = re.compile(r"gfx[0-9a-f]+")
_LATER = ("newer_rocm", "needed_dependencies")
"""Totals that need not be there, nor be counted as this release counts them."""
_COMMIT = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})?")


class _Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Literal["cudamigrate"]
    version: str


class _Where(msgspec.Struct, frozen=True):
    name: str
    commit: str
    branch: str
    dirty: bool
    url: str = ""


class _Aim(msgspec.Struct, frozen=True):
    rocm: str
    cuda: str
    arch: tuple[str, ...]
    wave: Literal["logical32", "native"]


class _Totals(msgspec.Struct, frozen=True):
    """The part of the summary that cannot be counted again from the parts."""

    vendored: Mapping[str, int]
    submodules: tuple[str, ...]
    needed_submodules: Mapping[str, int] = {}
    needed_dependencies: Mapping[str, int] = {}


class _File(msgspec.Struct, frozen=True):
    path: str
    language: str
    lines: int
    size: int
    cuda: bool
    ported: int
    findings: int
    automatic: int
    kernels: int = 0
    lane_functions: tuple[_LaneFunction, ...] = ()


class _LaneFunction(msgspec.Struct, frozen=True):
    name: str
    line: int
    state: LaneState
    rules: tuple[str, ...] = ()
    wave: WaveState = "narrowed"
    why: str = ""
    trace: tuple[_Step, ...] = ()


class _Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    start: int
    end: int
    replacement: str


class _Fix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    safety: Safety
    edits: tuple[_Edit, ...]


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    line: int
    text: str


class _Found(msgspec.Struct, frozen=True):
    rule: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    excerpt: str
    message: str
    support: Support
    outcome: Outcome
    certainty: Certainty
    effort: Effort
    start: int
    end: int
    ordinal: int
    fingerprint: str
    before: str
    after: str
    fix: _Fix | None
    trace: tuple[_Step, ...] = ()
    above: str = ""
    below: str = ""
    settled: Resolution | msgspec.UnsetType = msgspec.UNSET


class _Skip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    kind: str
    reason: str


class _Rule(msgspec.Struct, frozen=True):
    title: str
    support: Support
    outcome: Outcome
    effort: Effort
    safety: Safety
    notes: str = ""
    since: str = ""
    library: str = ""


class _Run(msgspec.Struct, frozen=True):
    name: str
    run: RunWord
    reason: str
    waves: tuple[int, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    compared: int


class _Runs(msgspec.Struct, frozen=True):
    what: Literal["program", "kernel"]
    compiler: str
    reference: str
    sandbox: str
    absent: str
    programs: tuple[_Run, ...]


class _Proof(msgspec.Struct, frozen=True):
    engine: str
    types: Mapping[Word, int]
    runs: _Runs | None = None
    arch: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    missing: tuple[Missing, ...] = ()


class _Made(msgspec.Struct, frozen=True):
    date: str = ""
    command: str = ""


class _Document(msgspec.Struct, frozen=True):
    schema: str
    tool: _Tool
    repository: _Where
    target: _Aim
    summary: _Totals
    estimate: Estimate | None
    files: tuple[_File, ...]
    findings: tuple[_Found, ...]
    skipped: tuple[_Skip, ...]
    rules: Mapping[str, _Rule]
    port: PortSummary | None = None
    silenced: tuple[str, ...] = ()
    proof: _Proof | None = None
    made: _Made = _Made()


def load(path: Path) -> Report:
    """The report in a file. Raises InputError."""
    try:
        text = bounded_files.stream(path, 2 << 30).decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a cudamigrate report: it is not UTF-8 text") from None
    return loads(text, str(path))


def loads(text: str, name: str = "report") -> Report:
    """The report in a text; `name` is what errors call it, and `first_screen` is free. Raises InputError."""
    try:
        document = parse(text)
        report = _report(_document(document))
        _agrees(report, document["summary"])
        _require(isinstance(document.get("first_screen", {}), dict), "first_screen: an object")
        return report
    except WrongError as wrong:
        raise InputError(f"{name} is not a cudamigrate report: {wrong}") from None


def _document(value: Any) -> _Document:
    found = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise WrongError("it has no `schema`; give a file that `scan --format json` wrote")
    if found != REPORT_SCHEMA:
        raise WrongError(f"its format is {found!r}, and this release reads {REPORT_SCHEMA!r}")
    return decode(_Document, value)


def _report(document: _Document) -> Report:
    findings = tuple(_finding(found, at) for at, found in enumerate(document.findings))
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    _require(set(by_path) <= {file.path for file in document.files}, "findings: a path that `files` does not have")
    where, aim = document.repository, document.target
    _matches(_COMMIT, where.commit, "repository.commit")
    for place, value in (("rocm", aim.rocm), ("cuda", aim.cuda)):
        _matches(_RELEASE, value, f"target.{place}")
    _require(len(set(aim.arch)) == len(aim.arch) > 0, "target.arch: each architecture once, one at least")
    for arch in aim.arch:
        _matches(_ARCH, arch, "target.arch")
    return Report(
        version=document.tool.version,
        repository=Repository("", where.name, where.commit, where.branch, where.dirty, where.url),
        target=Target(aim.rocm, aim.cuda, aim.arch, aim.wave),
        files=tuple(_file(file, tuple(by_path.get(file.path, ()))) for file in document.files),
        findings=findings,
        skipped=tuple(_skip(skip, at) for at, skip in enumerate(document.skipped)),
        vendored=document.summary.vendored,
        submodules=document.summary.submodules,
        rules={name: _rule(name, rule) for name, rule in document.rules.items()},
        estimate=document.estimate,
        port=document.port,
        suppressed=document.silenced,
        needed_submodules=document.summary.needed_submodules,
        needed_dependencies=document.summary.needed_dependencies,
        proof=None if document.proof is None else _proof(document.proof),
        date=document.made.date,
        command=document.made.command,
    )


def _proof(proof: _Proof) -> Proof:
    ran = _execution(proof.runs) if proof.runs else None
    return Proof(proof.types, proof.engine, ran, proof.arch, proof.said, proof.causes, proof.missing)


def _execution(runs: _Runs) -> Execution:
    verdicts = tuple(RunVerdict(*msgspec.structs.astuple(one)) for one in runs.programs)
    return Execution(verdicts, runs.compiler, runs.reference, runs.sandbox, runs.absent, what=runs.what)


def _agrees(report: Report, said: Mapping[str, Any]) -> None:
    """The totals are the sums of the parts: a file that was edited or cut is reported, not rendered."""
    for name, counted in json_report.totals(report).items():
        if name not in _LATER:
            _require(name in said, f"summary.{name} is missing")
            agrees = json.dumps(said[name], sort_keys=True) == json.dumps(counted, sort_keys=True)
            _require(agrees, f"summary.{name} is {said[name]!r:.60}, and its parts make {counted!r:.60}")


def _finding(found: _Found, at: int) -> Finding:
    where = f"findings[{at}]"
    _named(found.rule, f"{where}.rule")
    for name, value in (("path", found.path), ("message", found.message)):
        _require(bool(value), f"{where}.{name} is empty")
    for name, number in zip(("line", "column"), (found.line, found.column), strict=True):
        _require(number > 0, f"{where}.{name} counts from 1")
    _require(found.end_line > 0 and found.end_column > 0, f"{where}: the end counts from 1")
    finding = Finding(
        rule=found.rule,
        path=found.path,
        span=Span(found.start, found.end),
        position=Position(found.line, found.column),
        end=Position(found.end_line, found.end_column),
        excerpt=found.excerpt,
        message=found.message,
        support=found.support,
        outcome=found.outcome,
        certainty=found.certainty,
        effort=found.effort,
        fix=None if found.fix is None else _fix(found.fix, where),
        ordinal=found.ordinal,
        before=found.before,
        after=found.after,
        trace=_steps(found.trace),
        above=found.above,
        below=found.below,
    )
    consistent = found.settled is msgspec.UNSET or found.settled == finding.resolution
    _require(consistent, f"{where}.settled is not how the finding is fixed")
    _require(finding.fingerprint == found.fingerprint, f"{where}.fingerprint does not belong to the finding")
    return finding


def _fix(fix: _Fix, where: str) -> Fix:
    _require(bool(fix.edits), f"{where}.fix.edits is empty")
    return Fix(tuple(Edit(Span(e.start, e.end), e.replacement.encode()) for e in fix.edits), fix.safety)


def _file(file: _File, findings: tuple[Finding, ...]) -> FileResult:
    _require(bool(file.path and file.language), "files: a path or language is empty")
    _require(file.findings == len(findings), f"files: {file.path} has {len(findings)} findings, not {file.findings}")
    _require(
        all(one.name and one.line > 0 for one in file.lane_functions), f"files: {file.path}: a function of no place"
    )
    known = file.path, file.language, file.lines, file.size, file.cuda, findings
    functions = tuple(
        LaneFunction(one.name, one.line, one.state, one.rules, one.wave, one.why, _steps(one.trace))
        for one in file.lane_functions
    )
    return FileResult(*known, ported=file.ported, kernels=file.kernels, lane_functions=functions)


def _steps(trace: Sequence[_Step]) -> tuple[Step, ...]:
    return tuple(Step(step.path, step.line, step.text) for step in trace)


def _skip(skip: _Skip, at: int) -> Skip:
    words = skip.path, skip.kind, skip.reason
    _require(all(words), f"skipped[{at}]: a word is empty")
    return Skip(*words)


def _rule(name: str, rule: _Rule) -> Rule:
    _named(name, "rules")
    return Rule(
        id=name,
        title=rule.title,
        match=Match("name", ()),
        support=rule.support,
        outcome=rule.outcome,
        change=Change("none"),
        safety=rule.safety,
        effort=rule.effort,
        message="",
        notes=rule.notes,
        since=rule.since,
        library=rule.library,
    )


def _named(rule: str, where: str) -> None:
    group, _, name = rule.partition("/")
    _require(bool(group in GROUPS and name), f"{where}: {rule!r:.60} is not the id of a rule")


def _matches(pattern: re.Pattern[str], text: str, where: str) -> None:
    _require(pattern.fullmatch(text) is not None, f"{where}: {text!r:.60} is not of the form asked for")


def _require(holds: bool, wrong: str) -> None:
    if not holds:
        raise WrongError(wrong)
