"""A report that was packed is the report again, its findings those of its files."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Finding, Report
from cudamigrate.pipeline.packed_report import packed, unpacked
from cudamigrate.pipeline.spool import Spool

CODE = b"""#include <cuda_runtime.h>
__global__ void k(float *x) { x[0] += __shfl_down_sync(~0u, x[0], 16); x[threadIdx.x % 32] = 0; }
void f() { cudaFree(0); cudaDeviceSynchronize(); asm("mov.u32 %0, %%laneid;" : "=r"(i)); }
"""


@pytest.fixture
def report(tmp_path: Path) -> Report:
    (tmp_path / "a.cu").write_bytes(CODE)
    (tmp_path / "b.h").write_bytes(b"int x;\n")
    (tmp_path / "c.cu").write_bytes(CODE.replace(b"k", b"m"))
    return pipeline.scan(tmp_path, Config(jobs=1, cache=False))


def test_it_is_the_same_again(report: Report) -> None:
    parts = packed(report)
    assert len(parts) == 3 and parts[1] == [len(file.findings) for file in report.files] and parts[1][1] == 0
    made = unpacked(pickle.loads(pickle.dumps(parts)))
    assert made == report and len(made.findings) > 5
    assert [id(one) for file in made.files for one in file.findings] == list(map(id, made.findings))


def test_what_is_no_plain_list_of_findings_stays_as_it_is(report: Report) -> None:
    half = replace(report, findings=report.findings[1:])
    assert packed(half) == (half,) and unpacked(packed(half)) is half
    spool = Spool(0)
    files = tuple(spool.all([spool.take(file) for file in report.files]))
    stored = replace(report, files=files, findings=tuple(one for file in files for one in file.findings))
    assert type(stored.findings[0]) is not Finding and packed(stored) == (stored,)
    first = replace(report.findings[0], excerpt="half of a pair: \ud800")
    file = replace(report.files[0], findings=(first, *report.files[0].findings[1:]))
    odd = replace(report, files=(file, *report.files[1:]), findings=(first, *report.findings[1:]))
    assert packed(odd) == (odd,)


@pytest.mark.parametrize("wrong", [7, (), [], (1,), (1, 2), (None, [1], b"x"), (None, [1], b"\x91\x01")])
def test_other_values_are_refused(wrong: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        unpacked(wrong)  # type: ignore[arg-type]
