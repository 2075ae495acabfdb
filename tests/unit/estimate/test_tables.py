"""The tables that an estimate rests on: in form, every number with a source, every source used and dated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tomli
from jsonschema import Draft202012Validator

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.errors import RuleError
from cudamigrate.estimate import performance
from cudamigrate.estimate.tables import read, table
from cudamigrate.model import EFFORTS, Rule
from cudamigrate.shipped_data import rules_folder

RULES = rules_folder()
NAMES = ("effort", "performance", "gpus", "frameworks", "prices")


def entries(name: str) -> dict[str, Any]:
    return tomli.loads((RULES / f"{name}.toml").read_text(encoding="utf-8"))


def rules() -> dict[str, Rule]:
    goal = pipeline.target(Config())
    return {**pipeline.rules(goal).rules, **pipeline.project_rules(goal).rules}


def tables_in(entry: Any) -> Iterator[dict[str, Any]]:
    if isinstance(entry, dict):
        yield entry
        for inner in entry.values():
            yield from tables_in(inner)
    elif isinstance(entry, list):
        for inner in entry:
            yield from tables_in(inner)


@pytest.mark.parametrize("name", NAMES)
def test_table_follows_its_schema(name: str) -> None:
    schema = json.loads((RULES / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    errors = Draft202012Validator(schema).iter_errors(entries(name))
    assert [f"{'/'.join(map(str, error.path))}: {error.message}" for error in errors] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_number_names_a_source_and_every_source_is_named(name: str) -> None:
    whole = entries(name)
    sources = whole.pop("sources")
    named: set[str] = set()
    for entry in tables_in(whole):
        numbers = {"hours", "days", "value", "points", "percent", "memory"} & set(entry)
        if any(isinstance(entry[key], (int, float, list)) for key in numbers):
            assert "source" in entry, entry
        named |= {entry["source"]} if "source" in entry else set()
        named |= set(entry.get("also", ()))
    assert named == set(sources)


def test_three_points_are_in_order() -> None:
    for entry in tables_in(entries("effort")):
        for key in ("hours", "days"):
            if isinstance(entry.get(key), list):
                assert entry[key] == sorted(entry[key]), entry


def test_more_effort_is_never_less_work() -> None:
    words = entries("effort")["words"]
    for less, more in pairwise(EFFORTS):
        assert all(a <= b for a, b in zip(words[less]["hours"], words[more]["hours"], strict=True))


def test_every_pattern_of_rules_matches_a_rule() -> None:
    known = rules()
    patterns = [
        pattern
        for name in ("effort", "performance")
        for e in tables_in(entries(name))
        for pattern in e.get("rules", ())
    ]
    later = {"texture/*"}  # for rules that projects and later releases bring
    assert [p for p in patterns if p not in later and not any(fnmatchcase(rule, p) for rule in known)] == []


def test_no_rule_belongs_to_two_blockers() -> None:
    families = [family["rules"] for family in entries("effort")["blocker"]]
    for rule in rules():
        assert sum(any(fnmatchcase(rule, pattern) for pattern in patterns) for patterns in families) <= 1, rule


def test_every_blocker_has_a_way_around_for_any_use() -> None:
    for family in entries("effort")["blocker"]:
        assert any("shown-by" not in way for way in family["alternative"]), family["name"]


def test_gpu_names_are_plain_and_findings_name_known_ones() -> None:
    names = {entry["name"] for entry in entries("gpus")["gpu"]}
    assert all(performance.plain(name) == name for name in names)
    asked = {gpu for entry in entries("performance")["found"] for gpu in entry.get("gpus", ())}
    assert asked <= names


def test_every_pair_is_of_a_workload_and_of_percents_in_order() -> None:
    for entry in entries("performance")["pair"]:
        assert entry["workload"] in performance.WORKLOADS
        assert entry["percent"] == sorted(entry["percent"])


@pytest.mark.parametrize("kind", ["framework", "library"])
def test_every_row_of_frameworks_says_when_it_was_checked_and_by_what(kind: str) -> None:
    whole = entries("frameworks")
    for row in whole[kind]:
        source = whole["sources"][row["source"]]
        assert date.fromisoformat(row["checked"]).isoformat() == row["checked"], row["name"]
        assert source["text"].strip(), row["name"]
        assert source["date"] <= row["checked"], f"{row['name']}: the source is younger than the day it was read"
    assert whole["checked"] == min(row["checked"] for row in whole["framework"] + whole["library"])


def test_each_library_has_a_source_of_its_own() -> None:
    """One page that lists many is no evidence of one of them, nor of how far it goes."""
    sources = [row["source"] for row in entries("frameworks")["library"]]
    assert len(sources) == len(set(sources))


def test_frameworks_are_named_once_and_found_by_one_word_each() -> None:
    found: dict[str, str] = {}
    for entry in entries("frameworks")["framework"]:
        for kind in ("packages", "imports", "commands", "libraries", "calls"):
            for word in entry.get(kind, ()):
                assert found.setdefault(f"{kind} {word}", entry["name"]) == entry["name"], word
    assert len({entry["name"] for entry in entries("frameworks")["framework"]}) == len(
        entries("frameworks")["framework"]
    )


def test_a_source_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "effort.toml"
    path.write_text('[sources]\n[ci]\ndays = [1, 2, 3]\nsource = "nobody"\n')
    with pytest.raises(RuleError, match="no source is called 'nobody'"):
        read(path).cost("ci")


def test_a_key_that_is_missing_is_named() -> None:
    with pytest.raises(RuleError, match=r"effort\.toml: ci\.nothing is missing"):
        table("effort").at("ci", "nothing")
