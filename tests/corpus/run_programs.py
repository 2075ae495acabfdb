"""What running the programs of public repositories shows of their conversion: a table, and how many of each verdict.

Usage: python -m tests.corpus.run_programs [--draw N] [--seed S] [--seconds T] [--only TEXT] [--include DIR] FOLDER...
Each folder is a repository at hand. Of each, N programs with a `main` and a launch are drawn with the seed, converted
and run as `apply --run` does. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import programs, run, sandbox
from cudamigrate.model.execution import RUN_WORDS, RunVerdict
from cudamigrate.model.verification import Flags


def candidates(root: Path, work: Path) -> list[str]:
    """The files of a tree that define `main` and launch a kernel."""
    tree = programs.copied(root, work, "cuda", Flags(""))
    return [path for path in programs.mains(tree) if b"<<<" in tree.sources[path].read_bytes()]


def verdicts(root: Path, drawn: tuple[str, ...], given: argparse.Namespace) -> tuple[RunVerdict, ...]:
    """What running these programs of a tree shows of its conversion."""
    config = Config(jobs=given.jobs)
    applied = pipeline.apply(root, config)
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    limits = sandbox.Limits(seconds=given.seconds)
    flags = Flags("", (), tuple(str(folder.resolve()) for folder in given.include or ()))
    options = run.Options(limits=limits, flags=flags, jobs=given.jobs, programs=drawn)

    def told(done: int, count: int) -> None:
        print(f"\r{root.name} {done}/{count}", end="", file=sys.stderr)

    return run.run(root, root, options, changed, told).verdicts


def table(given: argparse.Namespace) -> Iterator[str]:
    """A line for each program that was drawn, and the totals."""
    import tempfile

    counts: Counter[str] = Counter()
    for root in given.folders:
        with tempfile.TemporaryDirectory() as folder:
            found = candidates(root.resolve(), Path(folder) / "copy")
        if given.only:
            found = [path for path in found if any(word in path for word in given.only)]
        drawn = sorted(random.Random(given.seed).sample(found, min(given.draw, len(found))))
        yield f"# {root.name}: {len(drawn)} of {len(found)}"
        for verdict in verdicts(root.resolve(), tuple(drawn), given) if drawn else ():
            counts[verdict.word] += 1
            faults = ", ".join(sorted({fault.kind for fault in verdict.faults}))
            yield f"{verdict.name:60} {verdict.word:8} {verdict.seconds:6.1f} s {verdict.reason[:150]} {faults}".rstrip()
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
