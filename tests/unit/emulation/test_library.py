"""Libraries and textures on the emulated GPU, and what programs that use them are converted to."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import build, compare, programs, run

SAID = {
    "library": [],
    "addresses": ["last 7"],
    # three times 13 and 3 times its own number; 7 and its number once
    "graphs": [
        "captured, done 0",
        "5 nodes, done 3: 39 1182",
        "by nodes: 7 134, done 4",
        "time 1700000000, passed 2000",
    ],
    "thrust": [
        "sum 150, largest 24",
        "saxpy: 5 5 5 5",
        "tenths 104857.6",  # one after the other they are 105891.8
        "y[2] 7, dot 33",
        "keys: 0 1 1 3 4 4",
        "order: 5 1 3 2 0 4",
        "runs: 0 1 3 4",
        "scan: 0 0 1 2 5 9",
        "inclusive: 5 6 9 11 11 15",
        "even: 6",
        "squares 30",
        "most 8.5 at 2",
        "unique 8.5 6.5",
        "pointer 9",
        "tenths 10000",  # one after the other they come to 9999
    ],
    "measured": [
        "bytes 00007f7f 10c21080",
        "integers 7fffffff 80000000 00000000 ffffffff 00000000 7fffffff",
        "root 21355fb9",
        "halves 69f8 69f8 8000 0000, unequal 2, integer 0",
    ],
    # the middle of i * i and (8 + i) * (8 + i), 100 times the latter, and a share of 255
    "textures": ["6433 8141 10052.2 12165.4 14480.6 ", "2 98", "10 14 14 20, 30"],
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SAID)
def test_parts_of_libraries(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = build.compiler()
    if chosen is None:
        pytest.skip(build.INSTALL)
    (tmp_path / "in").mkdir()
    shutil.copy(Path(__file__).parent / f"{name}.cu", tmp_path / "in")
    ran = list[compare.Ran]()

    def kept(tree: programs.Tree, *more: Any) -> compare.Ran:
        ran.append(once(tree, *more))
        return ran[-1]

    once = run.run_once
    monkeypatch.setattr(run, "run_once", kept)
    applied = pipeline.apply(tmp_path / "in", Config(jobs=1))
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    done = run.run(tmp_path / "in", tmp_path / "in", run.Options(), changed)
    assert [line for line in SAID[name] if line not in ran[0].printed] == []  # the original, on 32 lanes
    (verdict,) = done.verdicts
    assert (verdict.word, verdict.reason, verdict.faults, verdict.notes) == ("same", "", (), ())
    assert verdict.compared > 20
