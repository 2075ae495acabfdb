"""What many files include first, parsed once for all of them: clang's precompiled headers.

A preamble holds foreign headers that a file includes before any code of the tree, so that what a file sees is the same
with it as without. It is not used where the tree defines a macro before, of which those headers speak, and where a
folder of the tree has a header of the same name. Headers keep their order, but for those that may come in any.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Flags, Unit

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"#\s*(\w+)\s*(.*)")
_SPELLED = re.compile(r"([<\"])([^>\"]+)[>\"]")
_CONDITIONS = ("if", "ifdef", "ifndef")
COST = 1.3
"""What making a preamble costs beside one plain parse of its headers, as measured."""
_WORTH = 1.4
"""The fewest parses of a header that a preamble must save: two files with two more headers, or three with one."""
_FEWEST = 2
"""Files that must share a preamble before it is worth making."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The foreign headers that a file includes before any code, and the macros that the tree defines until there."""

    headers: tuple[str, ...]
    macros: frozenset[str]


class _Code(Exception):  # noqa: N818  ends the walk; nothing is wrong
    """Code begins."""


@dataclass(slots=True)
class _Walk:
    """Follows a file's includes to the first line that is neither directive nor comment."""

    tree: IncludeResolver
    folders: dict[str, None]
    given: frozenset[str] = frozenset()
    headers: dict[str, frozenset[str]] = field(default_factory=dict)
    macros: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def file(self, path: str) -> None:
        """Read one file. Raises _Code where its code begins."""
        self.seen.add(path)
        lines = list(_directives(self.tree.read(path).decode("utf-8", "replace")))
        sure = [] if not _is_guarded(lines) else [True]
        for word, rest in lines[len(sure) :]:
            if word in _CONDITIONS:
                sure.append(word == "ifdef" and rest in self.given)
            elif word in ("elif", "else"):
                sure[-1:] = [False]
            elif word == "endif":
                sure[-1:] = []
            elif word in ("define", "undef"):
                self.macros.update(re.findall(r"^\w+", rest))
            elif word == "include":
                self._include(path, rest, not all(sure))
            elif word != "error" and (word, rest) != ("pragma", "once"):
                raise _Code

    def _include(self, path: str, rest: str, conditional: bool) -> None:
        """Follow an include; a foreign header that only some builds include is passed over, with no code before it."""
        spelled = _SPELLED.match(rest)
        if spelled is None:
            raise _Code
        name, quoted = spelled[2], spelled[1] == '"'
        own = self.tree.resolve(path, name, quoted, self.folders)
        if own and conditional:
            raise _Code
        if own and own not in self.seen:
            self.file(own)
        elif not own and conditional:
            return
        elif not own and self.tree.provides(name):
            self.headers.setdefault(name, frozenset(self.macros))
        elif not own and self._exists(path, name):
            raise _Code

    def _exists(self, path: str, name: str) -> bool:
        """Whether the tree may have a file that an include means: one that nobody has brings no code."""
        around = (os.path.join(self.tree.root, os.path.dirname(path)), *self.folders)
        return any(os.path.exists(os.path.join(folder, name)) for folder in around)


def _is_guarded(lines: Sequence[tuple[str, str]]) -> bool:
    """True for a file that begins with `#ifndef NAME` and `#define NAME`."""
    return len(lines) > 1 and lines[0][0] == "ifndef" and lines[1] == ("define", lines[0][1])


def _directives(text: str) -> Iterator[tuple[str, str]]:
    """The directives of a file in order, and `code` where a line is none."""
    for line in _COMMENT.sub(" ", text.replace("\\\n", " ")).splitlines():
        if stripped := line.strip():
            found = _DIRECTIVE.match(stripped)
            yield (found[1], found[2].strip()) if found else ("code", "")


def lead(path: str, tree: IncludeResolver, flags: Flags) -> list[Lead]:
    """What `path` includes first, from nothing but what the compiler itself includes to all of the headers."""
    given = frozenset(macro.partition("=")[0] for macro in flags.defines)
    walk = _Walk(tree, dict.fromkeys(flags.includes), given)
    with suppress(_Code, RecursionError):
        walk.file(path)
    names = list(walk.headers)
    several = [Lead(tuple(names[: at + 1]), walk.headers[name]) for at, name in enumerate(names)]
    return [Lead((), frozenset()), *several]


Group = tuple[Unit, tuple[str, ...]]
"""A unit whose flags a preamble is made with, and its headers."""
Members = dict[Unit, frozenset[str]]
"""Units that begin alike, each with the macros that it defines before."""


@dataclass(slots=True)
class Beginnings:
    """How units begin: for each, the one that stands for its flags, and its leads from nothing to all headers.

    `is_free` says of a header whether it may come in any order with others of which the same is true.
    """

    is_free: Callable[[str], bool]
    leads: dict[Unit, tuple[Unit, list[Lead]]] = field(default_factory=dict)

    def order(self, headers: tuple[str, ...]) -> tuple[str, ...]:
        """A beginning in the one order that stands for all that it may have."""
        return tuple(sorted(headers)) if all(map(self.is_free, headers)) else headers


