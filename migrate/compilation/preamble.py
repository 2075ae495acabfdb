"""What many files include first, parsed once for all of them: clang's precompiled headers.

A preamble holds foreign headers that a file includes before any code of the tree, or behind code that none of what they
declare is known to, so that what a file sees is the same with it as without. It is not used where the tree defines a
macro before, of which those headers speak, and where a folder of the tree has a header of the same name. Headers keep
their order, but for those that may come in any.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.compilation.leads import Lead, lead, may_define
from cudamigrate.compilation.passed_code import Declared, Passed, meets, together
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Unit

_OF_CUDA = ("__CUDA__", "__CUDACC__")
"""What clang and its own header for CUDA define before all else."""
_OF_HIP = ("__HIP_PLATFORM_AMD__", "__HIP__", "__HIPCC__")
"""What a compiler for HIP defines before it reads anything."""
_NEVER_FOR_HIP = frozenset((b"!__CUDA__", b"!__CUDACC__", b"!__NVCC__", b"!__CUDA_ARCH__"))
"""What neither a compiler for HIP nor the host's own defines."""
_OF_HOST = ("__HIP_PLATFORM_AMD__", "!__HIP__")
"""What the host's own compiler is given by its options, and what it never defines."""
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_NO_CODE = re.compile(rb'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
"""A comment; a literal, which may hold what looks like one, is its group."""
_NO_WORD = bytes(byte if chr(byte).isalnum() or byte in b"_" or byte > 127 else 32 for byte in range(256))
"""What makes a blank of each byte that no name has."""
COST = 1.3
"""What making a preamble costs beside one plain parse of its headers, as measured."""
_WORTH = 1.4
"""The fewest parses of a header that a preamble must save: two files with two more headers, or three with one."""
_FEWEST = 2
"""Files that must share a preamble before it is worth making."""
MANY = 10
"""Files with the same flags from which on headers behind code are looked at: fewer save less than that costs."""
Group = tuple[Unit, tuple[str, ...]]
"""A unit whose flags a preamble is made with, and its headers."""
Members = set[Unit]
"""Units that begin alike."""


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
    never: Iterable[str] | None = None,
) -> Beginnings:
    """How the units begin; `tree` is the one that a unit is of.

    `never` are macros that are not set: where they are given, all counts that a unit includes, for its macros alone.
    """
    found = Beginnings(is_free)
    alike = Counter(map(key, units))
    plain: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        if unit.flags.forced:
            continue  # what is included first may change all headers behind it
        flags = replace(unit.flags, includes=(), source="", after=(), forced=())
        first = plain.setdefault(key(unit), replace(unit, path="", overlay="", flags=flags))
        own = (_OF_HOST if unit.host else _OF_HIP) if unit.language == "hip" else _OF_CUDA
        own = (*own, *(f"!{name}" for name in never or () if name.isidentifier()))
        past = alike[key(unit)] >= MANY
        found.leads[unit] = first, lead(unit.path, tree(unit), unit.flags, own, never is not None, past_code=past)
    return found


@dataclass(frozen=True, slots=True)
class Survey:
    """What foreign headers bring: by file what it declares, by header the files that it reads, others before it or not.

    `begun` are files that the compiler itself reads first. Headers that do not compile are `broken`.
    """

    files: Mapping[str, Declared]
    closures: Mapping[str, frozenset[str]]
    begun: frozenset[str]
    broken: frozenset[str]


def before_code(leads: Sequence[Lead]) -> list[Lead]:
    """The leads that no code comes before."""
    behind = next((at for at, one in enumerate(leads) if one.passed), len(leads))
    return list(leads[:behind])


def unchanged(leads: Sequence[Lead], survey: Survey, is_free: Callable[[str], bool]) -> list[Lead]:
    """The leads to headers that may come before the code that a file has between them.

    No code names what a header behind it declares or defines as a macro, and no such header asks for a macro of the
    tree's or defines one that was taken for not set: a lead's macros are those before the code. A header that may not
    come first is left where it is, and those behind it come before it where both may come in any order.
    """
    kept = before_code(leads)
    first = kept[-1]
    names = list(first.headers)
    known, macros, spaces = set[str](), set[str](), set[str]()
    _learn(survey, survey.begun.union(*(survey.closures.get(name, ()) for name in names)), known, macros, spaces)
    passed = Passed()
    for one in leads[len(kept) :]:
        name = one.headers[-1]
        if name not in survey.closures or (len(names) < len(one.headers) - 1 and not is_free(name)):
            break
        passed = together(passed, one.passed)
        new = survey.closures[name] - known
        declared = [survey.files[file] for file in new if file in survey.files]
        made = macros.union(*(file.macros for file in declared)) if one.unset else ()
        met = name in survey.broken or meets(passed, declared, spaces) or not one.unset.isdisjoint(made)
        if not met and not _ask(new, one.macros):
            names.append(name)
            kept.append(replace(one, headers=tuple(names), macros=first.macros))
            _learn(survey, new, known, macros, spaces)
        elif not is_free(name):
            break
    return kept


def _learn(survey: Survey, new: Iterable[str], known: set[str], macros: set[str], spaces: set[str]) -> None:
    """Take in the files that come next, with their macros and namespaces."""
    known.update(new)
    for file in new:
        if file in survey.files:
            macros.update(survey.files[file].macros)
            spaces.update(survey.files[file].spaces)


def _ask(files: Iterable[str], macros: Iterable[str]) -> bool:
    """Whether files ask for a macro that the tree defines before them."""
    names = _bytes(macros)
    return any(not _words(file).isdisjoint(names) for file in files)


def _bytes(names: Iterable[str]) -> set[bytes]:
    return {name.encode() for name in names}


