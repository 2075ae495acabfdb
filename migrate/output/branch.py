"""Conversions -> a git branch.

Result: a branch of commits on top of HEAD, those that are given or else a single one. It must not exist yet, and is set
at the very end; see `project/branch_writer.py` for what is left untouched meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cudamigrate.errors import TargetError
from cudamigrate.model import Commit, Conversion
from cudamigrate.project import branch_writer, git
from cudamigrate.wording import count_of


def write(
    root: Path,
    conversions: Sequence[Conversion],
    extra: Mapping[str, bytes],
    place: str,
    force: bool = False,
    commits: Sequence[Commit] = (),
) -> str:
    """Commit the conversions to the branch `place`, by default `hip/` and the name of the current branch.

    An existing branch is moved only with `force`, and never while it is checked out.
    """
    after = {**extra, **{conversion.path: conversion.after for conversion in conversions}}
    counted = _counted(conversions)
    return _written(root, conversions, commits or (Commit(f"Move to HIP: {counted}\n", after),), place, force, "")


def refuse(root: Path, place: str, force: bool) -> None:
    """Raise TargetError where the branch exists and is not to be moved; outside git nothing is said before `write`."""
    if force or git.work_tree(root) is None:
        return
    with branch_writer.opened(root) as writer:
        _refuse_existing(writer, writer.name(place, ""))


def existing(root: Path) -> str:
    """The branch that `write` makes by default, where it is there already; else empty."""
    if git.work_tree(root) is None:
        return ""
    with branch_writer.opened(root) as writer:
        name = writer.name("", "")
        return name if writer.tip(name) else ""


def _refuse_existing(writer: branch_writer.BranchWriter, name: str) -> None:
    if writer.tip(name):
        raise TargetError(f"Branch {name} exists; --force moves it, or choose another name with --branch.")


def write_edit(
    root: Path, conversions: Sequence[Conversion], commits: Sequence[Commit], place: str, force: bool, ending: str
) -> str:
    """Commit an edit of the current branch, which is no conversion, to `place`, by default that branch and `ending`."""
    return _written(root, conversions, commits, place, force, ending)


def _counted(conversions: Sequence[Conversion]) -> str:
    return count_of(len(conversions), "file")


def _written(
    root: Path, conversions: Sequence[Conversion], commits: Sequence[Commit], place: str, force: bool, ending: str
) -> str:
    with branch_writer.opened(root) as writer:
        name = writer.name(place, ending)
        old = writer.tip(name)
        if not force:
            _refuse_existing(writer, name)
        before = {conversion.path: conversion.before for conversion in conversions}
        _, made = writer.commits(before, commits, not ending)
        writer.set_branches([(name, made[-1], old)])
        head = writer.head[:7]
    number = count_of(len(made), "commit")
    taken = f"; take it with: git merge --ff-only {name}" if ending else ""
    return f"Branch {name}: {number} on {head}, {_counted(conversions)}; see it with: git diff {head} {name}{taken}"
