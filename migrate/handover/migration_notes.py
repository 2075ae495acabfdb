"""What `apply` made -> MIGRATION.md, the notes in the last commit of a branch.

Result: Markdown. It says what was done and why, lists the remaining work as boxes to tick, each with its place, and
tells how to build, test and compare on AMD. Unsafe fixes that were accepted are named in a comment, so that an update
of the branch applies them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.errors import printable
from cudamigrate.handover import build_steps
from cudamigrate.handover.result import KINDS, WHY, Left, Result
from cudamigrate.model import PARTS
from cudamigrate.model.verification import WORDS, meaning
from cudamigrate.project.file_access import read_regular
from cudamigrate.wording import vendored_files

NAME = "MIGRATION.md"
_OTHER = "MIGRATION-HIP.md"
"""The name where the project has a file of the first name that is not ours."""
_MARK = "<!-- Written by cudamigrate."
_ACCEPTED = "<!-- Accepted: "
_STYLE = "<!-- Style: "
_LARGEST = 64 << 20
"""Bytes of notes of ours; what is larger is somebody else's."""
_SHOWN = 3
"""Rules that are named of those with one title."""
_HEADINGS = {
    "wrong-result": "builds, but may compute different results on AMD",
    "compile-error": "does not build for AMD",
    "missing": "builds without it: a feature that AMD lacks",
    "slower": "works, but slower",
}
_PARTS = {
    "python": "Python",
    "build": "Build",
    "packages": "Packages",
    "environment": "Images, scripts and continuous integration",
}
_STYLES = {
    "hip": "The sources are HIP now; NVIDIA's compiler needs HIP's headers to build them.",
    "portable": "The sources build for both vendors; what CUDA compiles is meant to be unchanged.",
}


def name(root: Path) -> str:
    """The name of the notes in the project at `root`: a file of its own under that name is left alone."""
    try:
        own = not read_regular(root, NAME, _LARGEST).startswith(_MARK.encode())
    except FileNotFoundError:
        own = False
    except OSError:
        own = True
    return _OTHER if own else NAME


def accepted(notes: bytes) -> frozenset[str]:
    """The fingerprints of the fixes that notes name as accepted."""
    return frozenset(_marked(notes, _ACCEPTED))


def style(notes: bytes) -> str:
    """The style that notes name as that of their branch; empty where they name none."""
    return next(iter(_marked(notes, _STYLE)), "")


def _marked(notes: bytes, mark: str) -> list[str]:
    """The words of the comment in notes that begins with `mark`."""
    for line in notes.decode("utf-8", "replace").splitlines():
        if line.startswith(mark):
            return line.removeprefix(mark).removesuffix("-->").split()
    return []


def render(made: Result, titles: Sequence[str]) -> str:
    """The notes; `titles` are those of the commits before them."""
    report = made.report
    sections = [
        [f"{_MARK} Ticked boxes and added notes are kept by `cudamigrate apply --update`. -->"],
        ["# Migration to AMD GPUs", "", *_introduction(made)],
        ["## What was done", "", *_done(made, titles)],
        ["## What was checked", "", *_checked(made)],
        ["## Remaining work", "", *_left(made)],
        ["## Build and test on AMD", "", *_build(made)],
        ["## Compare numbers", "", *_compare(report.repository.commit)],
    ]
    text = "\n\n".join("\n".join(section).rstrip() for section in sections) + "\n"
    return printable(text, "\n")


def _introduction(made: Result) -> Iterator[str]:
    repository, target, style = made.report.repository, made.report.target, made.report.style
    commit = f"commit {repository.commit[:12]}" if repository.commit else "the sources"
    branch = f" (branch {repository.branch})" if repository.branch else ""
    yield (
        f"cudamigrate {made.report.version} made this from {commit}{branch}, for ROCm {target.rocm} on "
        f"{', '.join(target.arch)}."
    )
    if style is not None:
        yield ""
        yield f"{_STYLES[style.name]} The style is `{style.name}`, because {style.reason}."
        yield f"{_STYLE}{style.name} -->"
    if any(kind == "lanes" for conversion in made.conversions for kind in made.kinds(conversion).values()):
        yield ""
        yield (
            "AMD data-center GPUs run wavefronts of 64 lanes, NVIDIA GPUs warps of 32. Code that assumes 32 lanes "
            + (
                "keeps groups of 32 lanes, two per wavefront."
                if target.wave == "logical32"
                else "uses the full wavefront where that is proved correct, and keeps groups of 32 lanes elsewhere."
            )
        )


