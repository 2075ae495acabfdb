"""Shell scripts that compile -> the options that their commands give the sources they name.

Nothing is run. `cd` to a folder that is written out is followed, and so is a variable with one value that is written
out; what any other variable or a branch decides is not known.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from cudamigrate.compilation.build_settings import UNNAMED
from cudamigrate.compilation.host_sources import is_compiler
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import shell

_WORTH = re.compile(rb"\b(?:nvcc|hipcc|g\+\+|clang\+\+|gcc|clang|NVCC|HIPCC)\b")
_BY_VARIABLE = re.compile(r"\$\{?\w*(?:NVCC|HIPCC)\}?")
"""A compiler for GPUs that whoever runs the script names: `$NVCC`, `${MY_NVCC}`."""
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_UNNAMED = re.compile(r"-D\$")
"""A macro whose name a variable holds: `-D${MODEL}`."""
_SOURCE = re.compile(r"\.(?:cu|hip|cc|cpp|cxx|c\+\+|c|C)\Z")
_LARGEST = 1 << 20
"""Bytes of the largest script that is read."""


@dataclass(frozen=True, slots=True)
class Line:
    """A command that compiles: its options as far as they are written out, and the folder that it is run in.

    `open` are macros whose value a variable holds, UNNAMED where it holds the name. `script` is the path of the script.
    """

    script: str
    folder: str
    options: tuple[str, ...]
    open: frozenset[str] = frozenset()

    @property
    def macros(self) -> dict[str, str]:
        """The macros that the options give, by name: `NAME` or `NAME=VALUE`."""
        found, words = dict[str, str](), list(self.options)
        for at, word in enumerate(words):
            given = words[at + 1] if word == "-D" and at + 1 < len(words) else word[2:] if word.startswith("-D") else ""
            found.update({given.partition("=")[0]: given} if given else {})
        return found


def read(path: str, root: str, data: bytes) -> dict[str, list[Line]]:
    """The commands of a script at the absolute `path`, by the absolute path of a source of the tree that each names."""
    if len(data) > _LARGEST or _WORTH.search(data) is None:
        return {}
    found: dict[str, list[Line]] = {}
    home = os.path.dirname(path)
    here = home
    script = shell.read(data, Span(0, len(data)))
    held = _held(script.assignments)
    for command in script.commands:
        words = [_VARIABLE.sub(lambda one: held.get(one[1] or one[2], one[0]), word.text) for word in command.words]
        if command.name == "cd" and len(words) == 2:
            here = _entered(here, words[1], home)
        elif is_compiler(words[0]) or _BY_VARIABLE.fullmatch(words[0]):
            made = line(os.path.relpath(path, root), here, ["nvcc", *words[1:]] if "$" in words[0] else words)
            for source in sources(words, (here, home, root), root):
                found.setdefault(source, []).append(made)
    return found


def _held(assignments: Sequence[shell.Assignment]) -> dict[str, str]:
    """The variables that have one value, a word that is written out."""
    found: dict[str, set[str]] = {}
    for one in assignments:
        plain = one.value.plain and not one.words and "$" not in one.value.text
        found.setdefault(one.name, set()).add(one.value.text if plain else "$")
    values = {name: given.copy().pop() for name, given in found.items() if len(given) == 1}
    return {name: value for name, value in values.items() if value and " " not in value and value != "$"}


def shared(lines: Sequence[Line]) -> tuple[list[str], list[str]]:
    """The macros that all commands give a source alike, as written, and the names of those that only some give so."""
    given = [line.macros for line in lines]
    names = dict.fromkeys(name for one in given for name in one)
    alike = [name for name in names if len({one.get(name) for one in given}) == 1]
    return [given[0][name] for name in alike], [name for name in names if name not in alike]


def without_macros(options: Iterable[str]) -> list[str]:
    """The options without those that give macros."""
    kept, skip = list[str](), False
    for word in options:
        if not skip and not word.startswith("-D"):
            kept.append(word)
        skip = word == "-D" and not skip
    return kept


def _entered(here: str, folder: str, home: str) -> str:
    """The folder after `cd`; that of the script where it is not known, or not there."""
    whole = os.path.normpath(os.path.join(here, folder))
    return whole if "$" not in folder and os.path.isdir(whole) else home


def line(script: str, folder: str, words: Sequence[str]) -> Line:
    """A command that compiles, given its words, the compiler's name first."""
    options, names = list[str](), set[str]()
    for before, word in zip(("", *words), words, strict=False):
        macro = re.match(r"(?:-D)?([A-Za-z_]\w*)=.*\$", word) if before == "-D" or word.startswith("-D") else None
        names.update((macro[1],) if macro is not None else ())
        if _UNNAMED.match(word if before != "-D" else f"-D{word}"):
            names.add(UNNAMED)
        if "$" in word:
            options = options[:-1] if before == "-D" else options
        else:
            options.append(word)
    return Line(script, folder, tuple(options[1:]), frozenset(names))


def sources(words: Sequence[str], folders: Sequence[str], root: str) -> Iterator[str]:
    """The sources of the tree that words name, each from the first folder that has it; all of a pattern, `*.cu`."""
    for before, word in itertools.pairwise(words):
        if _SOURCE.search(word) and "$" not in word and before != "-o":
            places = (os.path.normpath(os.path.join(folder, word)) for folder in folders)
            inside = (place for place in places if place.startswith(root + os.sep))
            found = ([one for one in _fitting(place) if os.path.isfile(one)] for place in inside)
            yield from next(filter(None, found), ())


def _fitting(place: str) -> list[str]:
    """The files of a folder that a pattern at the end of a path fits; the path itself where it has none."""
    folder, name = os.path.split(place)
    if "*" not in name:
        return [place]
    try:
        return [os.path.join(folder, one) for one in sorted(os.listdir(folder)) if fnmatchcase(one, name)]
    except OSError:
        return []
