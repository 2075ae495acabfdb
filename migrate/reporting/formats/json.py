"""Report -> JSON, for programs and for keeping.

Result: one JSON object in the format that `rules/report.schema.json` describes. The same report gives the same bytes:
no times, no absolute paths, fixed orders. Each file, finding, skip and rule is on a line of its own, so that a
changed report reads well in a diff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import chain, groupby
from operator import attrgetter
from typing import TypeAlias

from cudamigrate.model import REPORT_SCHEMA, FileResult, Finding, Fix, JsonValue, Proof, Report, Rule, Skip, Step
from cudamigrate.model.estimate import Estimate
from cudamigrate.model.lane_facts import LaneFunction
from cudamigrate.reporting.basis import basis
from cudamigrate.reporting.first_screen import actions, areas
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.json_rows import Rows, Texts, Value, entries, plain, rows
from cudamigrate.reporting.summary import Tally, summarize

Blocks: TypeAlias = "Callable[[Callable[[Sequence[Finding]], str]], Iterable[str]]"
"""Gives the texts of all findings in the order of their places, those of some files in each: texts that it knows, and
what the function makes of others, which are of one or more whole files."""


def render(report: Report) -> str:
    """The report as JSON text that ends with a newline."""
    return "".join(chunks(report))


def chunks(report: Report) -> Iterator[str]:
    """The text of the report in pieces, made as they are asked for."""
    return chain(heading(report), content(report))


def heading(report: Report) -> Iterator[str]:
    """The first pieces of the text: what was read, when and by what. All of a report that is of one run alone."""
    return entries(_heading(report), "{\n")


def content(report: Report, blocks: Blocks | None = None) -> Iterator[str]:
    """The pieces that follow, which rest on nothing that `heading` says. `blocks` have texts that were made before."""
    yield from entries(_content(report, blocks), ",\n")
    yield "\n}\n"


def _heading(report: Report) -> dict[str, Value]:
    where, target = report.repository, report.target
    made = {key: value for key, value in (("date", report.date), ("command", report.command)) if value}
    return {
        "schema": REPORT_SCHEMA,
        "tool": {"name": "cudamigrate", "version": report.version},
        "repository": {
            "name": where.name,
            "commit": where.commit,
            "branch": where.branch,
            "dirty": where.dirty,
            **({"url": where.url} if where.url else {}),
        },
        "target": {"rocm": target.rocm, "cuda": target.cuda, "arch": list(target.arch), "wave": target.wave},
        **({"made": made} if made else {}),
    }


def _content(report: Report, blocks: Blocks | None) -> dict[str, Value]:
    port: dict[str, JsonValue] = {} if report.port is None else {"port": plain(report.port)}
    proof: dict[str, JsonValue] = {} if report.proof is None else {"proof": _proof(report.proof)}
    return {
        "summary": totals(report),
        "first_screen": first_screen(report),
        "estimate": _estimate(report.estimate),
        **port,
        **_written(report),
        **proof,
        "files": Rows(sorted(report.files, key=lambda file: file.path), _file, whole=True),
        "findings": _findings(report) if blocks is None else Texts(blocks(_text_of)),
        "skipped": [_skip(skip) for skip in sorted(report.skipped, key=lambda s: (s.path, s.kind, s.reason))],
        **({"silenced": sorted(report.suppressed)} if report.suppressed else {}),
        "rules": {rule.id: _rule(rule) for rule in sorted(report.rules.values(), key=lambda rule: rule.id)},
    }


def first_screen(report: Report) -> JsonValue:
    """What every format says first, for programs that show it."""
    components: list[JsonValue] = [
        {
            "name": one.key,
            "score": one.score,
            "automatic": one.tally.automatic,
            "review": one.tally.review,
            "manual": one.tally.manual,
            "fine": one.tally.fine,
            "days": round(one.days, 3),
            "blockers": one.blockers,
        }
        for one in areas(report)
    ]
    works: list[JsonValue] = [
        {
            "title": one.title,
            "detail": one.detail,
            "days": {name: round(getattr(one.days, name), 3) for name in ("p10", "p50", "p90")},
            "blocker": one.blocker,
            "assumed": one.assumed,
        }
        for one in actions(report)
    ]
    return plain({"sentence": sentence(report), "components": components, "actions": works, "basis": basis(report)})


def _written(report: Report) -> dict[str, JsonValue]:
    """How files were converted, and whether CUDA's path is unchanged; nothing where none were."""
    style: dict[str, JsonValue] = {} if report.style is None else {"style": plain(report.style)}
    if report.cuda_path is None:
        return style
    path = {"unchanged": report.cuda_path.unchanged}
    return {**style, "cuda_path": {**path, **plain(report.cuda_path)}}


def _proof(proof: Proof) -> JsonValue:
    """What was shown without a GPU; no times, which differ from run to run."""
    runs = proof.runs
    verdict: dict[str, JsonValue] = {
        "engine": proof.engine,
        "arch": list(proof.arch),
        "types": dict(proof.types),
        "said": list(proof.said),
        "causes": [plain(cause) for cause in proof.causes],
        "missing": [plain(one) for one in proof.missing],
    }
    if runs is None:
        return verdict
    programs: list[JsonValue] = [
        {
            "name": verdict.name,
            "run": verdict.word,
            "reason": verdict.reason,
            "waves": list(verdict.waves),
            "compared": verdict.compared,
            "faults": [plain(fault) for fault in verdict.faults],
            "notes": list(verdict.notes),
        }
        for verdict in runs.verdicts
    ]
    said = {"what": runs.what, "compiler": runs.compiler, "reference": runs.reference, "sandbox": runs.sandbox}
    made: dict[str, JsonValue] = {**said, "absent": runs.absent, "programs": programs}
    return {**verdict, "runs": made}


