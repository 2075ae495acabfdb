"""Reports of the fixture projects, byte for byte: Markdown of each, and every format of two."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline, plugins
from cudamigrate.model import Report, Repository
from tests import pinned

FIXTURES = Path(__file__).parents[2] / "fixtures"
PROJECTS = sorted(path.name for path in (FIXTURES / "projects").iterdir() if path.is_dir())
WHOLE = ("reduction", "traps")
ENDINGS = {"markdown": "md", "text": "txt", "github": "github.txt"}
FORMATS = sorted(plugins.names("cudamigrate.reporting.formats"))


@cache
def scanned(project: str) -> Report:
    """The report of a project without what differs between checkouts and releases."""
    report = pipeline.scan(FIXTURES / "projects" / project / "before", pinned.config(jobs=1))
    return replace(report, version="0", repository=Repository(project, project), seconds=0.0)


@pytest.mark.parametrize("project", PROJECTS)
def test_markdown_of_each_project(project: str, golden: Any) -> None:
    check(project, "markdown", golden)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("markdown", "json")])
@pytest.mark.parametrize("project", WHOLE)
def test_every_format_of_two_projects(project: str, name: str, golden: Any) -> None:
    """JSON of each project is beside its sources."""
    check(project, name, golden)


def test_no_expected_report_is_left_over() -> None:
    expected = {f"{project}.md" for project in PROJECTS}
    expected |= {f"{p}.{ENDINGS.get(n, n)}" for p in WHOLE for n in FORMATS if n != "json"}
    assert {path.name for path in (FIXTURES / "reports").iterdir()} == expected


def check(project: str, name: str, golden: Any) -> None:
    module = import_module(f"cudamigrate.reporting.formats.{name}")
    report = scanned(project)
    shown = module.render(report, width=100) if name == "text" else module.render(report)
    if name == "html":
        shown = without_scripts(shown)
    golden.check(FIXTURES / "reports" / f"{project}.{ENDINGS.get(name, name)}", shown.encode())


def without_scripts(page: str) -> str:
    """The page without the plotting library, its scripts and styles, which have tests of their own."""
    page = re.sub(r"<script>.*?</script>", "<script></script>", page, flags=re.DOTALL)
    page = re.sub(r"<style>.*?</style>", "<style></style>", page, flags=re.DOTALL)
    return re.sub(r"'sha256-[^']+'", "'sha256-'", page)
