"""How many places that count 32 lanes are found, and how many findings are none: measured on labelled places.

`lane-labels.tsv` holds places of real projects, drawn by `label.py` and labelled by reading the code. `drawn` says from
which pool a place comes; the pools differ in size, so each label stands for as many places as its share of the pool.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from cudamigrate import pipeline
from cudamigrate.model import Report, Span
from cudamigrate.pipeline import Applied
from cudamigrate.warp.lane_code import NAMES
from tests.corpus import harness, label
from tests.lane_traps import counted

pytestmark = pytest.mark.corpus
SCANNED = pytest.mark.xdist_group("labelled projects")
"""Tests that share scans run in one process."""

PRECISION, RECALL = 0.98, 0.98
"""Floors: the lowest figures of the last measurement, rounded down."""
FRESH = {"7": 0.95, "8": 0.93}
"""Floors of the recall on projects that no rule was written after, but for what this draw showed."""
ALARMS = {"8": 0.94}
"""Floors of the precision on such projects."""


@pytest.fixture(autouse=True)
def found_whatever_a_port_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels say what there is to find; what a HIP port answers of it is judged by the tests of ports."""
    monkeypatch.setattr("cudamigrate.pipeline.together.without_answered", lambda results, port: (list(results), None))
    monkeypatch.setattr("cudamigrate.analysis.port_values.OF_CUDA", ())  # a port builds no branch for a CUDA GPU


class Labelled(NamedTuple):
    """A row of the labels."""

    project: str
    version: str
    path: str
    line: int
    column: int
    token: str
    counts: bool
    pool: str


def labels() -> list[Labelled]:
    """The labelled places."""
    rows = []
    for line in label.LABELS.read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "project\t")):
            continue
        project, version, path, place, token, verdict, _, drawn = line.split("\t")
        number, column = place.split(":")
        rows.append(Labelled(project, version, path, int(number), int(column), token, verdict == "yes", pool(drawn)))
    return rows


def pools() -> dict[str, int]:
    """How many places each pool held when the labels were drawn."""
    sizes = {}
    for line in label.LABELS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# pool "):
            name, _, size = line.removeprefix("# pool ").rpartition(": ")
            sizes[name] = int(size)
    return sizes


def pool(drawn: str) -> str:
    """The pool of a stratum: the findings of one kind, or places of one kind."""
    kind, _, rule = drawn.partition(" warp/")
    if not rule:
        return kind
    counted = any(word in rule for word in ("size", "popcount", "constant", "spin"))
    return f"{kind} {'counted' if counted else 'named'}"


TRAPS = ("torch-scatter", "gsplat", "mmcv", "vllm")
"""Projects that are converted too: their report is that of `apply`, which reads as a scan does."""


@cache
def applied(name: str) -> tuple[Path, Applied] | str:
    """A project and what `apply` makes of it, once for all tests; a string says why it cannot be had."""
    project = next(project for project in harness.projects() if project.name == name)
    root = harness.unpacked(project)
    return root if isinstance(root, str) else (root, pipeline.apply(root, label.settings(project)))


@cache
def report(name: str) -> tuple[Path, Report] | None:
    """The scan of a project, once for all tests; of one not judged the labelled files alone, if it is available."""
    if name in TRAPS:
        converted = applied(name)
        return None if isinstance(converted, str) else (converted[0], converted[1].report)
    project = next(project for project in harness.projects() if project.name == name)
    if project.judged:
        return label.scanned(project)
    held = (harness.cache() / f"{project.name}-{project.version}").is_dir()
    if not held and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        return None
    return label.scanned(project, tuple(sorted({place.path for place in labels() if place.project == name})))


@cache
def ranges(name: str) -> dict[str, list[tuple[Span, str]]]:
    """The findings on warps of a project by file."""
    done = report(name)
    assert done is not None
    return label.found(done[1])


def is_vendored(place: Labelled) -> bool:
    """Whether a labelled place is in a copy of a library that is answered as a whole: no scan reads it."""
    done = report(place.project)
    return done is not None and any(place.path.startswith(f"{folder}/") for folder in done[1].vendored)


