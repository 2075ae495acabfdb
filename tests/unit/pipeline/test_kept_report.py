"""A report that was kept is the report again, and its text the text; a row that is wrong is none."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Finding, Report
from cudamigrate.pipeline import cached_work
from cudamigrate.pipeline.files_aside import FilesAside
from cudamigrate.pipeline.kept_report import KeptReport, packed, unpacked
from cudamigrate.pipeline.result_store import Store
from cudamigrate.pipeline.spool import Spool
from cudamigrate.reporting.formats import json

CODE = b"""#include <cuda_runtime.h>
__global__ void k(float *x) { x[0] += __shfl_down_sync(~0u, x[0], 16); x[threadIdx.x % 32] = 0; }
void f() { cudaFree(0); cudaDeviceSynchronize(); asm("mov.u32 %0, %%laneid;" : "=r"(i)); }
"""


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Findings in two files, each a block of its own."""
    monkeypatch.setattr(cached_work, "_ENDS", 2**32)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.cu").write_bytes(CODE)
    (tree / "b.h").write_bytes(b"int x;\n")
    (tree / "c.cu").write_bytes(CODE.replace(b"k", b"m"))
    return pipeline.scan(tree, Config(jobs=1, cache=False))


def again(report: Report) -> Report:
    parts = packed(report)
    assert parts is not None
    bare, counts, blocks = pickle.loads(pickle.dumps(parts))
    return unpacked(bare, counts, [block.data for block in blocks])


def test_it_is_the_same_again(report: Report) -> None:
    parts = packed(report)
    assert parts is not None and len(parts[2]) == 2
    assert parts[1] == [len(file.findings) for file in report.files] and parts[1][1] == 0
    made = again(report)
    assert made == report and len(made.findings) > 5
    assert [id(one) for file in made.files for one in file.findings] == list(map(id, made.findings))


def test_what_is_no_plain_list_of_findings_is_kept_as_it_is(report: Report, tmp_path: Path) -> None:
    half = replace(report, findings=report.findings[1:])
    assert packed(half) is None
    spool = Spool(0)
    files = tuple(spool.all([spool.take(file) for file in report.files]))
    stored = replace(report, files=files, findings=tuple(one for file in files for one in file.findings))
    assert type(stored.findings[0]) is not Finding and packed(stored) is None
    first = replace(report.findings[0], excerpt="half of a pair: \ud800")
    file = replace(report.files[0], findings=(first, *report.files[0].findings[1:]))
    odd = replace(report, files=(file, *report.files[1:]), findings=(first, *report.findings[1:]))
    assert packed(odd) is None
    turned = replace(report, files=report.files[::-1])
    turned = replace(turned, findings=tuple(one for each in turned.files for one in each.findings))
    assert packed(turned) is None
    for number, one in enumerate((half, odd, turned)):
        kept = KeptReport(Store(tmp_path / "store"), b"%d" % number, FilesAside(tmp_path))
        kept.keep(one)
        assert kept.report() == one
        assert "".join(kept.written(one, json.content)) == "".join(json.content(one))


@pytest.mark.parametrize("counts", [[1], [1, 2, 3], [100, 0, 100]])
def test_other_values_are_refused(report: Report, counts: Sequence[int]) -> None:
    parts = packed(report)
    assert parts is not None
    with pytest.raises(ValueError, match="findings are missing"):
        unpacked(parts[0], counts, [block.data for block in parts[2]])
    with pytest.raises(ValueError, match="xpected"):
        unpacked(parts[0], parts[1], [b"x"])


def test_the_text_is_the_same_again(report: Report, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    expected = "".join(json.content(report))
    assert KeptReport(store, b"key", FilesAside(tmp_path)).text() is None
    assert "".join(KeptReport(store, b"key", FilesAside(tmp_path)).written(report, json.content)) == expected
    found = KeptReport(store, b"key", FilesAside(tmp_path)).text()
    assert found is not None and "".join(found[0]) == expected and found[1] == report.skipped
    assert KeptReport(store, b"other", FilesAside(tmp_path)).text() is None


def test_of_a_text_only_what_is_new_is_made(report: Report, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    list(KeptReport(store, b"before", FilesAside(tmp_path)).written(report, json.content))
    last = report.files[2]
    changed = replace(last, findings=(replace(last.findings[0], message="Another."), *last.findings[1:]))
    files = (*report.files[:2], changed)
    now = replace(report, files=files, findings=tuple(one for file in files for one in file.findings))
    made: list[str] = []
    real = json._text_of

    def noted(findings: Sequence[Finding]) -> str:
        made.extend({one.path for one in findings})
        return real(findings)

    with patch.object(json, "_text_of", noted):
        text = "".join(KeptReport(store, b"after", FilesAside(tmp_path)).written(now, json.content))
    assert made == ["c.cu"] and text == "".join(json.content(now)) and "Another." in text
    first = KeptReport(store, b"before", FilesAside(tmp_path)).text()
    assert first is not None and "".join(first[0]) == "".join(json.content(report))


def test_rows_that_are_gone_or_damaged_are_none(report: Report, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    kept = KeptReport(store, b"key", FilesAside(tmp_path))
    kept.keep(report)
    list(kept.written(report, json.content))
    assert kept.report() == report and kept.text() is not None
    real = Store.get
    for wrong in (b"", b"z\0", b"z\0x", pickle.dumps((1, 2)), pickle.dumps((1, 2, 3)), pickle.dumps(((), 1, 2, 3))):
        with patch.object(Store, "get", lambda self, keys, wrong=wrong: dict.fromkeys(keys, wrong)):
            assert kept.report() is None and kept.text() is None
    with patch.object(Store, "get", lambda self, keys: real(self, keys) if len(keys) == 1 else {}):
        assert kept.report() is None and kept.text() is None  # the blocks are gone


def test_nothing_is_kept_without_a_key(report: Report, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    kept = KeptReport(store, b"", FilesAside(tmp_path))
    kept.keep(report)
    assert "".join(kept.written(report, json.content)) == "".join(json.content(report))
    assert kept.report() is None and kept.text() is None and not store.file.exists()
