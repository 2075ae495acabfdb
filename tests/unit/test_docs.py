from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
import typer

from cudamigrate.cli.app import app
from cudamigrate.config import Config
from cudamigrate.config.setting_values import TYPED_ONLY
from tests.protections import PROTECTIONS

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
    assert documented == {field.name.replace("_", "-") for field in fields(Config)} - {"folder", *TYPED_ONLY}


def test_the_hook_offered_reads_the_files_that_are_scanned():
    from cudamigrate.frontends import known_files

    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    pattern = re.search(r"files: (.+)", hook)
    assert pattern is not None
    suffixes = [f"src/a{key}" for key in known_files() if key.startswith(".") and "*" not in key]
    names = [f"src/{key.replace('*', 'a')}" for key in known_files() if not key.startswith(".") or "*" in key]
    assert [path for path in (*suffixes, *names) if not re.search(pattern[1], path)] == []
    assert [path for path in ("src/a.md", "src/a.json", "a.toml", "a.txt") if re.search(pattern[1], path)] == []


RENAMED = [
    "agreement",
    "archive",
    "beside",
    "blame",
    "blocks",
    "buildfiles",
    "closure",
    "cmakefile",
    "conditionals",
    "counts",
    "decoding",
    "detect",
    "discover",
    "estimates",
    "executor",
    "flow",
    "handed",
    "held",
    "hipcode",
    "inspection",
    "judgement",
    "kernel_pointers",
    "lane_gates",
    "lane_values",
    "lanefacts",
    "lanes",
    "listing",
    "masks",
    "mentions",
    "neutral_values",
    "number_types",
    "outputs",
    "parsed",
    "plumbing",
    "projectbook",
    "pysource",
    "reductions",
    "releases",
    "rulebook",
    "rulefiles",
    "shapes",
    "shellwords",
    "shuffle_loops",
    "sizes",
    "stages",
    "steps",
    "structure",
    "toolwords",
    "trees",
    "uniform_values",
    "verdicts",
    "verifiers",
    "visible",
    "whole_waves",
    "wholeness",
    "yamltree",
]
"""Modules under names that they no longer have."""
MODULES = {path.name for folder in ("migrate", "tests") for path in (ROOT / folder).rglob("*.py")}
OF_USERS = {"setup.py", "cases.py"}
"""Python files of the projects that are read, and of the harness for numbers, which documentation may name too."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_that_pages_name_exist(page):
    if page.name == "CHANGELOG.md":
        pytest.skip("tells what was")
    text = re.sub(r"^```\w+ \S+\n.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    paths = set(re.findall(r"\b(?:migrate/[\w/]+(?:\.py|/)|tests/[\w/]+\.py)", text))
    assert sorted(path for path in paths if not (ROOT / path).exists()) == [], "renamed or gone: give the new path"
    named = set(re.findall(r"`(\w+\.py)`", text)) - OF_USERS
    assert sorted(named - MODULES) == [], "renamed or gone: give the new name"


def test_no_docstring_or_comment_names_a_module_by_its_old_name():
    old_names = re.compile(rf"`(?:migrate[./])?(?:{'|'.join(RENAMED)})\.py`|\bmigrate[./](?:{'|'.join(RENAMED)})\b")
    files = [*(ROOT / "migrate").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "rules").rglob("*.toml")]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        if path.name != "test_docs.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if old_names.search(line)
    ]
    assert found == [], "use the name that the module has now"


def test_each_promise_on_security_has_a_test():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    promised = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(promised) > 20
    for path, name in promised:
        assert f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8"), (path, name)


def test_each_protection_that_can_be_taken_out_is_there_and_has_a_test():
    for one in PROTECTIONS:
        assert one.text in (ROOT / one.file).read_text(encoding="utf-8"), one
        for path, _, name in (word.partition("::") for word in one.tests.split()):
            text = (ROOT / path).read_text(encoding="utf-8")
            assert f"\ndef {name}(" in text if name else "\ndef test_" in text, one


def commands() -> dict[str, typer.core.TyperCommand]:
    """Each command by its words, those of groups too."""
    tops = typer.main.get_command(app).commands
    found = {name: command for name, command in tops.items() if not getattr(command, "hidden", False)}
    for name, command in list(found.items()):
        found |= {f"{name} {inner}": one for inner, one in getattr(command, "commands", {}).items()}
    return found


def test_the_reference_has_every_command_and_every_option():
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    section = text[text.index("<!-- commands: begin -->") : text.index("<!-- commands: end -->")]
    lost = [name for name in commands() if not re.search(rf"`(cudamigrate )?{name}\b", section)]
    lost += [
        f"{name} {option}"
        for name, command in commands().items()
        for param in command.params
        for option in param.opts
        if option.startswith("--") and option != "--help" and f"`{option}" not in section
    ]
    assert lost == []


def test_options_in_questions_exist():
    known = {option for one in commands().values() for param in one.params for option in param.opts}
    named = set(re.findall(r"`[^`\n]*?(--[a-z][a-z-]+)", (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")))
    assert len(named) > 10
    assert named - known == set()
