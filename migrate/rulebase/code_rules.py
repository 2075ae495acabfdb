"""Rules -> Rulebook, what CUDA code is looked up in. `project_rules.py` is that for the build, package and environment
files.

Result: a `Rulebook`, indexed by name, namespace, include and detector.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cudamigrate import bounded_files
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Rule, Target
from cudamigrate.shipped_data import rules_folder

_LONG_NAME = 200
"""Characters from which on a name is taken for what a hostile file holds: not each of its beginnings is looked up."""
_LARGEST_LIST = 16 << 20
"""Bytes of a list of names at most."""


_OF_CUB = "/cub/"
"""What begins the paths of CUB's headers, behind the folder that it is in."""


@dataclass(slots=True)
class Rulebook:
    """Rules by the ways the stages look them up. `qualified` maps a last name component to its full spellings.

    `words_of_detectors` are the words without which a detector finds nothing in a file; one that is not in it, or has
    none, is always asked.
    """

    rules: dict[str, Rule] = field(default_factory=dict)
    names: dict[str, Rule] = field(default_factory=dict)
    qualified: dict[str, dict[str, Rule]] = field(default_factory=dict)
    namespaces: dict[str, Rule] = field(default_factory=dict)
    includes: dict[str, Rule] = field(default_factory=dict)
    detectors: dict[str, list[Rule]] = field(default_factory=dict)
    families: dict[str, Rule] = field(default_factory=dict)
    goal: Target = field(default_factory=Target)
    extra: tuple[str, ...] = ()
    words_of_detectors: Mapping[str, tuple[tuple[bytes, ...], ...]] = field(default_factory=dict)
    _listed: dict[str, frozenset[str]] = field(default_factory=dict)
    _marks: frozenset[bytes] = frozenset()
    _words: frozenset[bytes] = frozenset()
    _prefixes: tuple[bytes, ...] = ()
    _parts: frozenset[bytes] = frozenset()

    @property
    def wave(self) -> str:
        """What becomes of code for warps of 32 lanes."""
        return self.goal.wave

    def find(self, name: str) -> list[Rule]:
        """Rules for a rule id, a CUDA name, a namespace or a header; empty where nothing is known."""
        hits = [self.rules.get(name), self.names.get(name), self.include(name), self.namespaces.get(name)]
        hits.append(self.qualified.get(name.rpartition("::")[2], {}).get(name))
        family = None if any(hits) else self.family(name)
        if family is not None and family.listed:
            hits.append(family)
        hits.extend(rule for rule in self.rules.values() if name in rule.formerly)
        return list({rule.id: rule for rule in hits if rule is not None}.values())

    def counterparts(self) -> dict[str, str]:
        """The names of HIP's that the release aimed at has for names of CUDA's, each with the first that had it."""
        renames = (rule for rule in self.names.values() if rule.change.kind == "rename")
        return {name: rule.since for rule in renames for name in rule.change.text}

    def include(self, path: str) -> Rule | None:
        """The rule for an include path: its own, else the one for the longest beginning, which ends in `*`.

        Of an absolute path counts what is below the folder of headers: `/usr/local/cuda/include/cuda_runtime.h`. CUB is
        headers alone, which projects keep in folders of their own: `cub/cub/cub.cuh`, `../cub-1.8.0/cub/cub.cuh`.
        """
        path = path.rpartition("/include/")[2] if path.startswith("/") else path
        folder, own, tail = path.rpartition(_OF_CUB)
        path = own[1:] + tail if folder and own[1:] + tail in self.includes else path
        spellings = (path, *(f"{path[:end]}*" for end in range(self._longest(path, self.includes), 0, -1)))
        return next((self.includes[name] for name in spellings if name in self.includes), None)

    @staticmethod
    def _longest(name: str, known: Iterable[str]) -> int:
        """How long a beginning of a name is looked up at most."""
        return len(name) if len(name) < _LONG_NAME else min(len(name), max(map(len, known), default=0))

    def family(self, name: str) -> Rule | None:
        """The family rule for a name without a rule of its own, by the longest prefix that lists it.

        A rule without a list takes every name with its prefix that goes on with a capital letter, as CUDA's names do.
        That is how names are found that no CUDA release has.
        """
        for end in range(self._longest(name, self.families), 1, -1):
            rule = self.families.get(name[:end])
            if rule is None:
                continue
            if not rule.listed:
                if name[end : end + 1].isupper():
                    return rule
            elif name in self._names_of(rule.listed):
                return rule
        return None

    def _names_of(self, listed: str) -> frozenset[str]:
        """The names in a family's list, read when the first name with its prefix turns up."""
        if listed not in self._listed:
            lines = bounded_files.regular(Path(listed), _LARGEST_LIST).decode("utf-8", "replace").splitlines()
            self._listed[listed] = frozenset(line for line in lines if line and not line.startswith("#"))
        return self._listed[listed]

    def prefixes(self) -> tuple[bytes, ...]:
        """What the names of families begin with; of two prefixes that begin alike the shorter one is enough."""
        if not self._prefixes:
            shortest: list[str] = []
            for prefix in sorted(prefix for prefix, rule in self.families.items() if not rule.silent):
                if not shortest or not prefix.startswith(shortest[-1]):
                    shortest.append(prefix)
            self._prefixes = tuple(prefix.encode() for prefix in shortest)
        return self._prefixes

    def words(self) -> frozenset[bytes]:
        """Every identifier that can start a look-up, as bytes."""
        if not self._words:
            spaces = (name.rpartition("::")[2] for name in self.namespaces)
            self._words = self.marks().union(word.encode() for word in (*self.qualified, *spaces))
        return self._words

    def parts(self) -> frozenset[bytes]:
        """Every text that is one of `words_of_detectors`."""
        if not self._parts:
            words = self.words_of_detectors.values()
            self._parts = frozenset(part for listed in words for together in listed for part in together)
        return self._parts

    def marks(self) -> frozenset[bytes]:
        """Identifiers that alone make a C++ file a CUDA file: plain names that are reported when found."""
        if not self._marks:
            self._marks = frozenset(name.encode() for name, rule in self.names.items() if not rule.silent)
        return self._marks

    def add(self, rule: Rule) -> None:
        """Index `rule`; an earlier rule with the same id is replaced. Every rule is added before the first look-up."""
        if rule.match.languages or rule.match.kind in ("option", "package"):
            return  # for the build, package and environment files: see `project_rules.py`
        self.rules[rule.id] = rule
        if rule.match.kind == "detector":
            for detector in rule.match.names:
                listed = self.detectors.setdefault(detector, [])
                listed[:] = [other for other in listed if other.id != rule.id] + [rule]
            return
        for name in rule.match.names:
            if rule.match.kind == "family":
                self.families[name] = rule
            elif rule.match.kind == "include":
                self.includes[name] = rule
            elif rule.match.kind == "namespace":
                self.namespaces[name] = rule
            elif "::" in name:
                self.qualified.setdefault(name.rpartition("::")[2], {})[name] = rule
            else:
                self.names[name] = rule


def load(target: Target, extra: Iterable[Path] = ()) -> Rulebook:
    """Read the shipped rules and then `extra` files or folders; a later rule wins by id.

    Raises RuleError for a file that cannot be read or an entry that is not valid.
    """
    from cudamigrate.rulebase.loader import own_files, read, rule_files  # who has the tables does without

    given = tuple(extra)
    book = Rulebook(goal=target, extra=tuple(map(str, given)))
    for path, folder in [*((path, path.parent.name) for path in rule_files(rules_folder())), *own_files(given)]:
        for rule in read(path, target, folder):
            book.add(rule)
    return book
