"""The sources that CMake's targets give the host's compiler: named, held by variables, or taken by patterns."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.pipeline.cmake_held_words import HeldWords, is_pattern, matching
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.syntax.cmake import Command

_FOLDER = re.compile(r"\$\{[\w.+-]+\}/")
_GPU = frozenset(("CUDA", "HIP"))
_PLAIN = re.compile(r"(?:cuda_|hip_)?add_(?:executable|library)")
"""A command that gives a target the sources which it names, and no others."""


class Project(Protocol):
    """The CMake files of a tree as they are converted, by path."""

    @property
    def texts(self) -> Mapping[str, bytes]:
        """Their texts."""
        ...

    @property
    def commands(self) -> Mapping[str, Sequence[Command]]:
        """Their commands."""
        ...

    def root(self, path: str) -> str:
        """The file in whose folder the paths of a file are looked up."""
        ...

    def tops(self, path: str) -> dict[str, str]:
        """The folders of the projects around a file, by the variables that CMake has for them."""
        ...

    def around(self, path: str) -> list[str]:
        """The files whose variables a module sees."""
        ...

    def makes(self, command: Command) -> bool:
        """Whether a command makes a target that compiles something."""
        ...

    def sources_elsewhere(self, path: str, target: str) -> Sequence[tuple[str, Command]]:
        """The commands of other files that give sources to the one target of a name, each with its file."""
        ...


def _given(tree: HipReaders, project: Project, path: str) -> dict[str, list[str]]:
    """What the files around a file, and the folders below its own, put into its variables."""
    home, found = posixpath.dirname(path), dict[str, list[str]]()
    for other in project.around(path):
        held = HeldWords(project.root(other), found, project.tops(other), tree.paths.paths)
        for command in project.commands[other]:
            held.follow(command)
        found = held.known
    for other, commands in project.commands.items():
        if other != path and (not home or other.startswith(f"{home}/")) and b"PARENT_SCOPE" in project.texts[other]:
            held = HeldWords(other, {}, project.tops(other), tree.paths.paths)
            for command in commands:
                held.follow(command)
            for name, words in held.given.items():
                found.setdefault(name, []).extend(words)
    return found


class Sources(NamedTuple):
    """By each command of a file that makes a target, the files that the host's compiler gets.

    `partial` are those that may have more: a variable or a function of the project's may give them some.
    """

    files: dict[Span, list[str]]
    partial: frozenset[Span]


def of(tree: HipReaders, project: Project, path: str) -> dict[Span, list[str]]:
    """The sources for the host's compiler of each command that makes a target, by the command."""
    return read(tree, project, path).files


def read(tree: HipReaders, project: Project, path: str) -> Sources:
    """The same, with which of them are all that the targets have."""
    root = project.root(path)
    lists, found, targets = (
        HeldWords(root, _given(tree, project, path), project.tops(root), tree.paths.paths),
        dict[Span, list[str]](),
        dict[str, Span](),
    )
    of_gpu, partial = set[str](), set[Span]()
    for command in project.commands[path]:
        words = command.words()
        if command.name == "set_source_files_properties" and "LANGUAGE" in words and not _GPU.isdisjoint(words):
            at = words.index("PROPERTIES") if "PROPERTIES" in words else 0
            of_gpu.update(_files(tree, root, lists.of(words[:at])))
        elif project.makes(command):
            found[command.span] = list(_files(tree, root, lists.of(words[1:])))
            targets[words[0]] = command.span
            if not (_PLAIN.fullmatch(command.name) and _all_known(tree, root, lists, words[1:])):
                partial.add(command.span)
        elif command.name == "target_sources" and words[:1] and words[0] in targets:
            found[targets[words[0]]] += _files(tree, root, lists.of(words[1:]))
            if not _all_known(tree, root, lists, words[1:]):
                partial.add(targets[words[0]])
        else:
            lists.follow(command)
    for name, span in targets.items():
        for other, command in project.sources_elsewhere(path, name):
            words = HeldWords(other, {}, project.tops(other), tree.paths.paths).of(command.words()[1:])
            found[span] += _files(tree, project.root(other), words)
    files = {span: [one for one in dict.fromkeys(named) if one not in of_gpu] for span, named in found.items()}
    return Sources(files, frozenset(partial))


def _all_known(tree: HipReaders, path: str, lists: HeldWords, words: Sequence[str]) -> bool:
    """Whether words name no source that is not found: by a variable that is not known, or a path that nothing fits."""
    unclear = (one for one in lists.of(words) if "$" in one)
    return lists.knows(words) and all(any(_files(tree, path, [one])) for one in unclear)


def _files(tree: HipReaders, path: str, words: Sequence[str]) -> Iterator[str]:
    """The files of the tree with the ending of a host's source that words name, seen from a CMake file's folder."""
    home = posixpath.dirname(path)
    for word in words:
        if "$" not in word and is_pattern(word):
            whole = posixpath.normpath(posixpath.join("/", home, word))[1:]
            yield from (one for one in matching(tree.paths.paths, whole) if one.endswith(HOST_SOURCES))
        elif not word.endswith(HOST_SOURCES):
            continue
        elif "$" not in word:
            whole = posixpath.normpath(posixpath.join("/", home, word))[1:]
            yield from (whole,) if whole in tree.paths.paths else ()
        elif (match := _FOLDER.match(word)) is not None and not {"$", "*"} & set(last := word[match.end() :]):
            ending = tree.paths.ending(last)
            yield from ending if len(ending) == 1 else ()
