"""Passes in two processes: what both change is in the results, whichever of them changed it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace as plain
from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import parallel, pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Position, Span
from cudamigrate.model.lane_facts import LaneFacts
from cudamigrate.pipeline import side_by_side

BASE = Finding(
    rule="warp/a",
    path="a.cu",
    span=Span(10, 20),
    position=Position(1, 11),
    end=Position(1, 21),
    excerpt="x",
    message="x",
    support="full",
    outcome="compile-error",
    certainty="token",
    effort="none",
    name="x",
)


def finding(rule: str, start: int, message: str = "x") -> Finding:
    return replace(BASE, rule=rule, span=Span(start, start + 5), message=message)


def result(*findings: Finding, path: str = "a.cu") -> FileResult:
    return FileResult(path, "cuda", 3, 1_000_000, True, findings)


@pytest.fixture(params=[1, 2])
def jobs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """One process, and two as in a command on two cores."""
    monkeypatch.setattr(parallel, "_always", True)
    monkeypatch.setattr(parallel, "available", lambda: 2)
    number: int = request.param
    return number


def test_findings_go_come_and_change_on_both_sides(jobs: int) -> None:
    gone, changed, stays, ours = (
        finding(f"warp/{name}", at) for at, name in enumerate(("gone", "says", "stays", "ours"))
    )
    results = [result(gone, changed, stays, ours), result(path="b.cu")]

    def others(given: Sequence[FileResult]) -> list[FileResult]:
        new = (replace(changed, message="y"), stays, ours, finding("warp/new", 1))
        return [replace(given[0], findings=new, lanes=LaneFacts()), given[1]]

    join = side_by_side.begun(others, results, lambda path: None, jobs)
    made = join([replace(results[0], findings=(gone, changed, stays, finding("api/more", 0))), results[1]])
    assert [(one.rule, one.message) for one in made[0].findings] == [
        ("api/more", "x"),
        ("warp/new", "x"),
        ("warp/says", "y"),
        ("warp/stays", "x"),
    ]
    assert made[0].lanes == LaneFacts() and made[1] is results[1]


def test_of_findings_that_look_alike_one_goes(jobs: int) -> None:
    first, second = finding("warp/twice", 3), finding("warp/twice", 3, "another")
    results = [result(first, second)]
    join = side_by_side.begun(lambda given: [replace(given[0], findings=(second,))], results, lambda path: None, jobs)
    assert [one.message for one in join(results)[0].findings] == ["another"]


def test_what_stays_as_it_is_is_the_same_object(jobs: int) -> None:
    results = [result(finding("warp/a", 1))]
    join = side_by_side.begun(lambda given: [replace(given[0], graph=None)], results, lambda path: None, jobs)
    assert join(results)[0] is results[0]


SHARED = '#include "sum.cuh"\n__global__ void k(float *x) { if (threadIdx.x < 7) x[1] = sum(x[2]); __syncthreads(); }\n'
HEADER = """#pragma once
__device__ inline float sum(float v) {
  __syncthreads();
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
"""


def test_a_report_is_the_same_from_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "tree", {"sum.cuh": HEADER, "a.cu": SHARED, "b.cu": SHARED.replace("k(", "l(")})
    alone = pipeline.scan(tmp_path / "tree", Config(jobs=1, cache=False))
    monkeypatch.setattr(parallel, "_always", True)
    monkeypatch.setattr(parallel, "available", lambda: 2)
    begun, real = list[int](), parallel.apart
    monkeypatch.setattr(parallel, "apart", lambda *given: begun.append(os.getpid()) or real(*given))
    both = pipeline.scan(tmp_path / "tree", Config(jobs=2, cache=False))
    assert begun and plain(both, seconds=0) == plain(alone, seconds=0)
    assert any(one.rule == "launch/barrier-in-branch" for one in both.findings)
