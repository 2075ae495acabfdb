"""What an architecture has comes from rules/gpus.toml: by its own name, else by that of its family."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cudamigrate.rulebase import architectures
from cudamigrate.rulebase.architectures import any_wide, architecture, shared_limit
from cudamigrate.shipped_data import table


@pytest.mark.parametrize(
    ("name", "wave", "atomics", "float8"),
    [
        ("gfx942", 64, {"float", "double"}, "fnuz"),
        ("gfx940", 64, set(), "fnuz"),
        ("gfx950", 64, {"float", "double"}, "ocp"),
        ("gfx90a", 64, set(), ""),
        ("gfx1100", 32, set(), ""),
        ("gfx1250", 32, set(), ""),
        ("a name that is none", 32, set(), ""),
    ],
)
def test_facts_of_an_architecture(name: str, wave: int, atomics: set[str], float8: str) -> None:
    known = architecture(name)
    assert (known.wave, known.float_atomics, known.float8) == (wave, atomics, float8)


@pytest.mark.parametrize(
    ("names", "wide"), [((), True), (("gfx1100", "gfx90a"), True), (("gfx1100", "gfx1201"), False)]
)
def test_waves_of_64_lanes_are_taken_for_granted_where_no_aim_is_named(names: tuple[str, ...], wide: bool) -> None:
    assert any_wide(names) is wide


@pytest.mark.parametrize(
    ("arches", "limit"),
    [(("gfx950",), 163840), (("gfx950", "gfx942"), 65536), (("gfx1250",), 327680), (("gfx1100",), 65536), ((), 65536)],
)
def test_smallest_architecture_limits_shared_memory(arches: tuple[str, ...], limit: int) -> None:
    assert shared_limit(arches) == limit


@pytest.fixture
def clean() -> Iterator[None]:
    architecture.cache_clear()
    yield
    architecture.cache_clear()


@pytest.mark.usefixtures("clean")
def test_an_architecture_is_added_by_data_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert architecture("gfx9f0").shared_memory == 65536
    architecture.cache_clear()
    known = table("gpus")
    added = {**known, "architecture": {**known["architecture"], "gfx9f": {"shared-memory": 262144}}}
    monkeypatch.setattr(architectures, "table", {"gpus": added}.__getitem__)
    assert (architecture("gfx9f0").shared_memory, architecture("gfx9f0").wave) == (262144, 64)
