"""Rule files -> Rules.

Result: one `Rule` per entry. A malformed file stops the run with the file and the entry that is wrong. The file format
is described in `rules/README.md` and `rules/schema.json`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import tomli

from cudamigrate import bounded_files
from cudamigrate.errors import RuleError
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import (
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

_LARGEST = 16 << 20
"""Bytes of a rule file at most."""
_MOST = 10_000
"""Files and folders in a folder of rules at most."""
RENAME_TABLES = ("calls", "types", "constants", "macros")
"""Tables of plain renames; which one a row is in says what kind of thing the name is."""
FILE_KEYS = {
    "library", "group", "languages", "target", "checked", "headers", "namespaces", "same", "rule", *RENAME_TABLES
}  # fmt: skip
RULE_KEYS = {
    "name", "names", "family", "listed", "header", "detector", "options", "packages", "languages", "title", "support",
    "outcome", "rename", "template", "rewrite", "safety", "effort", "message", "notes", "since", "rocm", "cuda", "arch",
    "includes", "example", "formerly", "silent", "compiler", "tree", "ignored", "once", "undeclared", "null", "hints",
}  # fmt: skip
_GROUP_OF = {"api": "api", "build": "build", "python": "python", "environment": "environment"}
"""The group of a shipped file without a `group` key, by its folder; elsewhere the file's name says it."""
_KIND_WORDS = {"calls": "function", "types": "type", "constants": "constant", "macros": "macro"}


def rule_files(folder: Path) -> list[Path]:
    """Rule files of a folder for CUDA code, in a fixed order."""
    return sorted(path for sub in ("api", "hazards") for path in (folder / sub).glob("*.toml"))


def project_files(folder: Path) -> list[Path]:
    """Rule files of a folder for what is in build, package and environment files, in a fixed order."""
    subs = ("build", "python", "environment")
    return sorted([*(path for sub in subs for path in (folder / sub).glob("*.toml")), *folder.glob("packages.toml")])


def own_files(extra: Iterable[Path]) -> list[tuple[Path, str]]:
    """The files among a user's rule files and folders, each with the folder name that `read` takes."""
    return [(path, "") for given in extra for path in (_in_folder(given) if given.is_dir() else [given])]


def _in_folder(folder: Path) -> list[Path]:
    """The rule files of a folder; one that holds very many files is no folder of rules."""
    found, seen = [], 0
    for place, _, names in os.walk(folder):
        seen += 1 + len(names)
        if seen > _MOST:
            raise RuleError(f"{folder}: more than {_MOST:,} files; name a folder of rules")
        found += [Path(place, name) for name in names if name.endswith(".toml")]
    return sorted(found)


def read(path: Path, target: Target, folder: str) -> Iterator[Rule]:
    """Rules of one file, for the target.

    `folder` is the shipped folder that the file is in; empty for a user's file, whose group is its `group` key,
    else its name where that is a group, else `api`.
    """
    table = _parsed(path)
    if unknown := set(table) - FILE_KEYS:
        raise RuleError(f"{path}: unknown key {min(unknown)!r}; known: {', '.join(sorted(FILE_KEYS))}")
    if not folder:
        from cudamigrate.rulebase import shapes  # the shipped files are right, and read in every run

        shapes.check(path, table)
    group = str(table.get("group") or _GROUP_OF.get(folder, path.stem))
    if not folder and "group" not in table and group not in GROUPS:
        group = "api"
    if group not in GROUPS:
        raise RuleError(f"{path}: the group {group!r} must be one of: {', '.join(GROUPS)}")
    library = str(table.get("library", ""))
    for rule in _rows(path, table, library):
        yield _bounded(rule, target)
    for entry in table.get("rule", []):
        if _applies(path, entry, target):
            entry = {"languages": table["languages"], **entry} if "languages" in table else entry
            yield _bounded(_long_form(path, entry, group, library), target)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomli.loads(bounded_files.regular(path, _LARGEST).decode("utf-8"))
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RuleError(f"{path} is not a rules file: it is not UTF-8 text") from None
    except tomli.TOMLDecodeError as error:
        raise RuleError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise RuleError(f"{path}: nests deeper than can be read") from None


