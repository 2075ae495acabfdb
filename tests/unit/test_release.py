"""Version, changelog, tag, README and manual page say the same."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest
import tomli
from packaging.version import Version

from docs.site import man_page

ROOT = Path(__file__).parents[2]
VERSION = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this is no git checkout")
    return done.stdout.split()


def test_the_changelog_begins_with_the_version():
    heads = re.findall(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0][0] == VERSION
    assert heads[0][1] == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", heads[0][1])
    versions = [Version(head[0]) for head in heads]
    assert versions == sorted(versions, reverse=True)


def test_each_python_from_the_oldest_on_is_named_and_none_is_shut_out():
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert project["requires-python"] == ">=3.10"
    assert named == [f"3.{minor}" for minor in range(10, 10 + len(named))] and named[-1] == "3.14"


def test_nothing_rests_on_what_python_3_14_changed():
    """Annotations are made late but for the future import, processes start another way, and `finally` holds no jump."""
    for path in (ROOT / "migrate").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"^@dataclass|__annotations__", text, re.MULTILINE):
            assert "from __future__ import annotations\n" in text, path
        assert not re.search(r"\bmultiprocessing\.(?:Process|Pool|Queue)\(|\bProcessPoolExecutor\(", text), path
        for node in ast.walk(ast.parse(text)):
            jumps = (inner for one in getattr(node, "finalbody", ()) for inner in ast.walk(one))
            assert not any(isinstance(one, ast.Return | ast.Break | ast.Continue) for one in jumps), path


def test_tags_are_versions_that_the_changelog_has_and_none_is_newer():
    tags = git("tag", "--list", "v*")
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [tag for tag in tags if f"## {tag[1:]} - " not in text] == []
    assert all(Version(tag[1:]) <= Version(VERSION) for tag in tags)
    assert set(git("tag", "--points-at", "HEAD", "--list", "v*")) <= {f"v{VERSION}"}


@pytest.mark.parametrize("page", ["README.md", "docs/checking.md"])
def test_the_revision_that_a_page_offers_has_the_hook(page):
    (rev,) = re.findall(r"rev: ([0-9a-f]{40})\b", (ROOT / page).read_text(encoding="utf-8"))
    if "true" in git("rev-parse", "--is-shallow-repository"):
        pytest.skip("a shallow checkout has not all commits")
    assert "cudamigrate-check" in " ".join(git("show", f"{rev}:.pre-commit-hooks.yaml"))
    assert subprocess.run(["git", "merge-base", "--is-ancestor", rev, "HEAD"], cwd=ROOT).returncode == 0


def test_the_manual_page_is_that_of_the_commands():
    assert man_page.PAGE.read_text(encoding="utf-8") == man_page.render(), "run: python -m docs.site.man_page"


def test_a_line_of_the_manual_is_never_a_request_by_accident():
    assert man_page._text(".pre-commit's -j [bold]x[/bold]") == "\\&.pre\\-commit's \\-j x"
