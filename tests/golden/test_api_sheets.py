"""Sheets that use every mapping of a library once: before and after, byte for byte."""

from __future__ import annotations

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
    "cub": "macros that are no expressions, and a namespace's name that stands for any member",
    "cufft": "hipFFT's FFTW interface",
    "curand": "rocRAND's own headers",
    "cutensor": "hipTensor's C++ header of releases before 7.2",
    "fp8": "hip_fp8's scale type",
    "gl_interop": "OpenGL's headers",
    "pytorch": "headers of Gloo and TensorPipe",
    "thrust": "a namespace's name that stands for any member",
}
"""Sheets that need what no declaration covers."""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.parent.name)
def test_sheet_type_checks_for_amd(sheet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name written exists in HIP 7.1, and what does not is foreseen by a finding."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    config = Config(rocm="7.1", jobs=1)
    _, judged = prove.verify_applied(pipeline.apply(sheet, config), config, "clang")
    if judged.absent:
        pytest.skip(judged.absent)
    if judged.toolchain is not None and not judged.toolchain.release.startswith("7.1"):
        pytest.skip(f"the sheets are held to HIP 7.1, and here is {judged.toolchain.title}")
    (verdict,) = (verdict for verdict in judged.verdicts if verdict.path == sheet.name)
    missed = [f"{entry.origin}: {entry.message}" for entry in verdict.diagnostics if not entry.foreseen]
    if sheet.parent.name in ABSENT:
        assert missed, f"{ABSENT[sheet.parent.name]}: available by now; take the sheet out of the list"
        pytest.skip(f"needs {ABSENT[sheet.parent.name]}")
    assert missed == []