def beginnings(
    units: Sequence[Unit],
    tree: Callable[[Unit], IncludeResolver],
    is_free: Callable[[str], bool] = lambda name: False,
) -> Beginnings:
    """How the units begin; `tree` is the one that a unit is of."""
    found = Beginnings(is_free)
    plain: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        flags = replace(unit.flags, includes=(), source="", after=())
        first = plain.setdefault(key(unit), replace(unit, path="", overlay="", flags=flags))
        found.leads[unit] = first, lead(unit.path, tree(unit), unit.flags)
    return found


def shared(begun: Beginnings) -> dict[Group, Members]:
    """All beginnings that files have in common and that none of them could continue together, shorter ones first.

    Each group's members are the units that begin so, be it in another order where that may be.
    """
    alike: dict[Group, Members] = {}
    orders: dict[tuple[Unit, tuple[str, ...]], tuple[str, ...]] = {}
    for unit, (first, leads) in begun.leads.items():
        for found in leads:
            headers = orders.setdefault((first, begun.order(found.headers)), found.headers)
            alike.setdefault((first, headers), {})[unit] = found.macros
    ongoing = {
        (first, shorter)
        for (first, headers), members in alike.items()
        if headers and len(members) == len(alike[first, shorter := orders[first, begun.order(headers[:-1])]])
    }
    several = [(group, members) for group, members in alike.items() if len(members) >= _FEWEST]
    kept = [(group, members) for group, members in several if not group[1] or group not in ongoing]
    return dict(sorted(kept, key=lambda item: len(item[0][1])))


def is_worth(members: int, headers: int) -> bool:
    """Whether a preamble pays that brings some members more headers than the one that it builds upon."""
    return (members - COST) * headers >= _WORTH


def below(group: Group, made: Iterable[Group]) -> Group | None:
    """The longest of some beginnings that a group continues."""
    first, headers = group
    fitting = (one for one in made if one[0] == first and set(one[1]) == set(headers[: len(one[1])]) and one != group)
    return max(fitting, key=lambda one: len(one[1]), default=None)


def key(unit: Unit) -> tuple[object, ...]:
    """What two units must have in common to share a preamble."""
    return unit.flags.standard, unit.flags.defines, unit.language, unit.host, unit.arch


def holding(begun: Beginnings, unit: Unit, made: Mapping[Group, Fitting]) -> Group | None:
    """The preamble among those made that holds most of what a unit includes first; None where none is right for it.

    All of its headers are the unit's. A header that the unit includes between them is in it as well, and all of them
    may come in any order, where the preamble has another than the unit.
    """
    first, leads = begun.leads[unit]
    names = leads[-1].headers
    right: list[tuple[int, int, Group]] = []
    for group, one in made.items():
        last = max((names.index(name) for name in group[1]), default=-1) if set(group[1]) <= set(names) else None
        if group[0] != first or last is None:
            continue
        among = names[: last + 1]
        alike = group[1] == among or (all(map(begun.is_free, among)) and all(map(one.holds, among)))
        if alike and one.fits(unit, leads[last + 1].macros):
            right.append((sum(map(one.holds, names)), len(group[1]), group))
    return max(right, key=lambda item: item[:2], default=(0, 0, None))[2]


@dataclass(slots=True)
class Fitting:
    """Whether a preamble is right for a unit: `files` are those that it was made from."""

    files: Sequence[str]
    searched: Sequence[str]
    _held: dict[str, bool] = field(default_factory=dict)
    _folders: dict[str, bool] = field(default_factory=dict)
    _macros: dict[str, bool] = field(default_factory=dict)

    def fits(self, unit: Unit, macros: frozenset[str]) -> bool:
        """True where no folder of the unit hides one of the files, and none of them names one of the macros."""
        return not any(self._hides(folder) for folder in unit.flags.includes) and not self._named(macros)

    def holds(self, name: str) -> bool:
        """Whether one of the files is the header that an include spells so."""
        if name not in self._held:
            places = (*(os.path.join(folder, name) for folder in self.searched), f"/include/{name}")
            self._held[name] = any(os.path.normpath(file).endswith(places) for file in self.files)
        return self._held[name]

    def _hides(self, folder: str) -> bool:
        if folder not in self._folders:
            below = (os.path.relpath(f, base) for f in self.files for base in self.searched if f.startswith(base + "/"))
            self._folders[folder] = any(os.path.exists(os.path.join(folder, name)) for name in below)
        return self._folders[folder]

    def _named(self, macros: frozenset[str]) -> bool:
        new = sorted(macros - self._macros.keys())
        if new:
            pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in new) + rb")\b")
            found: set[bytes] = set()
            for file in self.files:
                with open(file, "rb") as stream:
                    found.update(pattern.findall(stream.read()))
            self._macros.update({name: name.encode() in found for name in new})
        return any(self._macros[name] for name in macros)


def given(units: Sequence[Unit], made: Mapping[Unit, str]) -> list[Unit]:
    """The units, each with its preamble where it has one."""
    return [replace(unit, preamble=made.get(unit, "")) for unit in units]
