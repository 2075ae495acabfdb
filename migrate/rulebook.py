"""Rule files -> Rulebook.

Comes in: the shipped `rules/` folder, any rule files the configuration names, and the target ROCm release.
Goes out: a `Rulebook`, indexed by name, namespace, include and detector. A malformed file stops the run with the
file and the entry that is wrong. The file format is described in `rules/README.md` and `rules/schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import tomli

from migrate.errors import RuleError
from migrate.model import (
    EFFORTS,
    GROUPS,
    OUTCOMES,
    SAFETIES,
    SUPPORTS,
    Change,
    ChangeKind,
    Example,
    Match,
    MatchKind,
    Rule,
    Target,
    release,
)

RENAME_TABLES = ("calls", "types", "constants", "macros")
"""Tables of plain renames; which one a row stands in says what kind of thing the name is."""
FILE_KEYS = {"library", "group", "target", "checked", "headers", "namespaces", "same", "rule", *RENAME_TABLES}
RULE_KEYS = {
    "name", "names", "family", "listed", "header", "detector", "title", "support", "outcome", "rename", "template",
    "rewrite", "safety", "effort", "message", "notes", "since", "rocm", "cuda", "includes", "example", "formerly",
    "silent",
}  # fmt: skip
_KIND_WORDS = {"calls": "function", "types": "type", "constants": "constant", "macros": "macro"}


@dataclass(slots=True)
class Rulebook:
    """Rules by the ways the stages look them up. `qualified` maps a last name component to its full spellings."""

    rules: dict[str, Rule] = field(default_factory=dict)
    names: dict[str, Rule] = field(default_factory=dict)
    qualified: dict[str, dict[str, Rule]] = field(default_factory=dict)
    namespaces: dict[str, Rule] = field(default_factory=dict)
    includes: dict[str, Rule] = field(default_factory=dict)
    detectors: dict[str, list[Rule]] = field(default_factory=dict)
    families: dict[str, Rule] = field(default_factory=dict)
    wave: str = "logical32"
    _listed: dict[str, frozenset[str]] = field(default_factory=dict)
    _marks: frozenset[bytes] = frozenset()
    _words: frozenset[bytes] = frozenset()
    _prefixes: tuple[bytes, ...] = ()

    def find(self, name: str) -> list[Rule]:
        """Rules for a rule id, a CUDA name, a namespace or a header; empty where nothing is known."""
        hits = [self.rules.get(name), self.names.get(name), self.include(name), self.namespaces.get(name)]
        hits.append(self.qualified.get(name.rpartition("::")[2], {}).get(name))
        family = None if any(hits) else self.family(name)
        if family is not None and family.listed:
            hits.append(family)
        hits.extend(rule for rule in self.rules.values() if name in rule.formerly)
        return list({rule.id: rule for rule in hits if rule is not None}.values())

    def include(self, path: str) -> Rule | None:
        """The rule for an include path: its own, else the one for the longest beginning, which ends in `*`."""
        spellings = (path, *(f"{path[:end]}*" for end in range(len(path), 0, -1)))
        return next((self.includes[name] for name in spellings if name in self.includes), None)

    def family(self, name: str) -> Rule | None:
        """The family rule for a name without a rule of its own, by the longest prefix that lists it.

        A rule without a list takes every name with its prefix that goes on with a capital letter, as CUDA's names do.
        That is how names are found that no CUDA release has.
        """
        for end in range(len(name), 1, -1):
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
            lines = Path(listed).read_text(encoding="utf-8").splitlines()
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

    def marks(self) -> frozenset[bytes]:
        """Identifiers that alone make a C++ file a CUDA file: plain names that are reported when found."""
        if not self._marks:
            self._marks = frozenset(name.encode() for name, rule in self.names.items() if not rule.silent)
        return self._marks

    def add(self, rule: Rule) -> None:
        """Index `rule`; an earlier rule with the same id is replaced. Every rule is added before the first look-up."""
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


def rules_folder() -> Path:
    """The shipped rules: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parent
    for folder in (package / "_rules", package.parent / "rules"):
        if (folder / "api").is_dir():
            return folder
    raise RuleError(f"no rules found beside {package}; reinstall cudamigrate")


def rule_files(folder: Path) -> list[Path]:
    """Rule files of a folder in a fixed order: those of its sub-folders that hold rules of the schema."""
    return sorted(path for sub in ("api", "hazards", "build", "python") for path in (folder / sub).glob("*.toml"))


def load(target: Target, extra: Iterable[Path] = ()) -> Rulebook:
    """Read the shipped rules and then `extra` files or folders; a later rule wins by id.

    Raises RuleError for a file that cannot be read or an entry that is not valid.
    """
    book = Rulebook(wave=target.wave)
    files = [(path, path.parent.name) for path in rule_files(rules_folder())]
    for given in extra:
        files.extend((path, "") for path in (sorted(given.glob("**/*.toml")) if given.is_dir() else [given]))
    for path, folder in files:
        for rule in read(path, target, folder):
            book.add(rule)
    return book


