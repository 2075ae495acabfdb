"""Faults in what is asked of all files together: the file that brings one about is left out, others are reported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.errors import TargetError
from cudamigrate.model import FileResult, Report
from cudamigrate.pipeline import together

CALL = "#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }\n"
FILES = [f"{name}.cu" for name in "abcdefghij"]


def _scan(tmp_path: Path, debug: bool = False) -> Report:
    for name in FILES:
        (tmp_path / name).write_text(CALL)
    return pipeline.scan(tmp_path, Config(jobs=1, cache=False), debug=debug)


def _failing(monkeypatch: pytest.MonkeyPatch, bad: set[str], most: int = 0, error: Exception | None = None) -> None:
    """Let a pass over all files fail where more than `most` of the bad ones are read."""
    made = together.with_known_places

    def failing(results: Sequence[FileResult]) -> Any:
        if len(bad & {one.path for one in results if one.skip is None}) > most:
            raise error or KeyError("a fault")
        return made(results)

    monkeypatch.setattr(together, "with_known_places", failing)


@pytest.mark.parametrize("bad", [{"a.cu"}, {"d.cu"}, {"j.cu"}, {"b.cu", "c.cu"}, {"a.cu", "f.cu", "j.cu"}])
def test_files_that_bring_a_fault_about_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: set[str]
) -> None:
    _failing(monkeypatch, bad)
    report = _scan(tmp_path)
    assert {skip.path for skip in report.skipped} == bad
    assert all(skip.kind == "internal" and "KeyError: 'a fault'" in skip.reason for skip in report.skipped)
    assert {one.path for one in report.findings if one.name == "cudaFree"} == {*FILES} - bad


def test_of_two_files_that_fail_together_one_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(monkeypatch, {"c.cu", "g.cu"}, most=1)
    report = _scan(tmp_path)
    assert [skip.path for skip in report.skipped] == ["g.cu"]
    assert {one.path for one in report.findings} == {*FILES} - {"g.cu"}


def test_what_no_file_brings_about_and_debugging_raise_the_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _failing(monkeypatch, {"c.cu"})
    with pytest.raises(KeyError, match="a fault"):
        _scan(tmp_path, debug=True)
    _failing(monkeypatch, set(), most=-1)
    with pytest.raises(KeyError, match="a fault"):
        _scan(tmp_path)
    _failing(monkeypatch, {*FILES})  # more files than a fault of one has
    with pytest.raises(KeyError, match="a fault"):
        _scan(tmp_path)


def test_what_says_something_of_the_input_is_raised_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(monkeypatch, {"c.cu"}, error=TargetError("no room"))
    with pytest.raises(TargetError, match="no room"):
        _scan(tmp_path)