def shared(begun: Beginnings) -> dict[Group, Members]:
    """All beginnings that files have in common and that none of them could continue together, shorter ones first.

    Each group's members are the units that begin so, be it in another order where that may be.
    """
    alike: dict[Group, Members] = {}
    orders: dict[tuple[Unit, tuple[str, ...]], tuple[str, ...]] = {}
    for unit, (first, leads) in begun.leads.items():
        for found in leads:
            headers = orders.setdefault((first, begun.order(found.headers)), found.headers)
            alike.setdefault((first, headers), set()).add(unit)
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


def base(
    group: Group, made: Mapping[Group, tuple[str, Collection[str]]], is_free: Callable[[str], bool]
) -> Group | None:
    """The beginning that a group is built upon: the one with most files of those that it continues.

    Where its headers may come in any order, it continues each beginning all of whose headers are among them.
    """
    first, headers = group
    free = all(map(is_free, headers))
    fitting = [one for one in made if one[0] == first and set(one[1]) < set(headers)]
    fitting = [one for one in fitting if free or set(one[1]) == set(headers[: len(one[1])])]
    return max(fitting, key=lambda one: (len(made[one][1]), len(one[1])), default=None)


def key(unit: Unit) -> tuple[object, ...]:
    """What two units must have in common to share a preamble."""
    flags = unit.flags
    return flags.standard, tuple(sorted(flags.defines)), flags.language, unit.language, unit.host, unit.arch


def holding(begun: Beginnings, unit: Unit, made: Mapping[Group, Fitting]) -> Group | None:
    """The preamble among those made that holds most of what a unit includes first; None where none is right for it.

    All of its headers are the unit's. All that the unit includes between them may come in any order, where the preamble
    has another than the unit or lacks one of them: that one comes behind it.
    """
    if unit not in begun.leads:
        return None
    first, leads = begun.leads[unit]
    names = leads[-1].headers
    right: list[tuple[int, int, Group]] = []
    for group, one in made.items():
        last = max((names.index(name) for name in group[1]), default=-1) if set(group[1]) <= set(names) else None
        if group[0] != first or last is None:
            continue
        among = names[: last + 1]
        alike = group[1] == among or all(map(begun.is_free, among))
        if alike and one.fits(unit, leads[last + 1]):
            right.append((sum(map(one.holds, names)), len(group[1]), group))
    return max(right, key=lambda item: item[:2], default=(0, 0, None))[2]


@dataclass(slots=True)
class Fitting:
    """Whether a preamble is right for a unit: `files` are those that it was made from, `language` what it is in."""

    files: Sequence[str]
    searched: Sequence[str]
    language: str = ""
    _held: dict[str, bool] = field(default_factory=dict)
    _named: dict[str, list[str]] = field(default_factory=dict)
    _folders: dict[str, bool] = field(default_factory=dict)
    _below: dict[str, list[str]] = field(default_factory=dict)
    """The files as includes spell them, by the folder or name that they begin with: most folders have none of these."""
    _words: set[bytes] = field(default_factory=set)
    _defined: set[bytes] = field(default_factory=set)

    def fits(self, unit: Unit, begun: Lead) -> bool:
        """True where no folder of the unit hides one of the files, and they are what they are for such a beginning."""
        return not any(self._hides(folder) for folder in unit.flags.includes) and not self._differ(begun)

    def holds(self, name: str) -> bool:
        """Whether one of the files is the header that an include spells so."""
        if not self._named:
            for file in map(os.path.normpath, self.files):
                self._named.setdefault(os.path.basename(file), []).append(file)
        if name not in self._held:
            places = (*(os.path.join(folder, name) for folder in self.searched), f"/include/{name}")
            self._held[name] = any(file.endswith(places) for file in self._named.get(os.path.basename(name), ()))
        return self._held[name]

    def _hides(self, folder: str) -> bool:
        if not self._below:
            for base in self.searched:
                for file in self.files:
                    if file.startswith(base + "/"):
                        name = os.path.relpath(file, base)
                        self._below.setdefault(name.partition("/")[0], []).append(name)
        if folder not in self._folders:
            there = (names for top, names in self._below.items() if os.path.exists(os.path.join(folder, top)))
            inside = (os.path.join(folder, name) for names in there for name in names)
            self._folders[folder] = any(map(os.path.exists, inside))
        return self._folders[folder]

    def _differ(self, begun: Lead) -> bool:
        """Whether a file asks for a macro that the tree defines before it, or defines one that is taken for not set."""
        if begun.macros and not self._words:
            self._words = set().union(*map(_words, self.files))
        if begun.unset and not self._defined:
            self._defined = set().union(*map(_defined, self.files))
        named = (name.encode() for name in begun.macros)
        return not self._words.isdisjoint(named) or any(
            name.encode() in self._defined and self._sets(name) for name in begun.unset
        )

    def _sets(self, name: str) -> bool:
        """Whether one of the files may define a macro, by conditions on what no compiler for HIP defines."""
        known = _NEVER_FOR_HIP if self.language == "hip" else frozenset[bytes]()
        files = (file for file in self.files if name.encode() in _defined(file))
        return any(may_define(Path(file).read_bytes(), name, known) for file in files)


@cache
def _defined(file: str) -> frozenset[bytes]:
    """The macros that a header defines."""
    with open(file, "rb") as stream:
        return frozenset(_DEFINE.findall(stream.read()))


@cache
def _words(file: str) -> frozenset[bytes]:
    """All names in the code of a header."""
    with open(file, "rb") as stream:
        return frozenset(_NO_CODE.sub(rb"\1 ", stream.read()).translate(_NO_WORD).split())


def given(units: Sequence[Unit], made: Mapping[Unit, str]) -> list[Unit]:
    """The units, each with its preamble where it has one."""
    return [replace(unit, preamble=made.get(unit, "")) for unit in units]
