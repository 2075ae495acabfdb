"""Findings in the build, package and environment files of real projects by part, and what changes in those files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from cudamigrate import pipeline
from cudamigrate.frontends import project_front_end
from cudamigrate.model import GROUPS
from tests.corpus import harness

pytestmark = pytest.mark.corpus
COLUMNS = ("python", "triton", "build", "packages", "environment")


@pytest.mark.parametrize("project", harness.projects(), ids=lambda project: project.name)
def test_files_beside_the_code_are_read(project: harness.Project, row: Callable[[str, Iterable[str]], None]) -> None:
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    report = pipeline.scan(root, harness.settings(project))
    assert not [skip for skip in report.skipped if skip.kind == "internal"]
    languages = {result.path: result.language for result in report.files}
    found = [finding for finding in report.findings if project_front_end(languages[finding.path]) is not None]
    counts = Counter(finding.group for finding in found)
    cells = [str(counts[group]) for group in COLUMNS]
    row("parts", (project.name, *cells, str(sum(finding.automatic for finding in found)), str(len(found))))


def test_parts_are_those_of_reports() -> None:
    assert set(COLUMNS) <= set(GROUPS)
