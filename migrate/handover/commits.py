"""What `apply` made -> commits in an order that builds.

Result: headers and names, lane repairs, PTX, Python, build, packages, environment, comments, and the notes. A file with
edits of several steps is in several commits. Each commit has the headers that its files include, and no commit makes a
file parse worse than it did: edits that only parse together are made together, in the later step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cudamigrate import edits
from cudamigrate.frontends import parses_worse
from cudamigrate.handover import migration_notes
from cudamigrate.handover.result import KINDS, WHY, Result
from cudamigrate.model import Commit, Conversion
from cudamigrate.wording import count_of

_WIDTH = 72
"""Columns of a line in the text of a commit."""


def of(made: Result) -> list[Commit]:
    """The commits of a branch, the notes last."""
    stages = {conversion.path: _stages(made, conversion) for conversion in made.conversions}
    now: dict[str, bytes] = {}
    there: set[str] = set()
    commits = []
    for kind in KINDS:
        files = {path: stage[kind] for path, stage in stages.items() if kind in stage}
        if not files:
            continue
        now.update(files)
        new = _headers(made.added, now) - there
        there |= new
        content = {**files, **{name: made.added[name] for name in sorted(new)}}
        commits.append(Commit(_message(made, kind, files, sorted(new)), content))
    if commits and (rest := set(made.added) - there):
        last = commits[-1]
        commits[-1] = Commit(last.message, {**last.files, **{name: made.added[name] for name in sorted(rest)}})
    if made.comments:
        marked = {path: commented(made, path) for path in made.comments}
        commits.append(Commit(_comments_message(made), marked))
    name = migration_notes.name(Path(made.report.repository.root))
    notes = migration_notes.render(made, [title(commit) for commit in commits])
    text = f"{name} says what was done and why, which work remains, and how to build, test and compare."
    text = "Notes on the move to HIP\n\n" + "\n".join(wrapped(text)) + "\n"
    return [*commits, Commit(text, {name: notes.encode()})]


def title(commit: Commit) -> str:
    """The first line of a commit's message."""
    return commit.message.partition("\n")[0]


def delivered(made: Result) -> tuple[Conversion, ...]:
    """The files as they are delivered, those that get nothing but comments among them."""
    files = {conversion.path: conversion for conversion in made.conversions}
    for path in made.comments:
        known = files.get(path) or Conversion(path, made.originals[path], made.originals[path], ())
        files[path] = replace(known, after=commented(made, path))
    return tuple(files.values())


def commented(made: Result, path: str) -> bytes:
    """A file as it is delivered, with the comments that mark places in it."""
    conversion = made.by_path.get(path)
    data = conversion.after if conversion is not None else made.originals[path]
    return edits.apply(data, [made.comments[path]]).data


def _stages(made: Result, conversion: Conversion) -> Mapping[str, bytes]:
    """The content of a file after each step that changes it."""
    kinds = made.kinds(conversion)
    steps = [kind for kind in KINDS if kind in set(kinds.values())]
    stages: dict[str, bytes] = {}
    if conversion.built is not None:  # in portable style what a step makes cannot be separated from the next
        return {steps[-1] if steps else conversion.part: conversion.after}
    language = made.languages.get(conversion.path, "")
    for number, kind in enumerate(steps, 1):
        data = conversion.after
        if number < len(steps):
            fixes = [fix for fix in conversion.fixes if kinds[fix] in steps[:number]]
            data = edits.apply(conversion.before, fixes).data
            if parses_worse(language, conversion.before, data):
                continue
        stages[kind] = data
    return stages


def _headers(added: Mapping[str, bytes], files: Mapping[str, bytes]) -> set[str]:
    """The names of the added headers that files include, and those that these include themselves."""
    waiting, found = list(files.values()), set[str]()
    while waiting:
        data = waiting.pop()
        for name in added:
            if name not in found and name.rpartition("/")[2].encode() in data:
                found.add(name)
                waiting.append(added[name])
    return found


def _message(made: Result, kind: str, files: Mapping[str, bytes], new: Sequence[str]) -> str:
    counts = made.rules(kind)
    fixes = sum(counts.values())
    lines = [f"{KINDS[kind]}: {count_of(len(files), 'file')}", "", *wrapped(WHY[kind]), ""]
    if counts:
        listed = ", ".join(f"{rule}\u00a0{number}" for rule, number in counts.items())
        lines += [f"{count_of(fixes, 'fix')}, by rule:", *(line.replace("\u00a0", " ") for line in wrapped(listed))]
    else:
        lines.append("Changes that depend on those of the commit before.")
    lines += ["", *(f"Added: {name}" for name in new)] if new else []
    return "\n".join(lines) + "\n"


def _comments_message(made: Result) -> str:
    places = sum(len(comment.edits) for comment in made.comments.values())
    text = "`cudamigrate apply --remove-todo` removes the comments. The branch works without this commit, too."
    return (
        f"Mark {count_of(places, 'place')} that need{'s' * (places == 1)} manual work\n\n"
        + "\n".join(wrapped(text))
        + "\n"
    )


def wrapped(text: str) -> list[str]:
    """Text in lines of the width of a commit's message."""
    import textwrap

    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