@dataclass(frozen=True, slots=True)
class _Table:
    """What all one-line rows of a file share: the library that the names are of, what they become, and the file."""

    library: str
    goal: str
    origin: str

    def rule(self, name: str, kind: str, match: Match, change: Change, message: str, since: str = "") -> Rule:
        """The rule of a row; a name that nothing is done about is right as it is."""
        right = change.kind == "none"
        return Rule(
            id=f"api/{name}",
            title=f"{self.library} {kind}",
            match=match,
            support="full",
            outcome="fine" if right else "compile-error",
            change=change,
            safety="safe",
            effort="none",
            message=message,
            since=since,
            library=self.library,
            origin=self.origin,
            silent=right,
        )


def _rows(path: Path, table: Mapping[str, Any], library: str) -> Iterator[Rule]:
    shared = _Table(library, str(table.get("target", "HIP")), path.name)
    for kind in RENAME_TABLES:
        for name, value in table.get(kind, {}).items():
            yield _renamed(shared, name, _row(path, name, value), _KIND_WORDS[kind], "name")
    for name, value in table.get("namespaces", {}).items():
        yield _renamed(shared, name, _row(path, name, value), "namespace", "namespace")
    for name, value in table.get("headers", {}).items():
        yield _header(shared, name, _row(path, name, value))
    same = table.get("same", {})
    later = same.get("since", {})
    if unknown := set(later) - set(same.get("names", [])):
        raise RuleError(f"{path}: {min(unknown)} has a release in `same.since` and is not in `same.names`")
    for name in same.get("names", []):
        message = f"`{name}` is spelled alike in {shared.goal}."
        yield shared.rule(name, "name", Match("name", (name,)), Change("none"), message, later.get(name, ""))


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


def _renamed(table: _Table, name: str, row: tuple[tuple[str, ...], str], kind: str, match: MatchKind) -> Rule:
    if not row[0]:
        raise RuleError(f"{table.origin}: {name}: the new name must not be empty")
    (new, *_), since = row
    message = f"`{name}` is `{new}` in {table.goal}."
    return table.rule(name, kind, Match(match, (name,)), Change("rename", (new,)), message, since)


def _header(table: _Table, name: str, row: tuple[tuple[str, ...], str]) -> Rule:
    new, since = row
    what = " and ".join(f"`<{line}>`" for line in new)
    message = f"`<{name}>` becomes {what}." if new else f"`<{name}>` is not needed with {table.goal}."
    return table.rule(name, "header", Match("include", (name,)), Change("include", new), message, since)


_SAID = {
    "CUDA cooperative groups": ("cooperative",),
    "CUDA warp matrix functions": ("wmma",),
    "cuBLASLt": ("lt",),
    "libNVVM": ("nvvm",),
    "libcu++": ("libcudacxx",),
}
"""Words of rules' names that say the library, beside its own."""
_SPELLED = {
    "cpp": "C++", "cuda": "CUDA", "ecc": "ECC", "egl": "EGL", "gpu": "GPU", "gpus": "GPUs", "ipc": "IPC", "l2": "L2",
    "lto": "LTO", "mig": "MIG", "mpi": "MPI", "nvlink": "NVLink", "numa": "NUMA", "opengl": "OpenGL", "pci": "PCI",
    "ptx": "PTX", "sm": "SM", "spmv": "SpMV", "tma": "TMA", "vulkan": "Vulkan",
}  # fmt: skip
"""Words that are not written as rules' names write them."""


def _title(library: str, label: str) -> str:
    """What a rule is called that has no title: its library, and the words of its name that the library has not."""
    words = label.split("-") if label.islower() else [label]
    said = {*library.lower().split(), library.lower().removeprefix("cu"), *_SAID.get(library, ())}
    words = [word for word in words if word not in said]
    while words and words[-1] in ("of", "the", "with"):  # what they are followed by is in the name of the library
        words.pop()
    if words[-2:-1] == ["without"]:
        words = [*words[:-2], "names without an equivalent"]
    return f"{library} {' '.join(_SPELLED.get(word, word) for word in words)}".strip()


def _long_form(path: Path, entry: Mapping[str, Any], group: str, library: str) -> Rule:
    label = entry.get("name") or ", ".join(entry.get("names", [])[:1]) or "?"
    where = f"{path}: rule {label}"
    if unknown := set(entry) - RULE_KEYS:
        raise RuleError(f"{where}: unknown key {min(unknown)!r}; known: {', '.join(sorted(RULE_KEYS))}")
    if "message" not in entry or not (entry.get("name") or entry.get("names")):
        raise RuleError(f"{where}: a rule needs `name` (or `names`) and `message`")
    change = _change(where, entry)
    support = _word(where, entry, "support", SUPPORTS, "full" if change.kind != "none" else "manual")
    return Rule(
        id=f"{group}/{label}",
        title=str(entry.get("title", "") or _title(library, label)),
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
        arch=_strings(where, entry, "arch"),
        listed=_list(where, path, entry),
        silent=entry.get("silent") is True,
        ignored=_strings(where, entry, "ignored"),
        once=entry.get("once") is True,
        undeclared=_strings(where, entry, "undeclared"),
        null=int(entry.get("null", 0)),
        hints=_hints(where, entry),
        origin=path.name,
    )


