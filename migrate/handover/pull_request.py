"""What `apply` made -> the text of a pull request.

Result: Markdown whose first line is the title: what changes, in which commits, what was checked, what to read first,
and what is left, in numbers. The notes in the branch have the places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cudamigrate.handover import build_steps, migration_notes
from cudamigrate.handover.commits import title
from cudamigrate.handover.result import Result
from cudamigrate.model import Commit
from cudamigrate.model.verification import WORDS, meaning
from cudamigrate.wording import count_of

_MOST = 10
"""Rules that are listed of what is left."""


def render(made: Result, commits: Sequence[Commit]) -> str:
    """The text of a pull request that offers `commits`."""
    target = made.report.target
    notes = migration_notes.name(Path(made.report.repository.root))
    failed = sum(verdict.word == "failed" for verdict in made.judged.verdicts) if made.judged is not None else 0
    sections = [
        [f"Build for AMD GPUs (ROCm {target.rocm})"],
        [
            f"This moves {made.report.repository.name or 'the project'} to HIP, for {', '.join(target.arch)}. "
            f"{count_of(len(made.conversions), 'file')} changed. The change was made by cudamigrate "
            f"{made.report.version}; `{notes}` explains each kind of change and lists the remaining work."
            + (f" **{count_of(failed, 'file')} {'does' if failed == 1 else 'do'} not compile yet.**" if failed else "")
        ],
        ["## Commits", "", *(f"{number}. {title(commit)}" for number, commit in enumerate(commits, 1))],
        ["## How it was checked", "", *_checked(made)],
        ["## Review first", "", *_first(made)],
        ["## Remaining work", "", *_left(made, notes)],
        ["## How to try it", "", *_try(made)],
    ]
    return "\n\n".join("\n".join(section).rstrip() for section in sections) + "\n"


def _checked(made: Result) -> Iterator[str]:
    judged = made.judged
    if judged is None or judged.absent:
        yield "It was not type-checked." if judged is None else f"It was not type-checked: {judged.absent}"
    else:
        counts = Counter(verdict.word for verdict in judged.verdicts)
        said = "; ".join(f"{counts[word]:,} {meaning(word, counts[word])}" for word in WORDS if counts[word])
        yield f"Files were type-checked without a GPU: {said or 'none'}."
    yield ""
    yield "- [ ] built on a machine with an AMD GPU"
    yield "- [ ] tests pass on a machine with an AMD GPU"
    yield "- [ ] results compared with those of an NVIDIA GPU"


def _first(made: Result) -> Iterator[str]:
    picked = Counter(finding.rule for finding in made.accepted)
    lanes = made.rules("lanes")
    if picked:
        yield "- Fixes that are not correct for every program: " + _listed(picked.items())
    if lanes:
        yield "- Warp-level code, where a mistake is silent: " + _listed(lanes.items())
    if not picked and not lanes:
        yield "No commit changes code that depends on the number of lanes."


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"`{rule}` ({number})" for rule, number in counts)


def _left(made: Result, notes: str) -> Iterator[str]:
    items = [item for item in made.left() if not item.done]
    if not items:
        yield "No known work remains."
        return
    rules = Counter(dict.fromkeys(sorted({item.rule for item in items}), 0))
    for item in items:
        rules[item.rule] += item.count
    places = sum(rules.values())
    yield f"{count_of(places, 'place')}, each with a box in `{notes}`:"
    yield ""
    yield from (f"- `{rule}`: {number:,}" for rule, number in rules.most_common(_MOST))
    if len(rules) > _MOST:
        yield f"- {count_of(len(rules) - _MOST, 'more rule')}"


def _try(made: Result) -> Iterator[str]:
    converted = {conversion.path: conversion.after for conversion in made.conversions}
    paths = [one.path for one in made.report.files]
    found = build_steps.of(Path(made.report.repository.root), paths, converted, made.report.target.arch)
    if found:
        yield from ("```sh", *found[0].build, *found[0].test, "```")
    else:
        yield "No build file was found."
