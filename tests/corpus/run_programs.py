"""What running the programs of public repositories shows of their conversion: a table, and how many of each verdict.

Usage: python -m tests.corpus.run_programs [--draw N] [--seed S] [--seconds T] [--only TEXT] [--include DIR] FOLDER...
Each folder is a repository at hand. Of each, N programs with a `main` and a launch are drawn with the seed, converted
and run as `apply --run` does. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import programs, run, sandbox
from cudamigrate.model.execution import RUN_WORDS, RunVerdict
from cudamigrate.model.verification import Flags

_AT_ONCE = 8


def candidates(root: Path, work: Path) -> list[str]:
    """The files of a tree that define `main` and launch a kernel."""
    tree = programs.copied(root, work, "cuda", Flags(""))
    return [path for path in programs.mains(tree) if b"<<<" in tree.sources[path].read_bytes()]


def verdicts(root: Path, drawn: Sequence[str], given: argparse.Namespace) -> Iterator[RunVerdict]:
    """What running these programs of a tree shows of its conversion, a few at a time."""
    config = Config(jobs=given.jobs)
    applied = pipeline.apply(root, config)
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    limits = sandbox.Limits(seconds=given.seconds)
    flags = Flags("", (), tuple(str(folder.resolve()) for folder in given.include or ()))
    for first in range(0, len(drawn), _AT_ONCE):
        some = tuple(drawn[first : first + _AT_ONCE])
        yield from run.run(
            root, root, run.Options(limits=limits, flags=flags, jobs=given.jobs, programs=some), changed
        ).verdicts


def table(given: argparse.Namespace) -> Iterator[str]:
    """A line for each program that was drawn, and the totals."""
    counts: Counter[str] = Counter()
    for root in given.folders:
        with tempfile.TemporaryDirectory() as folder:
            found = candidates(root.resolve(), Path(folder) / "copy")
        if given.only:
            found = [path for path in found if any(word in path for word in given.only)]
        drawn = sorted(random.Random(given.seed).sample(found, min(given.draw, len(found))))
        yield f"# {root.name}: {len(drawn)} of {len(found)}"
        for verdict in verdicts(root.resolve(), drawn, given):
            counts[verdict.word] += 1
            faults = ", ".join(sorted({fault.kind for fault in verdict.faults}))
            said = f"{verdict.reason[:150]} {faults}".strip()
            yield f"{verdict.name:60} {verdict.word:8} {verdict.seconds:6.1f} s {said}".rstrip()
    yield "  ".join(f"{word} {counts[word]}" for word in RUN_WORDS)


def main() -> None:
    """Print the table of the folders that are named."""
    reader = argparse.ArgumentParser()
    reader.add_argument("folders", nargs="+", type=Path)
    reader.add_argument("--draw", type=int, default=12)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--seconds", type=int, default=30)
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--only", action="append", help="draw from files whose paths have this text")
    reader.add_argument("--include", action="append", type=Path, help="a folder of headers beside the repositories")
    for row in table(reader.parse_args()):
        print(row, flush=True)


if __name__ == "__main__":
    main()
