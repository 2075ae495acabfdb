"""What `apply` made, as the documents and commits of a branch need it: fixes by rule, and the places that are left."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from cudamigrate import edits
from cudamigrate.errors import printable
from cudamigrate.frontends import part_of, project_front_end
from cudamigrate.model import PARTS, Conversion, Finding, Fix, Report, SourceFile
from cudamigrate.model.verification import Verification

KINDS: Mapping[str, str] = {
    "names": "Headers and names for HIP",
    "lanes": "Warp-level code for wavefronts of 64 lanes",
    "ptx": "C++ in place of inline PTX",
    "python": "Python code for ROCm",
    "build": "Build with HIP",
    "packages": "Packages for ROCm",
    "environment": "Environment for ROCm",
}
"""The steps of a conversion in the order of the commits, with the titles of their commits."""
WHY: Mapping[str, str] = {
    "names": "HIP has the same functions under its own names. CUDA headers and names become HIP ones; nothing else "
    "changes.",
    "lanes": "A wavefront of AMD's data-center GPUs has 64 lanes, a warp of NVIDIA's 32. Code that assumes 32 lanes "
    "is rewritten to compute the same on both.",
    "ptx": "PTX is NVIDIA's assembly language. Each statement becomes C++ that computes the same.",
    "python": "PyTorch for ROCm keeps the names of torch.cuda. NVIDIA-only tools and names are replaced by AMD's.",
    "build": "The build uses the HIP compiler and the ROCm libraries.",
    "packages": "Packages built for CUDA are replaced by packages for ROCm.",
    "environment": "Images, variables and commands become those of ROCm.",
}
"""Why each step is made, in a few words."""
_GROUPS = {"warp": "lanes", "cooperative-groups": "lanes", "ptx": "ptx"}
"""Groups of rules that have a step of their own in code; the others belong to headers and names."""


@dataclass(frozen=True, slots=True)
class Left:
    """Work that needs manual work: what one rule says, and the files and lines that it says it of, as delivered.

    `part` is the part of the repository. `done` marks a change that was made and needs review; `reasons` say why a
    fix was not made.
    """

    rule: str
    places: tuple[tuple[str, tuple[int, ...]], ...]
    message: str
    outcome: str
    part: str
    done: bool = False
    reasons: tuple[str, ...] = ()

    @property
    def shown(self) -> list[str]:
        """The places: each file with its lines."""
        return [f"{printable(path)}:{', '.join(map(str, lines))}" for path, lines in self.places]

    @property
    def count(self) -> int:
        """How many lines it is about."""
        return sum(len(lines) for _, lines in self.places)


@dataclass(frozen=True)
class Result:
    """What `apply` made: the report, the files, the fixes left out, the verdict if there is one.

    `comments` are insertions that mark places in the files as converted, by path, and `originals` the files among
    these that are not converted otherwise: see `todo.py`. `by_build` has the fixes that need no change of a file.
    """

    report: Report
    conversions: tuple[Conversion, ...]
    added: Mapping[str, bytes]
    rejected: tuple[tuple[Finding, str], ...] = ()
    judged: Verification | None = None
    comments: Mapping[str, Fix] = field(default_factory=dict)
    originals: Mapping[str, bytes] = field(default_factory=dict)
    by_build: Mapping[str, frozenset[Fix]] = field(default_factory=dict)

    @cached_property
    def languages(self) -> Mapping[str, str]:
        """The language of each file that was read, by path."""
        return {one.path: one.language for one in self.report.files}

    @cached_property
    def by_path(self) -> Mapping[str, Conversion]:
        """The conversions by path."""
        return {conversion.path: conversion for conversion in self.conversions}

    @cached_property
    def findings(self) -> Mapping[str, Mapping[Fix, Sequence[Finding]]]:
        """By path, the findings that each applied fix settles."""
        found: dict[str, dict[Fix, list[Finding]]] = {
            one.path: {fix: [] for fix in one.fixes} for one in self.conversions
        }
        for finding in self.report.findings:
            settled = found.get(finding.path, {})
            if finding.fix is not None and finding.fix in settled:
                settled[finding.fix].append(finding)
        return found

    def is_done(self, finding: Finding) -> bool:
        """Whether the fix of a finding was applied, or is the build's to make."""
        made = self.findings.get(finding.path, self.by_build.get(finding.path, ()))
        return finding.fix is not None and finding.fix in made

    @property
    def accepted(self) -> Iterator[Finding]:
        """The findings whose fix was applied though it is not safe everywhere."""
        for finding in self.report.findings:
            if finding.fix is not None and finding.fix.safety != "safe" and self.is_done(finding):
                yield finding

    def rules(self, kind: str) -> Mapping[str, int]:
        """How many places each rule changed in a step, most first."""
        counts: dict[str, int] = {}
        for conversion in self.conversions:
            kinds = self.kinds(conversion)
            for fix, found in self.findings[conversion.path].items():
                for rule in [finding.rule for finding in found] if kinds[fix] == kind else ():
                    counts[rule] = counts.get(rule, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def kinds(self, conversion: Conversion) -> Mapping[Fix, str]:
        """The step that each applied fix of a file belongs to; fixes of a group go together, in the last step of them.

        Any other file belongs to one step as a whole.
        """
        if conversion.part != PARTS[0]:
            return dict.fromkeys(conversion.fixes, conversion.part)
        order = list(KINDS)
        found = self.findings[conversion.path]
        kinds = {fix: self._kind(found[fix]) for fix in conversion.fixes}
        groups: dict[str, str] = {}
        for fix, kind in kinds.items():
            if fix.group:
                groups[fix.group] = max(kind, groups.get(fix.group, kind), key=order.index)
        return {fix: groups.get(fix.group, kind) for fix, kind in kinds.items()}

    @staticmethod
    def _kind(found: Sequence[Finding]) -> str:
        kinds = [_GROUPS.get(finding.group, "names") for finding in found]
        return max(kinds, key=list(KINDS).index, default="names")

    def line(self, finding: Finding) -> int:
        """The line of a finding in the file as it is delivered, comments among it."""
        offset, line = finding.span.start, finding.position.line
        if finding.path in self._converted:
            offsets, converted = self._converted[finding.path]
            offset = offsets.moved(offset)
            line = converted.position(offset).line
        starts, counts = self._commented.get(finding.path, ((), (0,)))
        return line + counts[bisect_right(starts, offset)]

    @cached_property
    def _converted(self) -> Mapping[str, tuple[edits.Offsets, SourceFile]]:
        """By path, where places are in the converted file, and that file."""
        return {one.path: (edits.Offsets(one.made_by), SourceFile(one.path, one.after, "")) for one in self.conversions}

    @cached_property
    def _commented(self) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        """By path, where comments are inserted, and how many lines they have before each and in all."""
        found = {}
        for path, comment in self.comments.items():
            made = sorted(comment.edits, key=lambda edit: edit.span.start)
            counts = accumulate((edit.replacement.count(b"\n") for edit in made), initial=0)
            found[path] = ([edit.span.start for edit in made], list(counts))
        return found

    def part(self, path: str) -> str:
        """The part of the repository that a file belongs to."""
        front = project_front_end(self.languages.get(path, ""))
        return PARTS[0] if front is None else part_of(front, path)

    def left(self) -> list[Left]:
        """What needs manual work: the code first, file by file; other files with the same to do together."""
        found: dict[tuple[str, ...], dict[str, list[Finding]]] = {}
        for finding in self.report.findings:
            done = self.is_done(finding)
            if finding.outcome != "fine" and not (done and finding.effort == "none"):
                part = self.part(finding.path)
                file = finding.path if part == PARTS[0] else ""
                key = (part, file, finding.rule, finding.message, finding.outcome, "done" * done)
                found.setdefault(key, {}).setdefault(finding.path, []).append(finding)
        items = [self._item(by_path) for by_path in found.values()]
        return sorted(items, key=lambda one: (PARTS.index(one.part), one.places, one.rule))

    @cached_property
    def _reasons(self) -> Mapping[int, str]:
        """Why fixes were not made, by the identity of their findings."""
        return {id(finding): reason for finding, reason in self.rejected}

    def _item(self, by_path: Mapping[str, Sequence[Finding]]) -> Left:
        first = next(iter(by_path.values()))[0]
        places = ((path, tuple(sorted({self.line(one) for one in same}))) for path, same in by_path.items())
        reasons = self._reasons
        why = dict.fromkeys(reasons[id(one)] for same in by_path.values() for one in same if id(one) in reasons)
        return Left(
            rule=first.rule,
            places=tuple(sorted(places)),
            message=first.message,
            outcome=first.outcome,
            part=self.part(first.path),
            done=self.is_done(first),
            reasons=tuple(why),
        )
