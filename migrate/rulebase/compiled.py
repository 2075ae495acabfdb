"""The rule base as tables that load in a few milliseconds: tuples that `marshal` keeps, made into rules when asked for.

They are made from the rule files once for each version of these, of the code that reads them, and of the target. Those
of the default target are made when a wheel is built; all others are kept in the user's cache folder. Examples are left
out: who proves rules reads the files.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cudamigrate import shipped_data
from cudamigrate.model import Change, Match, Rule, Target
from cudamigrate.shipped_data import rules_folder, stamp

if TYPE_CHECKING:
    from cudamigrate.rulebase.code_rules import Rulebook
    from cudamigrate.rulebase.project_rules import ProjectBook

FORMAT = 5
"""The form of the tables; a change of it makes new ones."""


class Rows:
    """Rules by number, made when first asked for: a file has names of a few among thousands."""

    def __init__(self, rows: Sequence[bytes], folder: str) -> None:
        self._rows, self._folder = rows, folder
        self._made: dict[int, Rule] = {}

    def rule(self, number: int) -> Rule:
        """The rule with a number."""
        made = self._made.get(number)
        if made is None:
            (name, title, match, support, outcome, change, safety, effort, message, notes, since, includes, library,
             formerly, arch, origin, listed, silent, ignored, once,
             undeclared, null, hints) = marshal.loads(self._rows[number])  # fmt: skip
            made = self._made[number] = Rule(
                name, title, Match(*match), support, outcome, Change(*change), safety, effort, message, notes, since,
                includes, library, (), formerly, arch, origin, listed and os.path.join(self._folder, listed), silent,
                ignored, once, undeclared, null, hints,
            )  # fmt: skip
        return made


class Index(Mapping[str, Rule]):
    """Rules by name."""

    def __init__(self, rows: Rows, numbers: Mapping[str, int]) -> None:
        self._rows, self._numbers = rows, numbers

    def __getitem__(self, name: str) -> Rule:
        return self._rows.rule(self._numbers[name])

    def get(self, name: str, default: Any = None) -> Any:
        """The rule of a name; most names that are asked for have none."""
        number = self._numbers.get(name)
        return default if number is None else self._rows.rule(number)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Lists(Mapping[str, Sequence[Rule]]):
    """Lists of rules by name, made when first asked for."""

    def __init__(self, rows: Rows, numbers: Mapping[str, Sequence[int]]) -> None:
        self._rows, self._numbers = rows, numbers

    def __getitem__(self, name: str) -> list[Rule]:
        return [self._rows.rule(number) for number in self._numbers[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def _row(rule: Rule, folder: str) -> tuple[Any, ...]:
    inside = rule.listed.startswith(folder + os.sep)
    listed = os.path.relpath(rule.listed, folder) if inside else rule.listed
    return (
        rule.id, rule.title, (rule.match.kind, rule.match.names, rule.match.languages), rule.support, rule.outcome,
        (rule.change.kind, rule.change.text), rule.safety, rule.effort, rule.message, rule.notes, rule.since,
        rule.includes, rule.library, rule.formerly, rule.arch, rule.origin, listed, rule.silent,
        rule.ignored, rule.once, rule.undeclared, rule.null, rule.hints,
    )  # fmt: skip


class _Writer:
    """Numbers for rules, in the order in which they turn up."""

    def __init__(self) -> None:
        self.folder, self.rows = str(rules_folder()), list[bytes]()
        self._numbers: dict[int, int] = {}

    def number(self, rule: Rule) -> int:
        if id(rule) not in self._numbers:
            self._numbers[id(rule)] = len(self.rows)
            self.rows.append(marshal.dumps(_row(rule, self.folder), shipped_data.MARSHAL))
        return self._numbers[id(rule)]

    def index(self, rules: Mapping[str, Rule]) -> dict[str, int]:
        return {name: self.number(rule) for name, rule in rules.items()}

    def nested(self, tables: Mapping[str, Mapping[str, Rule]]) -> dict[str, dict[str, int]]:
        return {key: self.index(rules) for key, rules in tables.items()}

    def lists(self, tables: Mapping[str, Sequence[Rule]]) -> dict[str, list[int]]:
        return {key: [self.number(rule) for rule in rules] for key, rules in tables.items()}


def pack_code(book: Rulebook, words: Mapping[str, tuple[tuple[bytes, ...], ...]]) -> tuple[Any, ...]:
    """A rule book for code as plain values; `words` are those without which a detector finds nothing."""
    make = _Writer()
    rules = make.index(book.rules)
    flat = [make.index(one) for one in (book.names, book.namespaces, book.includes, book.families)]
    nested, lists = make.nested(book.qualified), make.lists(book.detectors)
    return (tuple(make.rows), rules, *flat, nested, lists, book.words(), book.prefixes(), book.marks(), dict(words))


def unpack_code(packed: tuple[Any, ...], goal: Target, extra: tuple[str, ...]) -> Rulebook:
    """The rule book that was packed."""
    from cudamigrate.rulebase.code_rules import Rulebook  # a file without CUDA's words does without

    rules, names, namespaces, includes, families, nested, lists, words, prefixes, marks, by_detector = packed[1:]
    rows = Rows(packed[0], str(rules_folder()))
    index = [cast("dict[str, Rule]", Index(rows, one)) for one in (rules, names, namespaces, includes, families)]
    qualified = {key: cast("dict[str, Rule]", Index(rows, one)) for key, one in nested.items()}
    detectors = cast("dict[str, list[Rule]]", Lists(rows, lists))
    return Rulebook(
        index[0], index[1], qualified, index[2], index[3], detectors, index[4], goal, extra,
        words_of_detectors=by_detector, _marks=marks, _words=words, _prefixes=prefixes,
    )  # fmt: skip


def pack_project(book: ProjectBook) -> tuple[Any, ...]:
    """A rule book for the build, package and environment files as plain values."""
    make = _Writer()
    flat = [make.index(one) for one in (book.rules, book.options, book.packages)]
    nested = [make.nested(one) for one in (book.names, book.families)]
    return (tuple(make.rows), *flat, *nested, {key: make.lists(one) for key, one in book.detectors.items()})


def unpack_project(packed: tuple[Any, ...], goal: Target) -> ProjectBook:
    """The rule book that was packed."""
    from cudamigrate.rulebase.project_rules import ProjectBook  # code does without

    rows = Rows(packed[0], str(rules_folder()))
    rules, options, packages = (cast("dict[str, Rule]", Index(rows, one)) for one in packed[1:4])
    names, families = (
        {key: cast("dict[str, Rule]", Index(rows, one)) for key, one in table.items()} for table in packed[4:6]
    )
    detectors = {language: cast("dict[str, list[Rule]]", Lists(rows, lists)) for language, lists in packed[6].items()}
    return ProjectBook(rules, names, families, options, packages, detectors, goal)


def kept(kind: str, goal: Target, extra: tuple[str, ...], make: Callable[[], Any]) -> Any:
    """The plain values of a kind for a target and a user's rules: kept, or made now."""
    return shipped_data.kept(kind, key(kind, goal, extra), lambda: _stamp(extra), make)


def key(kind: str, goal: Target, extra: tuple[str, ...] = ()) -> str:
    """What the values of a kind are for."""
    return repr((FORMAT, kind, goal.rocm, goal.cuda, goal.arch, goal.wave, extra))


def _stamp(extra: Sequence[str]) -> str:
    """What the tables are made from: the rule files, the code that reads them and the detectors, by time and size."""
    package = Path(__file__).resolve().parent.parent
    folders = [Path(__file__).parent, package / "model", package / "detectors", package / "frontends"]
    folders += [rules_folder(), *(rules_folder() / sub for sub in ("api", "hazards", "build", "python", "environment"))]
    stamps = []
    for folder in (*map(str, folders), *extra):
        with suppress(OSError):
            names = sorted(os.listdir(folder)) if os.path.isdir(folder) else [""]
            stamps += [stamp(Path(folder, name)) for name in names if not name or name.endswith((".toml", ".py"))]
    if any(os.path.isdir(path) for path in extra):  # folders of rules may hold folders
        below = sorted(path for given in extra for path in Path(given).glob("*/**/*.toml"))
        stamps += [stamp(path) for path in below]
    return "\n".join(stamps)