def totals(report: Report) -> dict[str, JsonValue]:
    """The totals of a report as they are in the file."""
    summary = summarize(report)
    return {
        "files": summary.files,
        "cuda_files": summary.cuda_files,
        "lines": summary.lines,
        "cuda_lines": summary.cuda_lines,
        "ported": summary.ported,
        **_tally(summary.total),
        "groups": {group: {**_tally(tally), "worst": tally.worst} for group, tally in summary.groups.items()},
        "outcomes": {outcome: _tally(tally) for outcome, tally in summary.outcomes.items()},
        "supports": dict(summary.supports),
        "skipped": dict(summary.skipped),
        "vendored": dict(summary.vendored),
        "submodules": list(summary.submodules),
        "needed_submodules": dict(summary.needed_submodules),
        "needed_dependencies": dict(summary.needed_dependencies),
        "newer_rocm": dict(summary.newer),
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "findings": tally.findings,
        "automatic": tally.automatic,
        "review": tally.review,
        "manual": tally.manual,
        "fine": tally.fine,
        "unsafe": tally.review,
    }


def _file(file: FileResult) -> dict[str, JsonValue]:
    known: dict[str, JsonValue] = {
        "path": file.path,
        "language": file.language,
        "lines": file.lines,
        "size": file.size,
        "cuda": file.cuda,
        "ported": file.ported,
        "findings": len(file.findings),
        "automatic": sum(finding.automatic for finding in file.findings),
    }
    if file.kernels:
        known["kernels"] = file.kernels
    if file.lane_functions:
        known["lane_functions"] = [_lane_function(one) for one in file.lane_functions]
    return known


def _lane_function(function: LaneFunction) -> dict[str, JsonValue]:
    known = {name: plain(getattr(function, name)) for name in ("name", "line", "state", "rules", "wave", "why")}
    if function.trace:
        known["trace"] = _trace(function.trace)
    return known


def _trace(steps: Sequence[Step]) -> JsonValue:
    return [{"path": step.path, "line": step.line, "text": step.text} for step in steps]


def _finding(finding: Finding) -> dict[str, JsonValue]:
    finding = finding.whole
    known = _known(finding)
    if finding.trace:
        known["trace"] = _trace(finding.trace)
    return known


def _known(finding: Finding) -> dict[str, JsonValue]:
    return {
        "rule": finding.rule,
        "path": finding.path,
        "line": finding.position.line,
        "column": finding.position.column,
        "end_line": finding.end.line,
        "end_column": finding.end.column,
        "excerpt": finding.excerpt,
        "message": finding.message,
        "support": finding.support,
        "outcome": finding.outcome,
        "certainty": finding.certainty,
        "effort": finding.effort,
        "settled": finding.resolution,
        "start": finding.span.start,
        "end": finding.span.end,
        "ordinal": finding.ordinal,
        "fingerprint": finding.fingerprint,
        "before": finding.before,
        "after": finding.after,
        **{key: text for key, text in (("above", finding.above), ("below", finding.below)) if text},
        "fix": None if finding.fix is None else _fix(finding.fix),
    }


def _fix(fix: Fix) -> dict[str, JsonValue]:
    edits = [
        {"start": edit.span.start, "end": edit.span.end, "replacement": _text(edit.replacement)} for edit in fix.edits
    ]
    return {"safety": fix.safety, "edits": edits}


def _text(data: bytes) -> str:
    """Replacement bytes as characters: UTF-8 where they are valid, else Latin-1."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _skip(skip: Skip) -> dict[str, JsonValue]:
    return {"path": skip.path, "kind": skip.kind, "reason": skip.reason}


def _rule(rule: Rule) -> dict[str, JsonValue]:
    known: dict[str, JsonValue] = {
        "title": rule.title,
        "support": rule.support,
        "outcome": rule.outcome,
        "effort": rule.effort,
        "safety": rule.safety,
    }
    extra = {"notes": rule.notes, "since": rule.since, "library": rule.library}
    return known | {key: value for key, value in extra.items() if value}


def _estimate(estimate: Estimate | None) -> Value:
    """The estimate, the parts of its cost made as they are written: there are several for each file with findings."""
    if estimate is None:
        return None
    named = ((field.name, getattr(estimate, field.name)) for field in fields(estimate))
    return {name: Rows(value, plain) if name == "items" else plain(value) for name, value in named}


def _findings(report: Report) -> Rows:
    return Rows(_by_place(report.findings), _finding, whole=True)


def _text_of(findings: Sequence[Finding]) -> str:
    """The rows of some findings, as they are in the list of all."""
    return "".join(rows(Rows(_by_place(findings), _finding, whole=True)))


def _by_place(findings: Sequence[Finding]) -> list[Finding]:
    """The findings by path, span and rule; of a file at a time, for the places of all need not be known at once."""
    by_path = groupby(sorted(findings, key=attrgetter("path")), key=attrgetter("path"))
    return [one for _, mine in by_path for one in sorted(mine, key=lambda one: (one.span, one.rule))]
