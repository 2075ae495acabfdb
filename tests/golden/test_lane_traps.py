"""No conversion of a fixture or of a rule's example writes one of the known traps of warp-level code."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.model import Target
from cudamigrate.pipeline import rule_tests
from cudamigrate.rulebase.code_rules import load
from tests import pinned
from tests.lane_traps import TRAPS, counted, without_width

PROJECTS = sorted(path for path in (Path(__file__).parents[2] / "fixtures" / "projects").iterdir() if path.is_dir())
EXAMPLES = [
    pytest.param(example.before, example.wave, id=f"{rule.id}-{number}")
    for rule in load(Target()).rules.values()
    if rule.group in ("warp", "ptx")
    for number, example in enumerate(rule.examples)
    if example.after is not None
]
BAD = {
    "constexpr int kLanes = warpSize;": "the size of the wave as a constant",
    "Tile<warpSize> tile;": "the size of the wave as a constant",
    "int n = __AMDGCN_WAVEFRONT_SIZE;": "a constant that ROCm 7 took away",
    "#ifdef __GFX9__": "a macro that the host does not have",
    "flags = __reduce_or_sync(~0ull, flags);": "a reduction that is logical on AMD",
    "v = __shfl_sync(0xffffffff, v, 0, 32);": "a function with a mask of 64 bits given one of 32",
    "__syncwarp();": "a function that HIP has since ROCm 6.2 or 7 only",
}
GOOD = [
    "const int lanes = warpSize; constexpr int n = 32;",
    "flags = cudamigrate::reduce_or_sync(mask, flags);",
    "v = __shfl_sync(~0ull, v, 0); // __syncwarp(); before",
    "cudamigrate::syncwarp(); cudamigrate::shfl_sync(0xffffffff, v, 0);",
]


@pytest.mark.parametrize(("code", "name"), BAD.items())
def test_each_trap_is_known_when_it_is_seen(code: str, name: str) -> None:
    assert counted(code) == {name: 1}
    assert set(BAD.values()) == set(TRAPS)


@pytest.mark.parametrize("code", GOOD)
def test_what_only_looks_like_a_trap_is_none(code: str) -> None:
    assert counted(code) == {}


def test_a_shuffle_without_a_width_is_seen() -> None:
    assert without_width("a = __shfl_xor(f(a, b), 1); b = __shfl(a, 0, 32);") == ["__shfl_xor(f(a, b), 1)"]


@pytest.mark.parametrize("wave", ["logical32", "native"])
@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_no_trap_is_written_into_a_project(project: Path, wave: str) -> None:
    for conversion in pipeline.apply(project / "before", pinned.config(wave=wave, jobs=1)).conversions:
        after = conversion.after.decode()
        assert counted(after) == {}, conversion.path
        assert "warpSize" in after or without_width(after) == [], conversion.path


@pytest.mark.parametrize(("before", "wave"), EXAMPLES)
def test_no_trap_is_written_into_an_example(before: str, wave: str) -> None:
    after = rule_tests.find_in_text(before, config=pinned.config(wave=wave or "logical32"), unsafe=True).after
    assert {name: n for name, n in counted(after).items() if n > counted(before).get(name, 0)} == {}
