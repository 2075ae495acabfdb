"""What many files include first, parsed once for all of them: clang's precompiled headers.

A preamble holds foreign headers that a file includes before any code of the tree, so that what a file sees is the same
with it as without. It is not used where the tree defines a macro before, of which those headers speak, and where a
folder of the tree has a header of the same name. Headers keep their order, but for those that may come in any.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.cuda.conditions import value_with
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Flags, Unit

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"#\s*(\w+)\s*(.*)")
_SPELLED = re.compile(r"([<\"])([^>\"]+)[>\"]")
_CONDITIONS = ("if", "ifdef", "ifndef")
_OF_CUDA = ("__CUDA__", "__CUDACC__")
"""What clang and its own header for CUDA define before all else."""
_NAME = re.compile(r"\b(?!defined\b|linux\b|unix\b)[A-Za-z_]\w*\b(?!\s*\()")
"""What a condition asks for. What a compiler defines itself begins with `_`, but for two names."""
_OF_NVCC = re.compile(r"__(?:NVCC|CUDACC|CUDA_ARCH)")
"""How names begin that nvcc defines, and no compiler for AMD."""
_OF_SYSTEMS = re.compile(r"(?:_WIN(?:32|64)|_MSC_VER|__APPLE__|__MINGW(?:32|64)__|__CYGWIN__)\Z")
"""What compilers define that make code for other systems than Linux."""
_OF_WARNINGS = re.compile(r"once\b|(?:clang|GCC)\s+diagnostic\b|(?:nv_)?diag_\w+|nv_exec_check_disable|warning\b")
"""Pragmas that change nothing but which warnings are shown: `clang diagnostic push`, `nv_diag_suppress 1866`."""
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_NO_CODE = re.compile(rb'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
"""A comment; a literal, which may hold what looks like one, is its group."""
_NO_WORD = bytes(byte if chr(byte).isalnum() or byte in b"_" or byte > 127 else 32 for byte in range(256))
"""What makes a blank of each byte that no name has."""
_OTHERWISE = ("elif", "else")
_OF_HIP = ("__HIP_PLATFORM_AMD__", "__HIP__", "__HIPCC__")
"""What a compiler for HIP defines before it reads anything; the host's compiler is given the first by its options."""
COST = 1.3
"""What making a preamble costs beside one plain parse of its headers, as measured."""
_WORTH = 1.4
"""The fewest parses of a header that a preamble must save: two files with two more headers, or three with one."""
_FEWEST = 2
"""Files that must share a preamble before it is worth making."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The foreign headers that a file includes before any code.

    `macros` are those that the tree defines until there, so that no header may ask for one, and `unset` those that it
    asks for and that are not defined, so that no header may be what defines one.
    """

    headers: tuple[str, ...]
    macros: frozenset[str]
    unset: frozenset[str] = frozenset()


class _Code(Exception):  # noqa: N818  ends the walk; nothing is wrong
    """Code begins."""


@dataclass(slots=True)
class _Walk:
    """Follows a file's includes to the first line that is neither directive nor comment.

    It `is_open` what macros there are behind a header of which it is not known whether it is included. With
    `macros_only` it goes on behind code: who compares what is preprocessed compiles none.
    """

    tree: IncludeResolver
    folders: dict[str, None]
    given: frozenset[str] = frozenset()
    known: frozenset[bytes] = frozenset()
    headers: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    macros: set[str] = field(default_factory=set)
    unset: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    is_open: bool = False
    macros_only: bool = False

    def file(self, path: str) -> None:
        """Read one file. Raises _Code where its code begins."""
        self.seen.add(path)
        lines = list(_directives(self.tree.read(path).decode("utf-8", "replace")))
        chains: list[list[bool | None]] = [[True]] if _is_guarded(lines) else []
        for word, rest in lines[len(chains) :]:
            if word in _CONDITIONS:
                chains.append([self._value(word, rest)])
            elif word in _OTHERWISE and chains:
                chains[-1].append(self._value(word, rest))
            elif word == "endif":
                chains[-1:] = []
            else:
                taken = [_taken(chain) for chain in chains]
                if False not in taken:
                    self._line(path, word, rest, None in taken)

    def _line(self, path: str, word: str, rest: str, conditional: bool) -> None:
        """Take in a line that is compiled, or may be. Raises _Code."""
        if word in ("define", "undef"):
            self.macros.update(re.findall(r"^\w+", rest))
        elif word == "include":
            self._include(path, rest, conditional)
        elif word != "error" and not (word == "pragma" and _OF_WARNINGS.match(rest)) and not self.macros_only:
            raise _Code

    def _value(self, word: str, rest: str) -> bool | None:
        """Whether a condition holds by what the flags give and the compiler defines; None where that does not tell.

        A macro that neither gives, nor the tree until here, is taken for one that is not set: no header that is in a
        preamble may define it.
        """
        if word == "ifdef" and rest in self.given:
            return True
        asked = {"ifdef": f"defined({rest})", "ifndef": f"!defined({rest})", "else": "1"}.get(word, rest)
        known = self.known - {name.encode() for name in self.macros}
        value = value_with(asked.encode(), known, hip=True)
        names = (name for name in _NAME.findall(asked) if not name.startswith("_") or self._is_of_others(name))
        unset = [name for name in names if name not in self.given and name not in self.macros]
        if value is None and unset and not self.is_open:
            value = value_with(asked.encode(), known | {f"!{name}".encode() for name in unset}, hip=True)
            self.unset.update(unset if value is not None else ())
        if value is None and self.macros_only:
            self.unset.update(_NAME.findall(asked))
        return value

    def _is_of_others(self, name: str) -> bool:
        """Whether only other compilers than the one that reads this define a macro, or those of other systems."""
        elsewhere = _OF_SYSTEMS.match(name) is not None and sys.platform == "linux"
        return elsewhere or (b"__HIP__" in self.known and _OF_NVCC.match(name) is not None)

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
            self.is_open = True
        elif not own and self.tree.provides(name):
            self.headers.setdefault(name, (frozenset(self.macros), frozenset(self.unset)))
        elif not own and self._exists(path, name):
            raise _Code

    def _exists(self, path: str, name: str) -> bool:
        """Whether the tree may have a file that an include means: one that nobody has brings no code."""
        around = (os.path.join(self.tree.root, os.path.dirname(path)), *self.folders)
        return any(os.path.exists(os.path.join(folder, name)) for folder in around)


