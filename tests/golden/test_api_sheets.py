"""Sheets that use every mapping of a library once: before and after, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrate import pipeline
from migrate.config import Config

SHEETS = sorted((Path(__file__).parents[2] / "fixtures" / "api").glob("*/before.*"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.parent.name)
def test_sheet_comes_out_as_expected(sheet: Path, golden: Any) -> None:
    applied = pipeline.apply(sheet, Config())
    (conversion,) = applied.conversions
    golden.check(sheet.with_name("after" + sheet.suffix), conversion.after)
