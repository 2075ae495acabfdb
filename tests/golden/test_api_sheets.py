"""Sheets that use every mapping of a library once: before and after, byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline import prove
from tests import pinned

SHEETS = sorted((Path(__file__).parents[2] / "fixtures" / "api").glob("*/before.*"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.parent.name)
def test_sheet_comes_out_as_expected(sheet: Path, golden: Any) -> None:
    applied = pipeline.apply(sheet, pinned.config())
    (conversion,) = applied.conversions
    golden.check(sheet.with_name("after" + sheet.suffix), conversion.after)


ABSENT = {
    "curand": "rocRAND's own headers",
    "nvtx": "macros that are no functions of a namespace",
    "pytorch": "headers of Gloo and TensorPipe",
    "thrust": "a namespace's name that stands for any member",
}
"""Sheets that need what no declaration covers."""


def test_sheets_type_check_for_amd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name written exists in HIP 7.1, and what does not is foreseen by a finding; all sheets as one tree."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for sheet in SHEETS:
        (tmp_path / "tree" / sheet.parent.name).mkdir(parents=True)
        shutil.copy(sheet, tmp_path / "tree" / sheet.parent.name)
    config = Config(rocm="7.1", jobs=1)
    _, judged = prove.verify_applied(pipeline.apply(tmp_path / "tree", config), config, "clang")
    if judged.absent:
        pytest.skip(judged.absent)
    if judged.toolchain is not None and not judged.toolchain.release.startswith("7.1"):
        pytest.skip(f"the sheets are held to HIP 7.1, and here is {judged.toolchain.title}")
    verdicts = {verdict.path.partition("/")[0]: verdict for verdict in judged.verdicts}
    assert set(verdicts) == {sheet.parent.name for sheet in SHEETS}
    missed = {
        name: [f"{entry.origin}: {entry.message}" for entry in verdict.diagnostics if not entry.foreseen]
        for name, verdict in verdicts.items()
    }
    assert {name: text for name, text in missed.items() if text and name not in ABSENT} == {}
    assert {name for name, text in missed.items() if text} == set(ABSENT), "available by now; take it out of the list"
