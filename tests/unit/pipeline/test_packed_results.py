"""Results that were packed are the results again."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult
from cudamigrate.pipeline.packed_results import packed, unpacked

CODE = b"""#include <cuda_runtime.h>
__global__ void k(float *x) { float v = x[0]; for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  x[threadIdx.x % 32] = v; }
void f() { cudaFree(0); }
"""


@pytest.fixture
def results(tmp_path: Path) -> list[FileResult]:
    """Of a file with a result for logical warps, too, and of one with nothing."""
    (tmp_path / "a.cu").write_bytes(CODE)
    (tmp_path / "b.h").write_bytes(b"int x;\n")
    config = Config(jobs=1, cache=False, wave="native")
    found = pipeline.run.read(tmp_path, config)[1]
    return [replace(found[0], logical_result=replace(found[0], findings=found[0].findings[1:])), *found[1:]]


def test_they_are_the_same_again(results: list[FileResult]) -> None:
    assert len(results) == 2 and results[0].findings and not results[1].findings
    again = unpacked(pickle.loads(packed(results)))
    assert again == results
    assert results[0].findings and results[0].logical_result is not None and results[0].logical_result.findings


def test_a_file_with_anything_is_no_plain_one(results: list[FileResult]) -> None:
    odd = [replace(results[1], ported=1), replace(results[1], chosen=frozenset(("A",))), replace(results[1], kernels=2)]
    assert unpacked(pickle.loads(packed(odd))) == odd


def test_other_results_are_pickled(results: list[FileResult]) -> None:
    for other in ([], [None, 1], [results[1], None]):
        assert unpacked(pickle.loads(packed(other))) == other
    half = replace(results[0].findings[0], excerpt="half of a pair: \ud800")
    odd = [replace(results[0], findings=(half,))]
    assert unpacked(pickle.loads(packed(odd))) == odd


@pytest.mark.parametrize("wrong", [7, (), (1, 2), (None, [1], b"x"), ([()], [(0, 0)], b"\x91"), ([], [1], b"\x90")])
def test_other_values_are_refused(wrong: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        unpacked(wrong)
