"""Headers that CMake installs one by one: our headers that they include are installed beside them.

`install(FILES a.h b.h DESTINATION include)` and the variables in it name each file. What an installed header includes
from another folder of the tree is nowhere for who uses it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from cudamigrate import edits
from cudamigrate.cuda.include_insertion import OWN_HEADERS, PORTABLE_HEADER
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Edit, Fix, Span
from cudamigrate.syntax import cmake

_OURS = re.compile(b"|".join(re.escape(one.encode()) for one in (*OWN_HEADERS, PORTABLE_HEADER)))
_HERE = re.compile(r"(?:\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/)?([\w.+-][\w.+/-]*)\Z")
_OF_TREE = re.compile(r"\$\{(?:CMAKE|PROJECT|\w+)_SOURCE_DIR\}/([\w.+-][\w.+/-]*)\Z")
"""A file by its path in the folder of the CMake file, or in that of the project."""
_VARIABLE = re.compile(r"\$\{(\w+)\}\Z")
_ENDS = ("DESTINATION", "TYPE", "PERMISSIONS", "CONFIGURATIONS", "COMPONENT", "RENAME", "OPTIONAL", "EXCLUDE_FROM_ALL")
"""What ends the files of the command. Source: CMake's documentation, "install"."""


class Named(NamedTuple):
    """A file in a list of what is installed: its path, and the place of the word that names it."""

    path: str
    place: Span
    word: str


def home(texts: Mapping[str, bytes], using: Set[str]) -> str:
    """The folder of the files in need of our headers that are installed one by one; empty where they are in several."""
    named = (one.path for path, data in texts.items() for one in _installed(path, data))
    folders = {posixpath.dirname(path) for path in named if path in using}
    return folders.pop() if len(folders) == 1 else ""


def with_lists(
    converted: Sequence[Conversion], added: Mapping[str, bytes], texts: Mapping[str, bytes]
) -> tuple[Conversion, ...]:
    """The converted files, where lists of what is installed name the headers of ours that listed ones include.

    `texts` are the CMake files of the tree as they were, by path.
    """
    needed = {one.path: _needed(one, added) for one in converted}
    fixes = {path: fix for path, data in texts.items() if (fix := _fix(path, data, needed)) is not None}
    made = [_with(one, fixes.pop(one.path)) if one.path in fixes else one for one in converted]
    for path, fix in fixes.items():
        blank = Conversion(path, texts[path], texts[path], (), part="build")
        made.append(_with(blank, fix))
    return tuple(made)


def _needed(made: Conversion, added: Mapping[str, bytes]) -> list[str]:
    """The paths of our headers beside a file that it includes, through others too."""
    folder = posixpath.dirname(made.path)
    waiting, found = [made.after], dict[str, None]()
    while waiting:
        for match in _OURS.finditer(waiting.pop()):
            path = posixpath.join(folder, match[0].decode())
            if path in added and path not in found:
                found[path] = None
                waiting.append(added[path])
    return sorted(found)


def _fix(path: str, data: bytes, needed: Mapping[str, Sequence[str]]) -> Fix | None:
    """What names our headers in the lists of one file."""
    if b"install" not in data or not any(needed.values()):
        return None
    listed = list(_installed(path, data))
    there, new = {one.path for one in listed}, list[Edit]()
    for one in listed:
        missing = [header for header in needed.get(one.path, ()) if header not in there]
        there.update(missing)
        words = [one.word[: one.word.rfind("/") + 1] + posixpath.basename(header) for header in missing]
        before = data[: one.place.start]
        line = before[before.rfind(b"\n") + 1 :]
        blank = before[before.rfind(b"\n") :] if not line.strip() else b" "
        text = b"".join(blank + word.encode() for word in words)
        new += [Edit(Span(one.place.end, one.place.end), text)] if words else []
    return Fix(tuple(new), "safe") if new else None


def _with(made: Conversion, fix: Fix) -> Conversion:
    """A file with one more change, which no finding asks for."""
    built = made.as_built
    whole = edits.apply(built.before, (*built.made_by, fix)).data
    after = edits.apply(made.before, (*made.made_by, fix)).data
    own = replace(built, after=whole, fixes=(*built.made_by, fix), built=None, written=())
    return replace(made, after=after, built=own, written=(*made.made_by, fix))


def _installed(path: str, data: bytes) -> Iterator[Named]:
    """The files that the commands of a CMake file install by their names, those in variables that it sets too."""
    commands = cmake.read(data) if b"install" in data else []
    for command in commands:
        words = command.words()
        if command.name == "install" and words[:1] == ["FILES"]:
            end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
            for argument in command.args[1:end]:
                variable = _VARIABLE.match(argument.text)
                held = _held(commands, variable[1]) if variable is not None else [argument]
                yield from (one for each in held for one in _named(path, each))


def _held(commands: Sequence[cmake.Command], name: str) -> Iterator[cmake.Argument]:
    """What a file puts into a variable, word by word."""
    for command in commands:
        words = command.words()
        if command.name == "set" and words[:1] == [name]:
            yield from command.args[1:]
        elif command.name == "list" and words[:2] in (["APPEND", name], ["PREPEND", name]):
            yield from command.args[2:]


def _named(path: str, argument: cmake.Argument) -> Iterator[Named]:
    """The file that a word names, as the path below the folder of the CMake file, or of the tree."""
    word = argument.text
    here, of_tree = _HERE.match(word), _OF_TREE.match(word)
    if here is not None:
        yield Named(posixpath.normpath(posixpath.join(posixpath.dirname(path), here[1])), argument.outer, word)
    elif of_tree is not None:
        yield Named(posixpath.normpath(of_tree[1]), argument.outer, word)
