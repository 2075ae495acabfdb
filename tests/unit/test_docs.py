from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from migrate.config import Config

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("rules/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!\w+:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_configuration_key_is_documented():
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    section = text[text.index("## Configuration") : text.index("## The JSON report")]
    documented = set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE))
    assert documented == {field.name.replace("_", "-") for field in fields(Config)} - {"folder"}


def test_the_hook_offered_reads_the_files_that_are_scanned():
    from migrate.frontends import known_files

    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    pattern = re.search(r"files: (.+)", hook)
    assert pattern is not None
    suffixes = [f"src/a{key}" for key in known_files() if key.startswith(".") and "*" not in key]
    names = [f"src/{key.replace('*', 'a')}" for key in known_files() if not key.startswith(".") or "*" in key]
    assert [path for path in (*suffixes, *names) if not re.search(pattern[1], path)] == []
    assert [path for path in ("src/a.md", "src/a.json", "a.toml", "a.txt") if re.search(pattern[1], path)] == []
