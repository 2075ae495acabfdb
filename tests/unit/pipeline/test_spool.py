"""Findings on disk: reports are the same, apply makes the same files, and memory does not grow with the findings."""

from __future__ import annotations

import pickle
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from work import peak

from cudamigrate import pipeline, plugins
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace as copied
from cudamigrate.model import Edit, FileResult, Finding, Fix, Position, Span, Step
from cudamigrate.model.lane_facts import LaneFacts
from cudamigrate.pipeline import spool
from cudamigrate.pipeline.spool import Spool

PROJECTS = Path(__file__).resolve().parents[3] / "fixtures" / "projects"
CONFIG = Config(jobs=1, cache=False)


def finding(number: int, path: str = "a.cu") -> Finding:
    return Finding(
        rule="api/cudaMalloc",
        path=path,
        span=Span(number, number + 10),
        position=Position(number + 1, 1),
        end=Position(number + 1, 11),
        excerpt=f"cudaMalloc(&p{number}, 4);",
        message=f"message {number}",
        support="full",
        outcome="compile-error",
        certainty="token",
        effort="none",
        name="cudaMalloc",
        before=f"    cudaMalloc(&p{number}, 4);" * 10,
    )


def result(count: int) -> FileResult:
    return FileResult("a.cu", "cuda", count, count * 10, True, tuple(map(finding, range(count))))


