"""CMake's targets -> the include folders that a source gets through the libraries which its target is linked to.

A library passes on what it has as `PUBLIC` or `INTERFACE`, and what the libraries have that it names so. Targets are
followed by their names through all CMake files of a tree; one that a function of the project's makes is not seen.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from cudamigrate.compilation import cmake_values
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_MAKES = re.compile(r"(?:cuda_|hip_|cc_)?add_(?:library|executable)")
_ENDING = re.compile(r"\.(?:cu|cuh|cc|cpp|cxx|c|hip|h|hpp)\Z")
_HANDED = ("PUBLIC", "INTERFACE", "LINK_PUBLIC", "LINK_INTERFACE_LIBRARIES")
_KEPT = ("PRIVATE", "LINK_PRIVATE")
_BUILT = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>\Z")
_ONCE = "$<LINK_ONLY:"
_MOST = 20_000
"""Words of a list that variables are put together to: they can double without end."""


@dataclass(slots=True)
class Target:
    """What one CMake file says of a target: absolute paths of sources and include folders, names of other targets.

    `handed` and `libraries` are what it passes on to those that are linked to it, `own` and `linked` are for itself.
    Of `own`, `ahead` is searched before the folders of its directory.
    It is `made` where the file has the command that makes it.
    """

    sources: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)
    handed: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    made: bool = False

    def add(self, other: Target) -> None:
        """Take in what another file says of the target."""
        for name in ("sources", "own", "ahead", "handed", "linked", "libraries"):
            getattr(self, name).extend(getattr(other, name))


class Given(NamedTuple):
    """The folders that a source gets by its targets: those before the folders of its directory, and those behind."""

    ahead: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


File = Mapping[str, Target]
"""What one CMake file says of targets, by name."""


def read(commands: Sequence[cmake.Command], folder: str, root: str, places: Mapping[str, str]) -> dict[str, Target]:
    """The targets that the commands of a CMake file in a folder of the tree at `root` speak of, by name.

    `places` are the folders that CMake has variables for.
    """
    values: dict[str, tuple[str, ...]] = {name: (place,) for name, place in places.items()}
    found: dict[str, Target] = {}
    for command in commands:
        given = list(islice(_expanded(command.words(), values), _MOST))
        if command.name == "set" and len(given) > 1:
            values[given[0]] = tuple(takewhile(lambda word: word not in ("CACHE", "PARENT_SCOPE"), given[1:]))
        elif command.name == "list" and given[:1] == ["APPEND"] and len(given) > 2:
            values[given[1]] = (*values.get(given[1], ()), *given[2:])[:_MOST]
        elif command.name == "file" and given[:1] == ["GLOB"] and len(given) > 2:
            values[given[1]] = tuple(_globbed(given[2:], folder, root))
        elif command.name == "aux_source_directory" and len(given) > 1:
            named = [one for one in _globbed([f"{given[0]}/*.*"], folder, root) if _ENDING.search(one)]
            values[given[1]] = (*values.get(given[1], ()), *named)[:_MOST]
        elif len(given) > 1:
            _told(command.name, given, found, folder)
    for name, words in cmake_values.taken_by_default(commands):
        if name == "target_include_directories":
            given = list(_expanded(words, values))
            own, handed = _scoped(given[1:], handed=False)
            target = found.setdefault(given[0], Target()) if given else Target()
            kept = target.ahead if given[1:2] == ["BEFORE"] else target.own
            kept += _folders(own, folder)
            target.handed += _folders(handed, folder)
    return found


def _told(command: str, given: Sequence[str], found: dict[str, Target], folder: str) -> None:
    """Take in what a command says of a target: its sources, and what it is linked to."""
    if _MAKES.fullmatch(command) and given[1] == "ALIAS":
        target = found.setdefault(given[0], Target())
        target.libraries += given[2:3]
        target.made = True
    elif _MAKES.fullmatch(command) or command == "target_sources":
        target = found.setdefault(given[0], Target())
        target.made |= command != "target_sources"
        target.sources += [os.path.normpath(os.path.join(folder, word)) for word in given[1:] if _ENDING.search(word)]
    elif command == "target_link_libraries":
        kept, handed = _scoped(given[1:], handed=True)
        target = found.setdefault(given[0], Target())
        target.linked += [*kept, *handed]
        target.libraries += [word for word in handed if not word.startswith(_ONCE)]


def _scoped(words: Iterable[str], handed: bool) -> tuple[list[str], list[str]]:
    """What a target has for itself, and what it passes on; words before any scope are passed on as said."""
    own: list[str] = []
    given: list[str] = []
    for_itself, hands = True, handed
    for word in words:
        if word in _HANDED or word in _KEPT:
            hands, for_itself = word in _HANDED, "INTERFACE" not in word
        elif word not in ("SYSTEM", "BEFORE", "AFTER"):
            own += [word] if for_itself else []
            given += [word] if hands else []
    return own, given


def _folders(words: Iterable[str], folder: str) -> Iterator[str]:
    for word in words:
        path = os.path.normpath(os.path.join(folder, _BUILT.sub(r"\1", word)))
        if "$" not in path and os.path.isdir(path):
            yield path


def _expanded(words: Iterable[str], values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Words with the variables that are known put in: one that is alone may be a list."""
    single = {name: given[0] for name, given in values.items() if len(given) == 1}
    for word in words:
        alone = re.fullmatch(r"\$\{(\w+)\}", word)
        if alone is not None and alone[1] in values:
            yield from values[alone[1]]
            continue
        yield cmake_values.replaced(word, single)[0]


