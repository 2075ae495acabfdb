"""Rule files are valid, unique and used: the checks that need no source code to be read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli
from jsonschema import Draft202012Validator

from cudamigrate.model import GROUPS, Rule, Target
from cudamigrate.rulebase.loader import RENAME_TABLES, project_files, read, rule_files
from cudamigrate.shipped_data import rules_folder

RULES = rules_folder()
FIXTURES = Path(__file__).parents[2] / "fixtures" / "api"
FILES = [*rule_files(RULES), *project_files(RULES)]
API_FILES = [path for path in FILES if path.parent.name == "api"]
HAZARD_FILES = [path for path in FILES if path.parent.name == "hazards"]
EVERY_RELEASE = (Target(rocm="5.2"), Target(rocm="6.2"), Target(rocm="7.1"), Target())
"""Targets that together see every rule bound to a release."""

CUDA_PREFIX = re.compile(
    r"(?!cudamigrate::)(?:.*::)?(?:cuda|CUDA|cublas|CUBLAS|cufft|CUFFT|curand|CURAND|cusparse|CUSPARSE|CU_|CU[a-z])"
)


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@cache
def _table(path: Path) -> dict[str, Any]:
    return tomli.loads(path.read_text(encoding="utf-8"))


@cache
def _rules(path: Path) -> list[Rule]:
    """Every rule of a file for any release, one of each id."""
    found = (rule for target in EVERY_RELEASE for rule in read(path, target, path.parent.name))
    return list({rule.id: rule for rule in found}.values())


def _renames(path: Path) -> Iterator[tuple[str, str]]:
    """Old and new spelling of each one-line row but headers."""
    for table in (*RENAME_TABLES, "namespaces"):
        for name, value in _table(path).get(table, {}).items():
            yield name, value["to"] if isinstance(value, dict) else value


def _mappings(path: Path) -> Iterator[str]:
    """Every name and header of a file that the tool changes by itself; a family has beginnings of names, no names."""
    for rule in _rules(path):
        if rule.change.kind != "none" and rule.match.kind != "family":
            yield from rule.match.names


def test_the_schema_itself_is_valid() -> None:
    Draft202012Validator.check_schema(json.loads((RULES / "schema.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_file_follows_the_schema(path: Path) -> None:
    schema = json.loads((RULES / "schema.json").read_text(encoding="utf-8"))
    errors = [
        f"{'/'.join(map(str, e.path))}: {e.message}" for e in Draft202012Validator(schema).iter_errors(_table(path))
    ]
    assert errors == []


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_file_says_what_it_was_compared_with(path: Path) -> None:
    if path in API_FILES:
        assert {"library", "target", "checked"} <= set(_table(path))


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_group_is_known(path: Path) -> None:
    assert {rule.group for rule in _rules(path)} <= set(GROUPS)


def test_ids_are_unique_across_files() -> None:
    origins: dict[str, set[str]] = {}
    for path in FILES:
        for rule in _rules(path):
            origins.setdefault(rule.id, set()).add(_name(path))
    assert {rule: files for rule, files in origins.items() if len(files) > 1} == {}


@cache
def _families() -> tuple[tuple[str, Rule, Path], ...]:
    """Every family rule with a list: its file, the rule and the list."""
    return tuple((_name(path), rule, Path(rule.listed)) for path in FILES for rule in _rules(path) if rule.listed)


@cache
def _listed(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


LISTS = sorted((RULES / "api" / "families").glob("*.txt"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_list_is_sorted_and_unique(path: Path) -> None:
    assert _listed(path) == sorted(set(_listed(path))), "one name a line, in the order of sort in the C locale"


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_every_listed_name_has_a_family(path: Path) -> None:
    prefixes = tuple(prefix for _, rule, listed in _families() if listed == path for prefix in rule.match.names)
    assert prefixes, "no rule names this list"
    assert [name for name in _listed(path) if not name.startswith(prefixes)] == []


def test_every_family_answers_something() -> None:
    """By the longest prefix, each family is the answer for one listed name at least."""
    longest: dict[Path, dict[str, str]] = {}
    for _, rule, listed in _families():
        longest.setdefault(listed, {}).update(dict.fromkeys(rule.match.names, rule.id))
    answering = set()
    for listed, prefixes in longest.items():
        for name in _listed(listed):
            answering.add(prefixes[max((p for p in prefixes if name.startswith(p)), key=len)])
    assert {rule.id for _, rule, _ in _families()} - answering == set()


def test_no_listed_name_has_a_rule_of_its_own() -> None:
    own = {name for path in FILES for rule in _rules(path) if rule.match.kind == "name" for name in rule.match.names}
    assert [(path.name, name) for path in LISTS for name in _listed(path) if name in own] == []


def test_no_name_is_in_two_lists() -> None:
    claims = Counter(name for path in LISTS for name in _listed(path))
    assert [name for name, count in claims.items() if count > 1] == []


@pytest.mark.parametrize("target", EVERY_RELEASE, ids=lambda target: str(target.rocm))
def test_no_name_is_claimed_twice(target: Target) -> None:
    claims = Counter(
        (rule.match.kind, language, name)
        for path in FILES
        for rule in {rule.id: rule for rule in read(path, target, path.parent.name)}.values()
        if rule.match.kind != "detector"
        for language in (rule.match.languages if rule.match.kind in ("name", "family") else ()) or ("",)
        for name in rule.match.names
    )
    assert [name for name, count in claims.items() if count > 1] == []


@pytest.mark.parametrize("path", API_FILES, ids=_name)
def test_no_row_maps_a_name_to_itself(path: Path) -> None:
    same = [name for name, new in _renames(path) if name == new]
    headers = [name for name, new in _table(path).get("headers", {}).items() if name == new]
    assert same + headers == []


@pytest.mark.parametrize("path", API_FILES, ids=_name)
def test_no_target_is_a_cuda_name(path: Path) -> None:
    """Names that HIP keeps from CUDA have no row: they are listed under `same`, so no exceptions are needed."""
    assert [(name, new) for name, new in _renames(path) if CUDA_PREFIX.match(new)] == []
    changed = [rule for rule in _rules(path) if rule.change.kind in ("rename", "template")]
    assert [rule.id for rule in changed if any(map(CUDA_PREFIX.match, rule.change.text))] == []


@pytest.mark.parametrize("path", API_FILES, ids=_name)
def test_every_mapping_is_used_by_its_fixture(path: Path) -> None:
    mappings = set(_mappings(path))
    if not mappings:
        return
    before = (FIXTURES / path.stem / "before.cu").read_text(encoding="utf-8")
    words = set(re.findall(r"(?:\w+::)*\w+", before))
    parts = {word.rpartition("::")[0] for word in words}
    included = set(re.findall(r'#include [<"]([^>"]+)[>"]', before))
    assert sorted(mappings - words - parts - included) == []


def test_every_fixture_belongs_to_a_rule_file() -> None:
    assert {folder.name for folder in FIXTURES.iterdir()} <= {path.stem for path in API_FILES}


@pytest.mark.parametrize("path", HAZARD_FILES, ids=_name)
def test_every_hazard_has_a_hit_and_a_miss(path: Path) -> None:
    for rule in _rules(path):
        if rule.match.kind in ("compiler", "tree"):
            continue  # what a compiler or several files say is in no one text: other tests show hit and miss
        assert any(example.finds for example in rule.examples), f"{rule.id}: no example that finds something"
        assert any(not example.finds for example in rule.examples), f"{rule.id}: no example that stays silent"


@pytest.mark.parametrize("path", HAZARD_FILES, ids=_name)
def test_every_hazard_explains_itself(path: Path) -> None:
    for rule in _rules(path):
        assert "Do:" in rule.notes and "Source:" in rule.notes, rule.id
        assert len(rule.message) < 200, rule.id


@pytest.mark.parametrize("path", HAZARD_FILES, ids=_name)
def test_every_hazard_with_a_change_shows_it(path: Path) -> None:
    for rule in _rules(path):
        if rule.change.kind != "none":
            assert any(example.after for example in rule.examples), f"{rule.id}: no example with `after`"