@pytest.mark.parametrize(
    ("name", "wave"), [("traps", "logical32"), ("whole-wave", "native"), ("torch-extension", "logical32")]
)
def test_every_format_is_the_same(name: str, wave: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(CONFIG, wave=wave)
    held = replace(pipeline.scan(PROJECTS / name / "before", config), seconds=0)
    monkeypatch.setattr(spool, "HELD", 0)
    kept = replace(pipeline.scan(PROJECTS / name / "before", config), seconds=0)
    assert any(type(one) is spool.StoredFinding for one in kept.findings)
    for form in plugins.names("cudamigrate.reporting.formats"):
        render = import_module(f"cudamigrate.reporting.formats.{form}").render
        assert render(kept) == render(held)


@pytest.mark.parametrize("name", ["traps", "wave-reductions"])
def test_apply_makes_the_same_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held = pipeline.apply(PROJECTS / name / "before", CONFIG, unsafe=True)
    monkeypatch.setattr(spool, "HELD", 0)
    for jobs in (1, 2):
        kept = pipeline.apply(PROJECTS / name / "before", replace(CONFIG, jobs=jobs), unsafe=True)
        assert kept.conversions == held.conversions
        assert kept.rejected == held.rejected


def test_a_stored_finding_is_a_finding() -> None:
    (first, second) = Spool(0).take(result(2)).findings
    assert type(first) is spool.StoredFinding
    assert isinstance(first, Finding)
    assert first == finding(0)
    assert finding(0) == first
    assert first != second
    assert hash(first) == hash(finding(0))
    assert repr(first) == repr(finding(0))
    assert copied(first, effort="small") == copied(finding(0), effort="small")
    assert type(copied(first, effort="small")) is Finding
    assert type(pickle.loads(pickle.dumps(first))) is Finding
    assert (first.fingerprint, first.group, first.resolution) == (
        finding(0).fingerprint,
        finding(0).group,
        finding(0).resolution,
    )


FIXES = [
    None,
    Fix((Edit(Span(0, 4), b"hip"),), "safe"),
    Fix((Edit(Span(0, 4), b"hip"),), "unsafe", "group", ("WARP",)),
    Fix((Edit(Span(0, 0), b"#include <hip/hip_runtime.h>\n"),), "suggestion"),
]


@pytest.mark.parametrize("fix", FIXES)
@pytest.mark.parametrize("trace", [(), (Step("b.cu", 3, "a fact"),)])
@pytest.mark.parametrize("switches", [(), ("USE_CUDNN",)])
def test_what_passes_ask_of_many_findings_is_told_as_it_is(
    fix: Fix | None, trace: tuple[Step, ...], switches: tuple[str, ...]
) -> None:
    every = [copied(finding(0), fix=fix, trace=trace, switches=switches, unconditional=not switches), finding(1)]
    taken = Spool(0).take(FileResult("a.cu", "cuda", 1, 10, True, tuple(every)))
    for stored, own in zip(taken.findings, every, strict=True):
        assert type(stored) is spool.StoredFinding
        for name in (
            "rule",
            "path",
            "fix",
            "trace",
            "switches",
            "unconditional",
            "relies",
            "adds_include",
            "resolution",
        ):
            assert getattr(stored, name) == getattr(own, name), name
        assert type(stored.whole) is Finding and stored.whole == own
        assert own.whole is own


def test_what_is_told_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    bare, fixed = (copied(finding(0), fix=fix, switches=("USE_CUDNN",)) for fix in FIXES[:3:2])
    first, second = Spool(0).take(FileResult("a.cu", "cuda", 1, 10, True, (bare, fixed))).findings
    read: list[int] = []
    monkeypatch.setattr(Spool, "finding", lambda self, number, at: read.append(at) or (bare, fixed)[at])
    assert (first.fix, first.trace, first.switches, second.relies) == (None, (), ("USE_CUDNN",), ("WARP",))
    assert not read
    assert (second.fix, first.excerpt) == (fixed.fix, bare.excerpt)
    assert read == [1, 0]


def test_passes_read_the_findings_of_a_file_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    whole = spool._unpacked
    monkeypatch.setattr(spool, "_unpacked", lambda data: read.append(1) or whole(data))
    monkeypatch.setattr(spool, "HELD", 0)
    monkeypatch.setattr(spool, "_READ", 1)
    found = pipeline.scan(PROJECTS / "torch-extension" / "before", CONFIG).findings
    files = {one.path for one in found}
    assert len(files) > 10 and all(type(one) is spool.StoredFinding for one in found)
    assert 0 < len(read) < 3 * len(files), "each of forty passes would read each file"


def test_few_findings_are_held() -> None:
    kept = Spool(10)
    assert kept.take(result(10)).findings == result(10).findings
    assert type(kept.take(result(1)).findings[0]) is spool.StoredFinding


def test_findings_that_change_are_stored_again() -> None:
    kept = Spool(0)
    taken = kept.take(result(3))
    changed = copied(taken, findings=(taken.findings[0], copied(taken.findings[1], message="other")))
    again = kept.all([changed])[0]
    assert [type(one) for one in again.findings] == [spool.StoredFinding] * 2
    assert [one.message for one in again.findings] == ["message 0", "other"]
    assert again.findings[0] is taken.findings[0]


def test_what_is_held_does_not_grow_with_the_texts() -> None:
    kept = Spool(0)
    count = 3 * spool._READ * 256
    held: list[FileResult] = []

    def work() -> None:
        held.append(kept.take(pickle.loads(given)))

    given = pickle.dumps(result(256))
    first = peak(work)

    def more() -> None:
        for _ in range(count // 256):
            work()

    assert peak(more) < first + (count // 256) * 256 * 200, "at most 200 bytes a finding; each is over 1,000"


def test_equal_facts_are_held_once_and_keep_their_types() -> None:
    kept = Spool(0)
    one, two = (("n", 1), ("n", "a b")), (("n", True), ("n", 1.0))
    first = kept._once(pickle.loads(pickle.dumps(one)))
    assert kept._once(pickle.loads(pickle.dumps(one))) is first
    assert repr(kept._once(pickle.loads(pickle.dumps(two)))) == repr(two)
    assert repr(first) == repr(one)


def test_less_is_held_of_a_tree_of_very_many_files() -> None:
    assert Spool.of(spool.MANY)._free == spool.HELD
    assert Spool.of(spool.MANY + 1)._free == spool.HELD_OF_MANY < spool.HELD


def test_what_facts_share_is_held_once_until_it_is_let_go() -> None:
    store = Spool(0)

    def lanes() -> LaneFacts:
        return LaneFacts(whole=frozenset((f"name of {len('one file')} letters",)))

    first, second = (store.take(copied(result(1), lanes=lanes())) for _ in range(2))
    assert first.lanes is not None and second.lanes is not None and first.lanes.whole is second.lanes.whole
    store.let_go()
    third = store.take(copied(result(1), lanes=lanes()))
    assert third == first and third.lanes is not None and third.lanes.whole is not first.lanes.whole
    kinds = {id(one.findings[0]._kind) for one in (first, third)}  # type: ignore[attr-defined]
    assert len(kinds) == 1
