"""What `apply` made -> what is left to do, as tasks that need no other page to be understood.

A task is one rule at one place, or at several places close together. Lines are those of the converted file.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cudamigrate import edits
from cudamigrate.model import Conversion, FileEntry, FileResult, Finding, Position, Rule, SourceFile
from cudamigrate.pipeline import Applied
from cudamigrate.project import discovery

NEAR = 12
"""Lines between two places of a rule that are still one task."""
AROUND = 6
"""Lines of code shown before and after the places."""
MOST = 60
"""Lines of code shown at most."""
_ORDER = ("wrong-result", "compile-error", "missing", "slower", "fine")


@dataclass(frozen=True, slots=True)
class Place:
    """One place in the converted file, counted from 1, and the text found there in the original."""

    line: int
    column: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work.

    `id` stays the same across runs while the place keeps its text. `code` holds the numbered lines of the converted
    file around the places. `known` are facts, `write` what to put there, `prove` commands whose success shows that it
    is done: DIR stands for the converted folder, SRC for the original.
    """

    id: str
    title: str
    rule: str
    path: str
    places: tuple[Place, ...]
    outcome: str
    effort: str
    code: str
    known: tuple[str, ...]
    write: tuple[str, ...]
    prove: tuple[str, ...]


def tasks(applied: Applied, folder: str = "DIR", original: str = "SRC") -> list[Task]:
    """The work left once the fixes of `applied` are made: silent wrong results first, then by file and line.

    `folder` and `original` are what commands call the converted folder and the one that it was made from.
    """
    converted = {conversion.path: conversion for conversion in applied.conversions}
    results = {result.path: result for result in applied.report.files}
    why = {id(finding): reason for finding, reason in applied.rejected}
    made = []
    for path, findings in _left(applied, converted).items():
        source = _after(applied.report.repository.root, results[path], converted)
        if source is None:
            continue
        fixes = converted[path].fixes if path in converted else ()
        offsets, fixed = edits.Offsets(fixes), frozenset(fixes)
        for near in _groups(findings):
            rule = applied.report.rules.get(near[0].rule)
            reasons = [why[id(one)] for one in near if id(one) in why]
            done = near[0].fix is not None and near[0].fix in fixed
            prove = tuple(_prove(near[0], done, folder, original))
            places = [source.position(offsets.moved(one.span.start)) for one in near]
            made.append(_task(near, source, places, rule, reasons, prove, done))
    return sorted(made, key=lambda task: (_ORDER.index(task.outcome), task.path, task.places[0].line, task.rule))


def _left(applied: Applied, converted: Mapping[str, Conversion]) -> dict[str, list[Finding]]:
    """By file, the findings that matter and that no fix handled, in the order of the file."""
    fixed = {path: set(conversion.fixes) for path, conversion in converted.items()}
    left: dict[str, list[Finding]] = {}
    for finding in applied.report.findings:
        done = finding.fix is not None and finding.fix in fixed.get(finding.path, ())
        if finding.outcome != "fine" and not (done and finding.effort == "none"):
            left.setdefault(finding.path, []).append(finding)
    return left


def _after(root: str, result: FileResult, converted: Mapping[str, Conversion]) -> SourceFile | None:
    """A file as it is once converted; None where it can no longer be read."""
    path = result.path
    source = discovery.read(Path(root), FileEntry(path, result.language, result.size))
    if not isinstance(source, SourceFile):
        return None
    return SourceFile(path, converted[path].after, source.language) if path in converted else source