def _globbed(patterns: Iterable[str], folder: str, root: str) -> Iterator[str]:
    """The files of the tree that patterns of names fit; of folders there are none."""
    for pattern in patterns:
        whole = os.path.normpath(os.path.join(folder, pattern))
        place, name = os.path.split(whole)
        if f"{place}/".startswith(f"{root}/") and os.path.isdir(place):
            yield from (os.path.join(place, one) for one in sorted(fnmatch.filter(os.listdir(place), name)))


def outside(file: File, folder: str) -> list[str]:
    """The sources of the targets that the CMake file in a folder makes which are not below it: `../kernel.cpp`."""
    sources = (source for target in file.values() if target.made for source in target.sources)
    return [source for source in dict.fromkeys(sources) if not source.startswith(folder.rstrip(os.sep) + os.sep)]


def through_links(files: Sequence[File]) -> dict[str, Given]:
    """By the absolute path of a source, the folders that its targets have and get through libraries, in that order.

    Given what each CMake file says. Where several make a target of one name, each has its own, and for others it is not
    known which they are linked to. CMake initialises the list of a target with the folders of its directory, and adds
    the target's own and those of libraries behind them (`INCLUDE_DIRECTORIES` and `include_directories` in its manual).
    """
    made: dict[str, list[tuple[Target, File]]] = {}
    for file in files:
        for name, target in file.items():
            if target.made:
                made.setdefault(name, []).append((target, file))
    known = {name: makers[0] for name, makers in made.items() if len(makers) == 1}
    for file in files:
        for name, target in file.items():
            if not target.made and name in known:
                known[name][0].add(target)
    found: dict[str, Given] = {}
    for file in files:
        for target in file.values():
            folders = (*target.own, *_got(target.linked, file, known)) if target.sources else ()
            for source in target.sources if (folders or target.ahead) and target.made else ():
                ahead, before = found.get(source, Given())
                found[source] = Given((*ahead, *target.ahead), tuple(dict.fromkeys((*before, *folders))))
    return found


def _got(names: Sequence[str], file: File, known: Mapping[str, tuple[Target, File]]) -> Iterator[str]:
    """The folders that libraries named in a file pass on, and those that they name."""
    seen: set[int] = set()
    waiting = [(name, file) for name in reversed(names)]
    while waiting:
        name, by = waiting.pop()
        target, home = (by[name], by) if name in by and by[name].made else known.get(name, (None, by))
        if target is not None and id(target) not in seen:
            seen.add(id(target))
            yield from target.handed
            waiting += [(one, home) for one in reversed(target.libraries)]