def read(path: Path, target: Target, folder: str) -> Iterator[Rule]:
    """Rules of one file, for the target.

    `folder` is `api`, or a shipped folder whose file names are groups; empty for a user's file, whose group is its
    `group` key, else its name where that is a group, else `api`.
    """
    try:
        table = tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}") from None
    if unknown := set(table) - FILE_KEYS:
        raise RuleError(f"{path}: unknown key {sorted(unknown)[0]!r}; known: {', '.join(sorted(FILE_KEYS))}")
    group = str(table.get("group") or ("api" if folder == "api" else path.stem))
    if not folder and "group" not in table and group not in GROUPS:
        group = "api"
    if group not in GROUPS:
        raise RuleError(f"{path}: the group {group!r} must be one of: {', '.join(GROUPS)}")
    library = str(table.get("library", ""))
    for rule in _rows(path, table, library):
        yield _bounded(rule, target)
    for entry in table.get("rule", []):
        if _applies(path, entry, target):
            yield _bounded(_long_form(path, entry, group, library), target)


def _rows(path: Path, table: Mapping[str, Any], library: str) -> Iterator[Rule]:
    origin, goal = path.name, str(table.get("target", "HIP"))
    for kind in RENAME_TABLES:
        for name, value in table.get(kind, {}).items():
            new, since = _row(path, name, value)
            yield _renamed(name, new[0], since, library, goal, _KIND_WORDS[kind], origin, "name")
    for name, value in table.get("namespaces", {}).items():
        new, since = _row(path, name, value)
        yield _renamed(name, new[0], since, library, goal, "namespace", origin, "namespace")
    for name, value in table.get("headers", {}).items():
        new, since = _row(path, name, value)
        yield _header(name, new, since, library, goal, origin)
    for name in table.get("same", {}).get("names", []):
        yield _same(name, library, goal, origin)


def _row(path: Path, name: str, value: Any) -> tuple[tuple[str, ...], str]:
    """The new spellings of a one-line row and the ROCm release they need."""
    since = ""
    if isinstance(value, dict):
        if set(value) - {"to", "since"} or "to" not in value:
            raise RuleError(f"{path}: {name}: a table row has the keys `to` and `since`")
        value, since = value["to"], str(value.get("since", ""))
    if isinstance(value, str):
        return ((value,) if value else ()), since
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return tuple(value), since
    raise RuleError(f"{path}: {name}: the new name must be a string, a list of strings or a table with `to`")


def _renamed(
    name: str, new: str, since: str, library: str, goal: str, kind: str, origin: str, match: MatchKind
) -> Rule:
    return Rule(
        id=f"api/{name}",
        title=f"{library} {kind}",
        match=Match(match, (name,)),
        support="full",
        outcome="compile-error",
        change=Change("rename", (new,)),
        safety="safe",
        effort="none",
        message=f"`{name}` is `{new}` in {goal}.",
        since=since,
        library=library,
        origin=origin,
    )


def _header(name: str, new: tuple[str, ...], since: str, library: str, goal: str, origin: str) -> Rule:
    what = " and ".join(f"`<{line}>`" for line in new)
    message = f"`<{name}>` becomes {what}." if new else f"`<{name}>` is not needed with {goal}."
    return Rule(
        id=f"api/{name}",
        title=f"{library} header",
        match=Match("include", (name,)),
        support="full",
        outcome="compile-error",
        change=Change("include", new),
        safety="safe",
        effort="none",
        message=message,
        since=since,
        library=library,
        origin=origin,
    )


def _same(name: str, library: str, goal: str, origin: str) -> Rule:
    return Rule(
        id=f"api/{name}",
        title=f"{library} name",
        match=Match("name", (name,)),
        support="full",
        outcome="fine",
        change=Change("none"),
        safety="safe",
        effort="none",
        message=f"`{name}` is spelled alike in {goal}.",
        library=library,
        origin=origin,
        silent=True,
    )