def _groups(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Findings of one rule that are close together and want the same."""
    by_rule: dict[tuple[str, str], list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: one.span.start):
        by_rule.setdefault((finding.rule, finding.message), []).append(finding)
    for same in by_rule.values():
        group = [same[0]]
        for finding in same[1:]:
            if finding.position.line - group[-1].position.line > NEAR:
                yield group
                group = []
            group.append(finding)
        yield group


def _task(
    near: Sequence[Finding],
    source: SourceFile,
    positions: Sequence[Position],
    rule: Rule | None,
    reasons: Sequence[str],
    prove: tuple[str, ...],
    done: bool,
) -> Task:
    """The task of findings that are close together, which stand at `positions` once the file is converted."""
    first = near[0]
    places = tuple(
        Place(position.line, position.column, finding.excerpt)
        for finding, position in zip(near, positions, strict=True)
    )
    return Task(
        id=first.fingerprint,
        title=rule.title if rule is not None else first.rule,
        rule=first.rule,
        path=first.path,
        places=places,
        outcome=first.outcome,
        effort=first.effort,
        code=_code(source, [place.line for place in places]),
        known=tuple(_known(first, rule, reasons, done)),
        write=tuple(_write(first, rule, done)),
        prove=prove,
    )


def _code(source: SourceFile, lines: Sequence[int]) -> str:
    """The lines around the places, each with its number; the marked ones are the places."""
    last = len(source.line_starts())
    start, end = max(1, min(lines) - AROUND), min(last, max(lines) + AROUND, min(lines) + MOST)
    width = len(str(end))
    marked = set(lines)
    return "\n".join(
        f"{'>' if number in marked else ' '} {number:>{width}} | {source.line(number)}".rstrip()
        for number in range(start, end + 1)
    )


_OUTCOMES = {
    "compile-error": "Left as it is, it does not build for AMD.",
    "wrong-result": "Left as it is, it builds, runs on AMD and may compute something else.",
    "missing": "Left as it is, the build for AMD goes on without it.",
    "slower": "Left as it is, it builds and runs, with time lost.",
    "fine": "Left as it is, it works.",
}
_CERTAIN = {
    "token": "The finding rests on the name alone: check that it is the CUDA one.",
    "syntax": "The finding rests on the syntax; types were not resolved.",
    "resolved": "The finding rests on resolved types and declarations.",
}


_BESIDE = ("build", "packages", "environment", "python", "triton")
"""Groups of rules whose places are not C++ code."""
_TOLD = ("compile-error", "wrong-result")
"""Outcomes of which `check` tells unless it is configured otherwise."""


def _known(finding: Finding, rule: Rule | None, reasons: Sequence[str], done: bool) -> Iterator[str]:
    yield finding.message
    if done:
        yield "`cudamigrate apply` made the change shown; what it cannot see is whether the rest of the program agrees."
    else:
        yield _OUTCOMES[finding.outcome]
    yield _CERTAIN[finding.certainty]
    for step in finding.trace:
        yield f"`{step.path}:{step.line}` of the original: {step.text}"
    if rule is not None and rule.notes:
        yield " ".join(rule.notes.split())
    for reason in dict.fromkeys(reasons):
        yield f"The fix was not applied: {reason}."
    if finding.fix is not None and finding.fix.safety != "safe" and not done:
        yield "A fix is known, and it needs review: it is not right in every program."


def _write(finding: Finding, rule: Rule | None, done: bool) -> Iterator[str]:
    if done:
        yield "Review the change, and what depends on it. Change it where it does not fit."
    elif finding.after and finding.after != finding.before:
        yield f"In place of\n{finding.before}\nwrite, once reviewed,\n{finding.after}"
    elif rule is not None and rule.change.kind in ("rename", "template") and rule.change.text:
        yield f"The HIP form: {' or '.join(rule.change.text)}"
    if finding.group in _BESIDE:
        return
    if rule is not None and rule.includes and not done:
        yield f"Include {', '.join(f'<{name}>' for name in rule.includes)}."
    if finding.support == "none":
        yield "HIP has no equivalent: find another way that keeps what the code computes, or guard it for NVIDIA only."
    yield "Where the code is to build for NVIDIA too, guard what is for AMD alone with `__HIP_PLATFORM_AMD__`."


def _prove(finding: Finding, done: bool, folder: str, original: str) -> Iterator[str]:
    """Commands for a shell, whatever the file is called."""
    place = shlex.quote(finding.path)
    if finding.outcome in _TOLD and not done:
        yield f"cudamigrate check --all --select {finding.rule} {shlex.quote(f'{folder}/{finding.path}')}"
    if finding.group not in _BESIDE:
        yield f"cudamigrate verify {shlex.quote(folder)} --include {place}"
        if finding.outcome == "wrong-result":
            yield f"cudamigrate verify {shlex.quote(folder)} --original {shlex.quote(original)} --run"
    elif done or finding.outcome not in _TOLD:
        yield "No command shows it: run the project's own tests on an AMD GPU."


def only(found: Iterable[Task], path: str) -> list[Task]:
    """The tasks of one file, or of the files below one folder."""
    return [task for task in found if path in ("", ".") or task.path == path or task.path.startswith(f"{path}/")]


__all__ = ["AROUND", "NEAR", "Place", "Task", "only", "tasks"]