def is_found(place: Labelled) -> bool:
    """Whether a finding on warps covers a labelled place today."""
    done = report(place.project)
    assert done is not None
    lines = (done[0] / place.path).read_bytes().splitlines(keepends=True)
    before = lines[place.line - 1].decode("utf-8", "replace")[: place.column - 1]
    offset = sum(map(len, lines[: place.line - 1])) + len(before.encode())
    end = offset + len(place.token.encode())
    return any(span.start < end and offset < span.end for span, _ in ranges(place.project).get(place.path, ()))


@SCANNED
@pytest.mark.parametrize("draw", ["1", "2", "3", "4", "5", "6", "7", "8"])
def test_places_that_count_lanes_are_found_and_others_are_not(draw: str, say: Callable[[Iterable[str]], None]) -> None:
    places = [place for place in labels() if place.pool.startswith(draw)]
    if any(report(name) is None for name in {place.project for place in places}):
        pytest.skip(
            "a labelled project cannot be fetched, or is not available; set CUDAMIGRATE_CORPUS_ALL=1 to read it"
        )
    vendored = sum(map(is_vendored, places))
    places = [place for place in places if not is_vendored(place)]
    drawn, sizes = Counter(place.pool for place in places), pools()
    weight: defaultdict[tuple[bool, bool], float] = defaultdict(float)
    wrong = []
    for place in places:
        seen = is_found(place)
        weight[place.counts, seen] += sizes[place.pool] / drawn[place.pool]
        if place.counts is not seen:
            kind = "false alarm" if seen else "missed"
            wrong.append(f"  {kind}: {place.project} {place.path}:{place.line}:{place.column} {place.token}")
    precision = weight[True, True] / (weight[True, True] + weight[False, True])
    recall = weight[True, True] / (weight[True, True] + weight[True, False])
    figures = f"lanes, draw {draw}: precision {precision:.3f}, recall {recall:.3f} on {len(places)} places"
    say([figures + (f" ({vendored} more are in copies of libraries)" if vendored else ""), *wrong])
    assert precision >= ALARMS.get(draw, PRECISION)
    assert recall >= FRESH.get(draw, RECALL)


@SCANNED
@pytest.mark.parametrize("name", TRAPS)
def test_no_known_trap_is_written(name: str) -> None:
    done = applied(name)
    if isinstance(done, str):
        pytest.skip(done)
    conversions = done[1].conversions
    assert conversions
    for conversion in conversions:
        before, after = (counted(data.decode("utf-8", "replace")) for data in (conversion.before, conversion.after))
        assert {trap: n for trap, n in after.items() if n > before.get(trap, 0)} == {}, conversion.path


HEAD = ("project", "total", "repaired", "right", "reported", "own", "missed")


@SCANNED
def test_every_lane_call_is_answered(say: Callable[[Iterable[str]], None]) -> None:
    rows, missed = [], []
    for name in label.PROJECTS:
        if report(name) is None:
            continue
        found = fates(name)
        counted = Counter(fate for _, fate in found)
        missed += [place for place, fate in found if fate == "missed"]
        rows.append((name, str(len(found)), *(str(counted[fate]) for fate in HEAD[2:])))
    say(["  ".join(cell.ljust(16 if at == 0 else 9) for at, cell in enumerate(row)) for row in [HEAD, *rows]])
    assert missed == []


def fates(name: str) -> list[tuple[str, str]]:
    """Each use of a lane function's name in the code of a project that HIP may compile, and what becomes of it.

    The names are counted in the text alone; what becomes of one is asked of the report. `own` are names in a project
    that defines them itself, `right` are calls that HIP reads as CUDA does.
    """
    done = report(name)
    assert done is not None
    root, scan = done
    own = {definition.name for file in scan.files for definition in file.definitions if definition.name in NAMES}
    fixed = {(f.path, f.span) for f in scan.findings if f.fix is not None}
    result = []
    for file in scan.files:
        parsed = label.read(root, file.path, label.LANE_CALL) if file.cuda else None
        if parsed is None:
            continue
        for start, text in label.calls(parsed):
            here = [span for span, _ in ranges(name).get(file.path, ()) if span.start <= start < span.end]
            if any((file.path, span) in fixed for span in here):
                fate = "repaired"
            elif here:
                fate = "reported"
            elif label.is_right(parsed, start):
                fate = "right"
            else:
                fate = "own" if text in own or label.is_declared(parsed, start) else "missed"
            result.append((f"{name} {file.path}:{parsed.source.position(start).line} {text}", fate))
    return result
