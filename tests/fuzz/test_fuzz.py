"""The fuzz targets with a small fixed budget, and every input that once crashed one.

Long runs: `python -m tests.fuzz MINUTES`, with atheris; the same inputs each time: `python -m tests.fuzz.fixed`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz import targets
from tests.fuzz.words import WORDS

CRASHES = sorted(path for path in (Path(__file__).parent / "crashes").rglob("*") if path.is_file())
INPUTS = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=6)), max_size=30).map(b"".join)


@pytest.mark.parametrize("name", sorted(targets.TARGETS))
def test_any_input_is_read_or_refused(name: str) -> None:
    @seed(20)
    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=INPUTS)
    def tried(data: bytes) -> None:
        targets.run(name, data)

    tried()


@pytest.mark.parametrize("name", sorted(targets.TARGETS))
@pytest.mark.parametrize("piece", [b"(", b"[", b"{", b"#if A\n", b'"', b"-", b"\\\n", b"f(", b"a: [", b"$(", b"<"])
def test_nests_are_read_or_refused(name: str, piece: bytes) -> None:
    for count in (100, 3000):
        targets.run(name, piece * count)


@pytest.mark.parametrize("path", CRASHES, ids=lambda path: f"{path.parent.name}-{path.name[:12]}")
def test_what_once_crashed_does_so_no_more(path: Path) -> None:
    targets.run(path.parent.name, path.read_bytes())
