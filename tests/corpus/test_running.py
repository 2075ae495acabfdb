"""Proof by running, at large: all bundled programs, and converted programs with one repair undone (`make corpus`)."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import build, run
from cudamigrate.model.execution import RunVerdict

pytestmark = pytest.mark.corpus
PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
PROGRAMS = Path(__file__).parent / "programs"
MOST_UNSEEN = 0.05
"""Of mutants that compute something else, how many a run may miss."""
EQUIVALENT = frozenset({"warp/warp-barrier"})
"""Repairs without which a program computes the same on lanes in lock step."""


@pytest.fixture(autouse=True)
def compiler() -> None:
    if not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip("some hundred programs are built; set CUDAMIGRATE_CORPUS_ALL=1 to run them")
    if build.compiler() is None:
        pytest.skip(build.INSTALL)


def verdicts(root: Path) -> tuple[RunVerdict, ...]:
    """What running the programs of a tree shows of its conversion."""
    applied = pipeline.apply(root, Config(jobs=1))
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    return run.run(root, root, run.Options(), changed).verdicts


def test_every_bundled_program_computes_the_same() -> None:
    roots = [path / "before" for path in sorted(PROJECTS.iterdir()) if (path / "before").is_dir()]
    reported = [(root, verdict) for root in (PROGRAMS, *roots) for verdict in verdicts(root)]
    for root, verdict in reported:
        print(f"{root.parent.name:28} {verdict.name:32} {verdict.word:8} {verdict.reason}")
    words = Counter(verdict.word for _, verdict in reported)
    rest = words.total() - words["same"] - words["differs"]
    print(f"{words['same']} the same, {words['differs']} differ, {rest} not run")
    assert words["same"] >= 20
    assert not [verdict.name for _, verdict in reported if verdict.word == "differs"]


def test_a_repair_undone_is_seen_on_64_lanes() -> None:
    from tests.corpus import mutants

    seen = [mutant for path in sorted(PROGRAMS.glob("*.cu")) for mutant in mutants.mutants(path)]
    for mutant in seen:
        print(f"{mutant.program}:{mutant.line} {mutant.rule}: {mutant.outcome} {mutant.said}")
    changed = [mutant for mutant in seen if mutant.rule not in EQUIVALENT and mutant.outcome != "does not build"]
    missed = [mutant for mutant in changed if mutant.outcome == "same"]
    print(f"{len(changed)} mutants build: {len(changed) - len(missed)} differ, {len(missed)} are the same")
    assert len(changed) >= 100 and len(missed) <= MOST_UNSEEN * len(changed)
