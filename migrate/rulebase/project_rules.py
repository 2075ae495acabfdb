"""Rules -> ProjectBook, what the files beside the CUDA code are looked up in: Python, build, packages, environment.

Result: a `ProjectBook`, indexed by language and name, by option, by package and by detector. It is read when the first
such file turns up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Rule, Target, Use
from cudamigrate.shipped_data import rules_folder


@dataclass(slots=True)
class ProjectBook:
    """Rules by the ways build, package and environment files look them up.

    `names` and `families` are by language; `options` and `packages` hold for all.
    """

    rules: dict[str, Rule] = field(default_factory=dict)
    names: dict[str, dict[str, Rule]] = field(default_factory=dict)
    families: dict[str, dict[str, Rule]] = field(default_factory=dict)
    options: dict[str, Rule] = field(default_factory=dict)
    packages: dict[str, Rule] = field(default_factory=dict)
    detectors: dict[str, dict[str, list[Rule]]] = field(default_factory=dict)
    goal: Target = field(default_factory=Target)
    _known: dict[tuple[str, str], Rule | None] = field(default_factory=dict)

    def rule(self, language: str, use: Use) -> Rule | None:
        """The rule for a use in a file of the language, None where nothing is known of it."""
        if use.kind == "option":
            return _longest(self.options, use.name) or _longest(self.options, use.name.partition(" ")[0])
        if use.kind == "package":
            return _longest(self.packages, use.name)
        return self.named(language, use.name)

    def named(self, language: str, name: str) -> Rule | None:
        """The rule for a name: its own, else that of the longest beginning which a family has.

        The same names are in many files, so what they come to is kept.
        """
        if (language, name) not in self._known:
            self._known[language, name] = self._named(language, name)
        return self._known[language, name]

    def _named(self, language: str, name: str) -> Rule | None:
        own = self.names.get(language, {}).get(name)
        if own is not None:
            return own
        families = self.families.get(language, {})
        longest = min(len(name), max(map(len, families), default=0))  # a name may be as long as a file
        return next((families[name[:end]] for end in range(longest, 0, -1) if name[:end] in families), None)

    def find(self, name: str) -> list[Rule]:
        """Rules for a rule id, an option, a package or a name in any language; empty where nothing is known."""
        hits = [self.rules.get(name), _longest(self.options, name), _longest(self.packages, name.lower())]
        hits += [self.named(language, name) for language in {*self.names, *self.families}]
        hits += [rule for rule in self.rules.values() if name in rule.formerly]
        return sorted({rule.id: rule for rule in hits if rule is not None}.values(), key=lambda rule: rule.id)

    def all_names(self) -> list[str]:
        """Every name, option and package that has a rule, for suggestions."""
        return [*self.rules, *self.options, *self.packages, *(name for names in self.names.values() for name in names)]

    def add(self, rule: Rule) -> None:
        """Index `rule`; an earlier rule with the same id is replaced. Every rule is added before the first look-up."""
        self.rules[rule.id] = rule
        kind, languages = rule.match.kind, rule.match.languages
        for name in rule.match.names:
            if kind == "option":
                self.options[name] = rule
            elif kind == "package":
                self.packages[name] = rule
            for language in languages:
                if kind == "detector":
                    listed = self.detectors.setdefault(language, {}).setdefault(name, [])
                    listed[:] = [other for other in listed if other.id != rule.id] + [rule]
                elif kind in ("name", "family"):
                    index = self.families if kind == "family" else self.names
                    index.setdefault(language, {})[name] = rule


def _longest(rules: Mapping[str, Rule], name: str) -> Rule | None:
    """The rule for `name`, else the one for its longest beginning, which ends in `*`."""
    if name in rules:
        return rules[name]
    longest = min(len(name), max(map(len, rules), default=0))
    return next((rules[f"{name[:end]}*"] for end in range(longest, 0, -1) if f"{name[:end]}*" in rules), None)


def load(target: Target, extra: Iterable[Path] = ()) -> ProjectBook:
    """Read the shipped rules and then `extra` files or folders; a later rule wins by id. Raises RuleError."""
    from cudamigrate.rulebase.loader import own_files, project_files, read  # who has the tables does without

    book = ProjectBook(goal=target)
    for path, folder in [*((path, path.parent.name) for path in project_files(rules_folder())), *own_files(extra)]:
        for rule in read(path, target, "" if folder == "rules" else folder):
            if rule.match.languages or rule.match.kind in ("option", "package"):
                book.add(rule)
    return book
