"""Findings in the build, package and environment files of real projects by part, and what changes in those files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import pytest

from cudamigrate import pipeline
from cudamigrate.model import GROUPS
from tests.corpus import harness

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize(
    "project", [one for one in harness.projects() if not one.judged], ids=lambda project: project.name
)
def test_files_beside_the_code_are_read(project: harness.Project, row: Callable[[str, Iterable[str]], None]) -> None:
    """Of projects that are judged, `test_project_comes_through` reads them and adds the row."""
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    report = pipeline.scan(root, harness.settings(project))
    assert not [skip for skip in report.skipped if skip.kind == "internal"]
    row("parts", (project.name, *harness.parts(report)))


def test_parts_are_those_of_reports() -> None:
    assert set(harness.PARTS) <= set(GROUPS)
