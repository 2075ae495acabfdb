"""What holds for every estimate: sums are sums, order does not matter, more findings never cost less."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cudamigrate import estimate, pipeline
from cudamigrate.config import Config
from cudamigrate.estimate.survey import Survey
from cudamigrate.estimate.tables import table
from cudamigrate.model import FileResult, Finding, Fix, Position, Report, Repository, Span, Target
from cudamigrate.model.estimate import Days, Estimate, Evidence
from tests.draws import examples
from tests.unit.estimate.trees import survey

CONFIG = Config(gpu=("mi300x", "7900xtx"))
BOOK = pipeline.rules(pipeline.target(Config()))
RULES = (
    "warp/lane-spin", "warp/unconverted-lanes", "ptx/matrix-instruction", "ptx/inline-asm", "library/cutlass",
    "library/unknown-name", "build/arch-gate", "cooperative-groups/labeled-partition", "api/cudaMalloc",
    "launch/dynamic-parallelism", "api/cudnn-headers", "memory/managed-memory",
)  # fmt: skip
WHOLE_FILE = "library/cutlass"
"""A rule whose files go with their blocker."""
PATHS = ("a.cu", "b.cpp", "lib/c.cu", "lib/hip/d.cpp", "app/e.cpp", "app/f.h", "model/g.cpp", "tests/h.cu")
SEEN = Survey(roots=(".", "app", "lib", "model"))
SEEN.add("lib/setup.py", [("torch-extension", 1, "CUDAExtension"), ("hip-build", 3, "torch.version.hip")])
SEEN.add("app/CMakeLists.txt", [("hip-build", 1, "find_package(hip)")])
SEEN.add("model/m.py", [("import torch", 1, "import torch")])
SEEN.builds.update(
    {"lib": {"torch-extension": Evidence("lib/setup.py", 1, "")}, "app": {"cmake": Evidence("x", 1, "")}}
)
UNPORTED = Survey(roots=SEEN.roots)
UNPORTED.add("model/m.py", [("import torch", 1, "import torch")])
Place = tuple[str, str, int, str]


def finding(place: Place) -> Finding:
    path, rule, line, safety = place
    known = BOOK.rules[rule]
    fix = Fix((), safety) if safety else None  # type: ignore[arg-type]
    at = Position(line, 1)
    return Finding(
        rule, path, Span(line, line + 1), at, at, f"line {line}", "", known.support, known.outcome, "token",
        known.effort, fix,
    )  # fmt: skip


def report(
    places: Sequence[Place], ported: frozenset[str] = frozenset(), absent: frozenset[str] = frozenset()
) -> Report:
    files = []
    for path in (path for path in PATHS if path not in absent):
        mine = tuple(sorted((finding(p) for p in places if p[0] == path), key=lambda f: (f.span, f.rule)))
        cuda = path.endswith(".cu")
        ports = int(path in ported)
        lines = 40 * (PATHS.index(path) + 1)
        kernels = 2 if path == "a.cu" else 0
        files.append(
            FileResult(path, "cuda" if cuda else "cxx", lines, 9, bool(cuda or mine or ports), mine, ported=ports,
                       kernels=kernels)
        )  # fmt: skip
    every = tuple(f for file in files for f in file.findings)
    used = {f.rule: BOOK.rules[f.rule] for f in every}
    return Report("0", Repository("r", "r"), Target(), tuple(files), every, (), {}, (), used)


def made(found: Report) -> Estimate:
    return estimate.of(found, SEEN, CONFIG)


PLACE = st.tuples(
    st.sampled_from(PATHS), st.sampled_from(RULES), st.integers(1, 30), st.sampled_from(("", "", "safe", "unsafe"))
)
PLACES = st.lists(PLACE, max_size=25)
PORTED = st.frozensets(st.sampled_from(PATHS), max_size=3)
CUDA = st.frozensets(st.sampled_from(("a.cu", "lib/c.cu"))).map(lambda absent: absent | {"tests/h.cu"})
"""CUDA files that are not there. Those of tests never are: they count as core where there is no other CUDA code."""


@settings(deadline=None, max_examples=examples(150))
@given(PLACES, PLACE, PORTED)
def test_more_findings_never_cost_less(places: list[Place], more: Place, ported: frozenset[str]) -> None:
    not_less(made(report(places, ported)), made(report([*places, more], ported)), more)


@settings(deadline=None, max_examples=examples(100))
@given(PLACES, PLACE, CUDA)
def test_a_first_finding_in_a_kernel_costs_no_less_than_none(
    places: list[Place], more: Place, absent: frozenset[str]
) -> None:
    """With few or no CUDA files a finding may make a tree one whose days are calibrated on ports.

    Nothing here is built for HIP: a first finding there would also tell of a port, and its work is less.
    """
    unlike = {*absent, "lib/hip/d.cpp"}
    mine = [place for place in places if place[0] not in unlike]
    assume(more[0] not in unlike)
    without, with_ = (estimate.of(report(one, absent=absent), UNPORTED, CONFIG) for one in (mine, [*mine, more]))
    not_less(without, with_, more)


def not_less(before: Estimate, after: Estimate, more: Place) -> None:
    """The core costs no less, but for a file that goes with its blocker; with the ways around, the whole never does."""
    for point in ("p10", "p50", "p90") if more[1] != WHOLE_FILE else ():
        assert getattr(after.days, point) >= getattr(before.days, point) - 0.002, point  # each item is rounded
    assert len(after.blockers) >= len(before.blockers)
    whole = [one.resolved or one.days for one in (before, after)]
    assert whole[1].p50 >= whole[0].p50 - 0.002


@settings(deadline=None, max_examples=examples(100))
@given(PLACES, PORTED, st.randoms())
def test_order_does_not_matter(places: list[Place], ported: frozenset[str], random: object) -> None:
    found = report(places, ported)
    files, findings = list(found.files), list(found.findings)
    random.shuffle(files)  # type: ignore[attr-defined]
    random.shuffle(findings)  # type: ignore[attr-defined]
    assert made(replace(found, files=tuple(files), findings=tuple(findings))) == made(found)


@settings(deadline=None, max_examples=examples(100))
@given(PLACES, PORTED)
def test_same_input_gives_the_same_bytes(places: list[Place], ported: frozenset[str]) -> None:
    assert repr(asdict(made(report(places, ported)))) == repr(asdict(made(report(places, ported))))


def ordered(days: Days) -> bool:
    return 0 <= days.p10 <= days.p50 <= days.p90


@settings(deadline=None, max_examples=examples(80))
@given(PLACES, PORTED)
def test_percentiles_are_in_order_everywhere(places: list[Place], ported: frozenset[str]) -> None:
    found = made(report(places, ported))
    every = [found.days, *(item.days for item in found.items), *(part.days for part in found.components)]
    every += [way.days for blocker in found.blockers for way in blocker.alternatives]
    every += [step.days for step in found.plan] + [team.days for team in found.staffing]
    assert all(map(ordered, every))
    assert all(speed.low is None or speed.high is None or speed.low < speed.high for speed in found.performance)


@settings(deadline=None, max_examples=examples(80))
@given(PLACES, PORTED)
def test_total_is_the_sum_of_its_parts(places: list[Place], ported: frozenset[str]) -> None:
    """P50 adds up exactly: over items, over components with what is shared, and over the steps of the plan."""
    found = made(report(places, ported))
    shared = [item.days.p50 for item in found.items if not item.component]
    assert found.days.p50 == round(math.fsum(item.days.p50 for item in found.items), 4)
    assert found.days.p50 == round(math.fsum([*(part.days.p50 for part in found.components), *shared]), 4)
    assert found.days.p50 == round(math.fsum(step.days.p50 for step in found.plan), 4)
    if found.kind:
        width = table("effort").number("calibration", "width")
        assert found.days.p90 >= found.days.p50 * width - 0.001  # Python code beside the kernels has a range of its own
        assert found.days.p10 >= found.days.p50 / width - 0.001
    else:
        alone = math.sqrt(math.fsum((item.days.p90 - item.days.p50) ** 2 for item in found.items))
        whole = math.fsum(item.days.p90 - item.days.p50 for item in found.items)
        assert alone - 0.001 <= found.days.p90 - found.days.p50 <= whole + 0.001
    if found.resolved is not None:
        first = math.fsum(blocker.alternatives[0].days.p50 for blocker in found.blockers)
        assert abs(found.resolved.p50 - found.days.p50 - first) < 0.001


@settings(deadline=None, max_examples=examples(100))
@given(PLACES, PORTED)
def test_more_people_never_take_longer(places: list[Place], ported: frozenset[str]) -> None:
    found = made(report(places, ported))
    lengths = [team.days.p50 for team in found.staffing]
    assert lengths == sorted(lengths, reverse=True)
    assert not lengths or abs(lengths[0] - found.days.p50) < 0.001
    names = [step.name for step in found.plan]
    assert all(names.index(after) < names.index(step.name) for step in found.plan for after in step.after)


NAMES = ("setup.py", "a.py", "pyproject.toml", "requirements.txt", "Dockerfile", "CMakeLists.txt", "Makefile")


@settings(deadline=None, max_examples=examples(80))
@given(st.sampled_from(NAMES), st.binary(max_size=300))
def test_survey_never_raises_on_any_bytes(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        assert survey(Path(folder), CONFIG).roots


WORDS = (
    "import ", "from ", "torch", "numba import cuda", "\n", "\r\n", " ", "#", "\\", "(", ",", "as ", "==1",
    "pip install ", "@triton.jit", "project(CUDA)", "nvcc", "'", '"', "[project]", "-", "é", "jax",
)  # fmt: skip


@settings(deadline=None, max_examples=examples(80))
@given(st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), max_size=40))
def test_places_of_the_survey_are_lines_of_the_file(name: str, words: list[str]) -> None:
    data = "".join(words).encode()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        seen = survey(Path(folder), CONFIG)
    lines = data.decode().split("\n")
    for clues in seen.clues.values():
        for clue in clues.values():
            for place in clue.places:
                assert place.text == lines[place.line - 1].strip()[:160].strip()