def _long_form(path: Path, entry: Mapping[str, Any], group: str, library: str) -> Rule:
    label = entry.get("name") or ", ".join(entry.get("names", [])[:1]) or "?"
    where = f"{path}: rule {label}"
    if unknown := set(entry) - RULE_KEYS:
        raise RuleError(f"{where}: unknown key {sorted(unknown)[0]!r}; known: {', '.join(sorted(RULE_KEYS))}")
    if "message" not in entry or not (entry.get("name") or entry.get("names")):
        raise RuleError(f"{where}: a rule needs `name` (or `names`) and `message`")
    change = _change(where, entry)
    support = _word(where, entry, "support", SUPPORTS, "full" if change.kind != "none" else "manual")
    return Rule(
        id=f"{group}/{label}",
        title=str(entry.get("title", f"{library} {label}".strip())),
        match=_match(where, entry, group),
        support=cast(Any, support),
        outcome=cast(Any, _word(where, entry, "outcome", OUTCOMES, "compile-error")),
        change=change,
        safety=cast(Any, _word(where, entry, "safety", SAFETIES, "safe")),
        effort=cast(Any, _word(where, entry, "effort", EFFORTS, "none" if support == "full" else "small")),
        message=str(entry["message"]).strip(),
        notes=str(entry.get("notes", "")).strip(),
        since=str(entry.get("since", "")),
        includes=_strings(where, entry, "includes"),
        library=library,
        examples=tuple(_example(where, item) for item in entry.get("example", [])),
        formerly=_strings(where, entry, "formerly"),
        listed=_list(where, path, entry),
        silent=entry.get("silent") is True,
        origin=path.name,
    )


def _match(where: str, entry: Mapping[str, Any], group: str) -> Match:
    if "detector" in entry:
        return Match("detector", (str(entry["detector"]),))
    if "header" in entry:
        return Match("include", _strings(where, entry, "header"))
    if "family" in entry:
        return Match("family", _strings(where, entry, "family"))
    names = _strings(where, entry, "names") or ((str(entry["name"]),) if group == "api" else ())
    if not names:
        raise RuleError(f"{where}: say what it matches: `names`, `family`, `header` or `detector`")
    return Match("name", names)


def _list(where: str, path: Path, entry: Mapping[str, Any]) -> str:
    """Absolute path of the list of a family's names."""
    if "listed" not in entry:
        return ""
    file = path.parent / str(entry["listed"])
    if "family" not in entry or not file.is_file():
        raise RuleError(f"{where}: `listed` names a text file beside the rule file, and needs `family`; got {file}")
    return str(file)


def _change(where: str, entry: Mapping[str, Any]) -> Change:
    given = [key for key in ("rename", "template", "rewrite") if key in entry]
    if len(given) > 1:
        raise RuleError(f"{where}: only one of `rename`, `template` and `rewrite` may stand in a rule")
    if not given:
        headers = _strings(where, entry, "includes")
        return Change("needs", headers) if headers else Change("none")
    key = given[0]
    if key == "rename" and "header" in entry:
        return Change("include", tuple(text for text in _strings(where, entry, key) if text))
    return Change(cast(ChangeKind, key), _strings(where, entry, key))


def _strings(where: str, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise RuleError(f"{where}: `{key}` must be a string or a list of strings")
    return tuple(values)


def _word(where: str, entry: Mapping[str, Any], key: str, words: tuple[str, ...], default: str) -> str:
    value = entry.get(key, default)
    if value not in words:
        raise RuleError(f"{where}: `{key}` is {value!r}; it must be one of: {', '.join(words)}")
    return str(value)


def _example(where: str, item: Mapping[str, Any]) -> Example:
    if set(item) - {"before", "finds", "after"} or "before" not in item or "finds" not in item:
        raise RuleError(f"{where}: an example has `before`, `finds` and, where it changes, `after`")
    after = item.get("after")
    return Example(str(item["before"]), tuple(item["finds"]), None if after is None else str(after))


def _applies(path: Path, entry: Mapping[str, Any], target: Target) -> bool:
    """Whether a rule bound to releases (`rocm = ">=7.13"`, `cuda = "<13.0"`) is for the target."""
    aims = {"rocm": target.rocm, "cuda": target.cuda}
    return all(_within(path, entry, key, aim) for key, aim in aims.items())


def _within(path: Path, entry: Mapping[str, Any], key: str, aim: str) -> bool:
    for clause in str(entry.get(key, "")).replace(" ", "").split(","):
        if not clause:
            continue
        parts = re.fullmatch(r"(>=|<)(\d+(?:\.\d+)*)", clause)
        if parts is None:
            raise RuleError(f"{path}: rule {entry.get('name')}: `{key}` is {clause!r}; write `>=7.0` or `<7.0`")
        newer = release(aim) >= release(parts[2])
        if newer != (parts[1] == ">="):
            return False
    return True


def _bounded(rule: Rule, target: Target) -> Rule:
    """`rule` as it stands for the target: a counterpart that is newer than the target is never written."""
    if not rule.since or not re.match(r"\d", rule.since) or release(rule.since) <= release(target.rocm):
        return rule
    message = f"{rule.message} It exists from ROCm {rule.since} on; the target is ROCm {target.rocm}."
    return replace(rule, change=Change("none"), support="manual", effort="small", message=message, silent=False)