def _taken(chain: Sequence[bool | None]) -> bool | None:
    """Whether the last branch of a chain is compiled, given the values of all its conditions so far."""
    *earlier, own = chain
    if True in earlier or own is False:
        return False
    return None if None in earlier else own


def _is_guarded(lines: Sequence[tuple[str, str]]) -> bool:
    """True for a file that begins with `#ifndef NAME` and `#define NAME`."""
    return len(lines) > 1 and lines[0][0] == "ifndef" and lines[1] == ("define", lines[0][1])


def _directives(text: str) -> Iterator[tuple[str, str]]:
    """The directives of a file in order, and `code` where a line is none."""
    for line in _COMMENT.sub(" ", text.replace("\\\n", " ")).splitlines():
        if stripped := line.strip():
            found = _DIRECTIVE.match(stripped)
            yield (found[1], found[2].strip()) if found else ("code", "")


def lead(
    path: str, tree: IncludeResolver, flags: Flags, own: Iterable[str] = (), macros_only: bool = False
) -> list[Lead]:
    """What `path` includes first, from nothing but what the compiler itself includes to all of the headers.

    `own` are macros that the compiler defines itself, or with `!` before it what nobody defines. With `macros_only` it
    is all that the file includes, also behind code.
    """
    given = frozenset(macro.partition("=")[0] for macro in flags.defines)
    true = (name for name, _, value in (macro.partition("=") for macro in flags.defines) if value in ("", "1"))
    walk = _Walk(tree, dict.fromkeys(flags.includes), given, frozenset(name.encode() for name in (*true, *own)))
    walk.macros_only = macros_only
    with suppress(_Code, RecursionError):
        walk.file(path)
    names = list(walk.headers)
    several = [Lead(tuple(names[: at + 1]), *walk.headers[name]) for at, name in enumerate(names)]
    return [Lead((), frozenset()), *several]


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
    plain: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        if unit.flags.forced:
            continue  # what is included first may change all headers behind it
        flags = replace(unit.flags, includes=(), source="", after=(), forced=())
        first = plain.setdefault(key(unit), replace(unit, path="", overlay="", flags=flags))
        own = _OF_HIP[: 1 if unit.host else None] if unit.language == "hip" else _OF_CUDA
        own = (*own, *(f"!{name}" for name in never or () if name.isidentifier()))
        found.leads[unit] = first, lead(unit.path, tree(unit), unit.flags, own, macros_only=never is not None)
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
    return unit.flags.standard, tuple(sorted(unit.flags.defines)), unit.language, unit.host, unit.arch


def holding(begun: Beginnings, unit: Unit, made: Mapping[Group, Fitting]) -> Group | None:
    """The preamble among those made that holds most of what a unit includes first; None where none is right for it.

    All of its headers are the unit's. A header that the unit includes between them is in it as well, and all of them
    may come in any order, where the preamble has another than the unit.
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
        alike = group[1] == among or (all(map(begun.is_free, among)) and all(map(one.holds, among)))
        if alike and one.fits(unit, leads[last + 1]):
            right.append((sum(map(one.holds, names)), len(group[1]), group))
    return max(right, key=lambda item: item[:2], default=(0, 0, None))[2]


@dataclass(slots=True)
class Fitting:
    """Whether a preamble is right for a unit: `files` are those that it was made from."""

    files: Sequence[str]
    searched: Sequence[str]
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
        return not self._words.isdisjoint(named) or not self._defined.isdisjoint(map(str.encode, begun.unset))


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