def _hints(where: str, entry: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a rule says of single names, in the order of the file. Raises RuleError."""
    hints = entry.get("hints", {})
    if not isinstance(hints, dict) or not all(isinstance(text, str) for text in hints.values()):
        raise RuleError(f"{where}: `hints` is a table of names, each with a text")
    if bool(hints) != ("{hint}" in entry["message"]):
        raise RuleError(f"{where}: `hints` go with `{{hint}}` in the message")
    return tuple(hints.items())


def _match(where: str, entry: Mapping[str, Any], group: str) -> Match:
    languages = _strings(where, entry, "languages")
    for key, kind in (("options", "option"), ("packages", "package")):
        if key in entry:
            return Match(cast(MatchKind, kind), _strings(where, entry, key), languages)
    for kind in ("compiler", "tree"):
        if entry.get(kind) is True:
            return Match(cast(MatchKind, kind), (), languages)
    if "detector" in entry:
        return Match("detector", (str(entry["detector"]),), languages)
    if "header" in entry:
        return Match("include", _strings(where, entry, "header"))
    if "family" in entry:
        return Match("family", _strings(where, entry, "family"), languages)
    names = _strings(where, entry, "names") or ((str(entry["name"]),) if group == "api" else ())
    if not names:
        known = "`names`, `family`, `header`, `options`, `packages`, `detector`, `compiler` or `tree`"
        raise RuleError(f"{where}: say what it matches: {known}")
    return Match("name", names, languages)


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
        raise RuleError(f"{where}: only one of `rename`, `template` and `rewrite` may be in a rule")
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
    if set(item) - {"before", "finds", "after", "path", "wave"} or "before" not in item or "finds" not in item:
        raise RuleError(f"{where}: an example has `before`, `finds` and, where it changes, `after`")
    after = item.get("after")
    path = str(item.get("path", ""))
    given = None if after is None else str(after)
    return Example(str(item["before"]), tuple(item["finds"]), given, path, str(item.get("wave", "")))


def _applies(path: Path, entry: Mapping[str, Any], target: Target) -> bool:
    """Whether a rule bound to releases (`rocm = ">=7.13"`, `cuda = "<13.0"`) or to GPUs is for the target."""
    aims = {"rocm": target.rocm, "cuda": target.cuda}
    return _aimed(path, entry, target) and all(_within(path, entry, key, aim) for key, aim in aims.items())


def _aimed(path: Path, entry: Mapping[str, Any], target: Target) -> bool:
    """Whether one of the GPUs of `arch = ["gfx94*", "gfx950"]` is aimed at, and none of those with a `!` before it."""
    where = f"{path}: rule {entry.get('name')}"
    wanted: list[tuple[str, bool]] = []
    unwanted: list[tuple[str, bool]] = []
    for pattern in _strings(where, entry, "arch"):
        parts = re.fullmatch(r"(!?)(gfx[0-9a-f]+)(\*?)", pattern)
        if parts is None:
            raise RuleError(f"{where}: `arch` is {pattern!r}; write `gfx942`, `gfx94*` or `!gfx94*`")
        (unwanted if parts[1] else wanted).append((parts[2], bool(parts[3])))
    among = [any(_fits(arch, one) for arch in target.arch) for one in wanted]
    return (not among or any(among)) and not any(_fits(arch, one) for arch in target.arch for one in unwanted)


def _fits(arch: str, pattern: tuple[str, bool]) -> bool:
    name, begins = pattern
    return arch.startswith(name) if begins else arch == name


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
    """`rule` as it is for the target: an equivalent that is newer than the target is never written."""
    if not rule.since or not re.match(r"\d", rule.since) or release(rule.since) <= release(target.rocm):
        return rule
    message = f"{rule.message} It exists from ROCm {rule.since} on; the target is ROCm {target.rocm}."
    outcome = "compile-error" if rule.silent else rule.outcome  # a name that is spelled alike is missing till then
    return replace(
        rule, change=Change("none"), support="manual", outcome=outcome, effort="small", message=message, silent=False
    )
