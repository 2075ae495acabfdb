"""Whole projects: before, after and the report, byte for byte."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.pipeline import own_headers, prove
from cudamigrate.reporting.formats import json as json_report
from tests import pinned

PROJECTS = sorted(path for path in (Path(__file__).parents[2] / "fixtures" / "projects").iterdir() if path.is_dir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_project_comes_out_as_expected(project: Path, golden: Any) -> None:
    applied = pipeline.apply(project / "before", pinned.config())
    converted = {conversion.path: conversion.after for conversion in applied.conversions}
    expected = {p.relative_to(project / "after").as_posix() for p in (project / "after").rglob("*") if p.is_file()}
    for source in sorted(p for p in (project / "before").rglob("*") if p.is_file()):
        name = source.relative_to(project / "before").as_posix()
        golden.check(project / "after" / name, converted.get(name, source.read_bytes()))
        expected.discard(name)
    assert dict(applied.added) == {name: own_headers.runtime_header(name) for name in applied.added}
    assert _own_headers(project / "after") == set(applied.added)
    assert not expected, "files that the project no longer has"
    golden.check(project / "report.json", normalised(json_report.render(applied.report)))


PROGRAMS = [path for path in PROJECTS if (path / "before" / f"{path.name}.cu").is_file() and path.name != "traps"]
"""Programs that check their own results; `tests/unit/runtime/test_programs.py` runs them."""


def _with_other_functions() -> list[Path]:
    """Programs with a function of our header, or a shuffle, that none before them has."""
    seen: set[str] = set()
    found = []
    for program in PROGRAMS:
        text = "".join(path.read_text() for path in sorted((program / "after").rglob("*.cu*")))
        named = set(re.findall(r"cudamigrate::\w+|__shfl\w+", text))
        if not named <= seen:
            found.append(program)
        seen |= named
    return found


@pytest.mark.parametrize(("engine", "programs"), [("clang", PROGRAMS), ("hipcc", _with_other_functions())])
def test_programs_type_check_for_amd(
    engine: str, programs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one tree, each in a folder of its own. hipcc makes code too, for programs with what no other has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for program in programs:
        made = shutil.copytree(program / "after", tmp_path / "tree" / program.name)
        for name in _own_headers(made):
            (made / name).write_bytes(own_headers.runtime_header(name))
    judged = prove.verify(tmp_path / "tree", Config(rocm="7.1", arch=("gfx90a",), jobs=1), engine)
    if judged.absent:
        pytest.skip(judged.absent)
    reported = [f"{entry.place}: {entry.message}" for verdict in judged.verdicts for entry in verdict.diagnostics]
    assert reported == []
    assert {verdict.word for verdict in judged.verdicts} <= {"checked", "declarations"}
    assert {f"{one.name}/{one.name}.cu" for one in programs} <= {verdict.path for verdict in judged.verdicts}


def _own_headers(tree: Path) -> set[str]:
    """The headers of our own that files of a converted tree include, and those that they include themselves.

    Fixtures do not carry copies of them.
    """
    texts = [path.read_text() for path in tree.rglob("*") if path.suffix in (".cu", ".cuh", ".h")]
    found: set[str] = set()
    while new := {name for name in OWN_HEADERS if any(f'{name}"' in text for text in texts)} - found:
        found |= new
        texts = [own_headers.runtime_header(name).decode() for name in new]
    return found


def normalised(text: str) -> bytes:
    """The report without what differs between checkouts: version, name, commit and branch.

    The estimate is left out too: `test_reports.py` keeps it in words for each project.
    """
    report = json.loads(text)
    report["tool"]["version"] = ""
    del report["estimate"]
    report["repository"] = {}
    return (json.dumps(report, indent=1, sort_keys=True) + "\n").encode()