def _done(made: Result, titles: Sequence[str]) -> Iterator[str]:
    yield "The commits, in order:"
    yield ""
    yield from (f"{number}. {title}" for number, title in enumerate(titles, 1))
    for kind, heading in KINDS.items():
        counts = made.rules(kind)
        if counts:
            yield from ("", f"### {heading}", "", WHY[kind], "")
            yield from ("| What | Places | Rules |", "| --- | ---: | --- |", *_rows(made, counts))
    if made.added:
        yield from ("", "New files, included by converted code:", "")
        yield from (f"- `{added}`" for added in sorted(made.added))
    picked = sorted(made.accepted, key=lambda one: (one.path, one.position.line))
    if picked:
        yield from (
            "",
            "### Accepted after review",
            "",
            "These fixes are not correct for every program. They were reviewed and accepted:",
            "",
        )
        yield from (f"- `{one.path}:{made.line(one)}` `{one.rule}`" for one in picked)
        yield ""
        yield f"{_ACCEPTED}{' '.join(sorted({one.fingerprint for one in picked}))} -->"


def _rows(made: Result, counts: Mapping[str, int]) -> Iterator[str]:
    """Rows of a table, rules of one title together: there is a rule for each name that only changes its spelling."""
    titles: dict[str, list[str]] = {}
    for rule in counts:
        known = made.report.rules.get(rule)
        titles.setdefault(_cell(known.title) if known is not None else "", []).append(rule)
    for title, rules in sorted(titles.items(), key=lambda item: -sum(counts[rule] for rule in item[1])):
        shown = ", ".join(f"`{rule}`" for rule in rules[:_SHOWN])
        more = f" and {len(rules) - _SHOWN} more" if len(rules) > _SHOWN else ""
        yield f"| {title} | {sum(counts[rule] for rule in rules):,} | {shown}{more} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _checked(made: Result) -> Iterator[str]:
    judged = made.judged
    if judged is None:
        yield "Nothing yet. `cudamigrate verify .` type-checks the code, without a GPU."
        return
    if judged.absent:
        yield f"Nothing: {judged.absent}"
        return
    if judged.toolchain is not None:
        yield f"Files were type-checked for {', '.join(judged.arch)} with {judged.toolchain.title}:"
        yield ""
    for word in WORDS:
        paths = [verdict.path for verdict in judged.verdicts if verdict.word == word]
        if paths:
            yield f"- {len(paths):,} {meaning(word, len(paths))}" + (_named(paths) if word == "failed" else "")
    yield from ("", "No GPU was used. A type check proves that code compiles, not that its results are right.")


def _named(paths: Sequence[str]) -> str:
    more = f", and {len(paths) - 20} more" if len(paths) > 20 else ""
    return " (" + ", ".join(f"`{path}`" for path in paths[:20]) + more + ")"


def _left(made: Result) -> Iterator[str]:
    items = made.left()
    todo = [item for item in items if not item.done]
    yield "No known work remains." if not items else "Line numbers are those of this branch. Tick what is done."
    for outcome, heading in _HEADINGS.items():
        chosen = [item for item in todo if item.part == PARTS[0] and item.outcome == outcome]
        if chosen:
            yield from ("", f"### Code: {heading}", "", *map(_item, chosen))
    for part in PARTS[1:]:
        chosen = [item for item in todo if item.part == part]
        if chosen:
            yield from ("", f"### {_PARTS[part]}", "", *map(_item, chosen))
    read = [item for item in items if item.done]
    if read:
        yield from ("", "### Changed, needs review", "", *map(_item, read))
    skipped = [skip for skip in made.report.skipped if not skip.notice]
    vendored = vendored_files(made.report.vendored)
    if skipped or vendored:
        yield from ("", "### Files that were not read", "")
        yield from (f"- [ ] `{skip.path}`: {skip.reason}" for skip in skipped)
        yield from [f"- [ ] {vendored}"] if vendored else ()


def _item(item: Left) -> str:
    reasons = "".join(f" The fix was not applied: {reason}." for reason in item.reasons)
    places = ", ".join(f"`{place}`" for place in item.shown)
    return f"- [ ] {places} `{item.rule}`: {' '.join(item.message.split())}{reasons}"


def _build(made: Result) -> Iterator[str]:
    converted = {conversion.path: conversion.after for conversion in made.conversions}
    paths = [one.path for one in made.report.files]
    found = build_steps.of(Path(made.report.repository.root), paths, converted, made.report.target.arch)
    yield "Install ROCm first; `rocminfo` must list the GPU."
    for steps in found:
        yield from ("", f"{steps.title}:", "", "```sh", *steps.build, *steps.test, "```")
        if not steps.test:
            yield from ("", "No test target was found.")
    if not found:
        yield from ("", "No build file was found. Compile the files with `hipcc --offload-arch=...`.")


def _compare(commit: str) -> Iterator[str]:
    base = commit[:12] or "COMMIT"
    yield "Without a GPU: run the programs of both versions on an emulated GPU and compare their output:"
    yield from ("", "```sh", f"git worktree add ../before {base}", "cudamigrate verify . --original ../before --run")
    yield from ("```", "", "With GPUs: a harness runs the same inputs on both vendors and compares the results:")
    yield from ("", "```sh", "cudamigrate verify . --numeric ../compare", "```", "")
    yield "The README of the harness says how to run it on each machine."


__all__ = ["NAME", "accepted", "name", "render", "style"]
