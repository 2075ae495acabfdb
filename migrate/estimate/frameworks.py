"""Clues and findings -> which frameworks a repository uses, and what ROCm has for each.

Result: `FrameworkUse`s with the lines that show them, by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cudamigrate.estimate.survey import Survey, first
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.model import Finding, Rule
from cudamigrate.model.estimate import Evidence, FrameworkUse

SHOWN = 5
"""Places kept of a framework."""
CATEGORY_WORDS = ("import torch", "import jax", "import flax", "import cupy", "import pycuda", "import tensorrt")
"""What categories ask for beside the table."""


def words(table: Table) -> frozenset[str]:
    """Everything that the survey is asked for."""
    found = {word for entry in table.all("framework") for word in _words(entry)}
    return frozenset((*found, *CATEGORY_WORDS))


def telling(table: Table) -> frozenset[str]:
    """The words that show use of a GPU by themselves."""
    found = {"nvidia-package"}
    for entry in table.all("framework"):
        every = set(_words(entry))
        found |= {word for word in every if word.endswith("-gpu")} if entry.get("common") else every
    return frozenset(found)


def _words(entry: Entry) -> Iterable[str]:
    yield from (f"package {name.replace('_', '-')}" for name in entry.get("packages", ()))
    yield from (f"import {name}" for name in entry.get("imports", ()))
    yield from (f"command {name}" for name in entry.get("commands", ()))
    yield from (f"call {name}" for name in entry.get("calls", ()))


def _is_own(word: str, own: frozenset[str]) -> bool:
    """Whether a word is of a package that the repository itself is: it does not use itself, its build names itself."""
    kind, _, name = word.partition(" ")
    return kind in ("import", "package", "command") and name.partition(" ")[0].replace("-", "_") in own


def _library(key: str, rule: Rule) -> str:
    """The library that findings of a rule show."""
    return "CUTLASS" if key == "library/cutlass" else rule.library


def uses(seen: Survey, findings: Iterable[Finding], rules: Mapping[str, Rule], table: Table) -> list[FrameworkUse]:
    """The frameworks that the repository shows, with their first places."""
    entries = table.all("framework")
    asked = {name for entry in entries for name in entry.get("libraries", ())}
    telling = {key: name for key, rule in rules.items() if (name := _library(key, rule)) in asked}
    libraries: dict[str, list[Evidence]] = {}
    # Of most findings only the rule is looked at: where the others are in the file, a large run has on disk.
    mine = (finding for finding in findings if finding.rule in telling)
    for finding in sorted(mine, key=lambda finding: (finding.path, finding.span)):
        kept = libraries.setdefault(telling[finding.rule], [])
        if len(kept) < SHOWN:
            kept.append(Evidence(finding.path, finding.position.line, finding.excerpt))
    found = []
    for entry in entries:
        searched = sorted(word for word in _words(entry) if not _is_own(word, seen.own))
        places = [place for word in searched for place in seen.places(word)]
        places += [place for name in entry.get("libraries", ()) for place in libraries.get(name, ())]
        if places:
            shown = tuple(sorted(set(places), key=first)[:SHOWN])
            found.append(FrameworkUse(entry["name"], entry["status"], entry["advice"], shown, table.source(entry)))
    return sorted(found, key=lambda use: use.name.lower())
