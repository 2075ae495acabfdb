"""A conversion of the current commit + a branch made before -> the branch, brought up to date.

The history is that of a branch for what a vendor delivers. Every conversion is a commit whose tree is the conversion
and nothing else. An update makes the series again on the current commit, and joins it with the conversion before: the
commit that joins has both as parents, so that git finds the conversion before as the common ancestor of the new one and
of the manual edits. A plain merge then does the rest, here and in the user's checkout. The branch only moves forward.

Result: the branch, moved to the merge; where that has conflicts the branch stays, and the new conversion is a branch
beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cudamigrate.errors import TargetError
from cudamigrate.handover import conflicts, migration_notes, notes_merge
from cudamigrate.handover.result import Result
from cudamigrate.model import Commit
from cudamigrate.project import branch_writer
from cudamigrate.project.branch_writer import BranchWriter, Made
from cudamigrate.wording import count_of

_SUFFIX = "-update"
"""What the name of the branch with the new conversion ends in, where it has conflicts with manual edits."""


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of a branch, in a line or two, and its conflicts, a line for each."""

    said: str
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What an update takes over from the branch: the fingerprints of fixes that it holds though they are not safe, and
    its style, empty where its notes name none.
    """

    accepted: frozenset[str]
    style: str


def kept(root: Path, place: str) -> Kept:
    """What an update of the branch takes over from it. Raises TargetError."""
    with branch_writer.opened(root) as writer:
        name = _name(writer, place)
        before = _before(writer, name, _tip(writer, name))
        notes = writer.content(before.commit, writer.prefix + migration_notes.name(root)) or b""
    return Kept(migration_notes.accepted(notes), migration_notes.style(notes))


def write(made: Result, commits: Sequence[Commit], place: str) -> Updated:
    """Bring the branch `place` up to date with the conversion `made`, by default `hip/` and the current branch."""
    root = Path(made.report.repository.root)
    with branch_writer.opened(root) as writer:
        name = _name(writer, place)
        tip = _tip(writer, name)
        before = _before(writer, name, tip)
        originals = {**made.originals, **{conversion.path: conversion.before for conversion in made.conversions}}
        tree, series = writer.commits(originals, commits, closed=False)
        if before.base == writer.head and tree == writer.tree(before.commit):
            return Updated(f"Branch {name} is up to date with {writer.head[:7]}.")
        message = f"Convert {writer.head[:7]} in place of {before.base[:7]}\n"
        joined = writer.commit(tree, branch_writer.closing(message, writer.head, tree), series[-1], before.commit)
        if tip == before.commit:
            writer.set_branches([(name, joined, tip)])
            return Updated(_said(name, writer.head, before, "no manual edits"))
        return _merged(_Update(writer, made, name, tip, before, joined))


@dataclass(frozen=True, slots=True)
class _Update:
    """An update in progress: the branch and its tip, the conversion before, and the new one."""

    writer: BranchWriter
    made: Result
    name: str
    tip: str
    before: Made
    joined: str


def _merged(job: _Update) -> Updated:
    writer = job.writer
    notes = writer.prefix + migration_notes.name(Path(job.made.report.repository.root))
    merge = writer.merge(job.tip, job.joined)
    tree, left = merge.tree, [path for path in merge.conflicts if path != notes]
    versions = [writer.content(commit, notes) for commit in (job.before.commit, job.tip, job.joined)]
    base, mine, new = versions
    if base is not None and mine is not None and new is not None:
        tree = writer.with_file(tree, notes, notes_merge.merged(base, mine, new))
    elif notes in merge.conflicts:
        left.append(notes)
    if left:
        return _left_for_a_merge(job, left)
    message = f"Merge the conversion of {writer.head[:7]} with the edits of {job.name}\n"
    commit = writer.commit(tree, message, job.tip, job.joined)
    writer.set_branches([(job.name, commit, job.tip)])
    return Updated(_said(job.name, writer.head, job.before, "manual edits kept"))


def _left_for_a_merge(job: _Update, paths: Sequence[str]) -> Updated:
    """Leave the branch where it is, and the new conversion beside it, for a manual merge."""
    writer, name = job.writer, job.name + _SUFFIX
    old = writer.tip(name)
    found = writer.conversion(old) if old else None
    if old and (found is None or found.commit != old):
        raise TargetError(f"Branch {name} exists and was not made by an update; rename or delete it.")
    writer.set_branches([(name, job.joined, old)])
    lines: list[str] = []
    for path in paths:
        inside = path.removeprefix(writer.prefix)
        sides = (writer.content(commit, path) for commit in (job.before.commit, job.tip, job.joined))
        lines += conflicts.described(job.made, inside, conflicts.Sides(*sides))
    said = (
        f"Branch {job.name} was not moved: the conversion of {writer.head[:7]} conflicts with manual edits in "
        f"{count_of(len(paths), 'file')}. The new conversion is branch {name}; "
        f"merge it with: git switch {job.name} && git merge {name}"
    )
    return Updated(said, tuple(lines))


def _name(writer: BranchWriter, place: str) -> str:
    """The branch to update. Raises TargetError where it is not named and a converted branch is checked out."""
    current, name = writer.current(), writer.name(place)
    if not place and current.startswith(branch_writer.CONVERTED):
        made_from = current.removeprefix(branch_writer.CONVERTED)
        raise TargetError(
            f"{current} is a converted branch; an update starts from the branch that it was made from: "
            f"git switch {made_from} && cudamigrate apply --update"
        )
    return name


def _tip(writer: BranchWriter, name: str) -> str:
    tip = writer.tip(name)
    if not tip:
        raise TargetError(f"There is no branch {name} to update; run `cudamigrate apply` without --update first.")
    return tip


def _before(writer: BranchWriter, name: str, tip: str) -> Made:
    found = writer.conversion(tip)
    if found is None:
        raise TargetError(
            f"Branch {name} has no conversion to update: it was not made by this tool, or by an older version of it."
        )
    return found


def _said(name: str, head: str, before: Made, edits: str) -> str:
    return f"Branch {name}: conversion of {head[:7]} in place of {before.base[:7]}, {edits}; see: git log {name}"
