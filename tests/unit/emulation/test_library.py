"""CUB and cuRAND on the emulated GPU, and the conversion to hipCUB and hipRAND on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import build, run


def test_parts_of_libraries(tmp_path: Path) -> None:
    if build.compiler() is None:
        pytest.skip(build.INSTALL)
    (tmp_path / "library.cu").write_bytes((Path(__file__).parent / "library.cu").read_bytes())
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    done = run.run(tmp_path, tmp_path, run.Options(), changed)
    (verdict,) = done.verdicts
    assert (verdict.word, verdict.reason, verdict.faults, verdict.notes) == ("same", "", (), ())
    assert verdict.compared > 256
