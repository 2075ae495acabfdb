"""Macros that a CMake project defines for other folders alone: what they open, a target elsewhere does not compile.

`add_definitions` holds for the folder of its file and those below. A macro that anything else names, or that code
defines, may be there too.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property

from cudamigrate.cuda.include_paths import is_below
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.pipeline.cmake_project import CmakeProject
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.syntax.cmake import Command

_COMMANDS = ("add_definitions", "add_compile_definitions")
_MACRO = re.compile(r"(?:-D)?([A-Za-z_]\w*)(?:=[\w.]*)?")
_SCOPES = ("function", "macro")
"""Commands of a file whose own commands run in the folder of whoever calls them."""


@dataclass
class OtherDefinitions:
    """What the CMake files of a project define for the folders of some; the `tree` has the code that they build."""

    project: CmakeProject
    tree: HipReaders

    def elsewhere(self, path: str) -> frozenset[bytes]:
        """The macros that the project defines, and not for the targets of the CMake file at `path`."""
        found = self._folders.items()
        return frozenset(name for name, folders in found if not any(is_below(path, one) for one in folders))

    @cached_property
    def _folders(self) -> dict[bytes, list[str]]:
        """The folders that a macro is defined for, where no code, and no other command, names it too."""
        found: dict[bytes, list[str]] = {}
        for name, folder in _defined(self.project):
            found.setdefault(name.encode(), []).append(folder)
        texts = b"\n".join(self.project.texts.values()) if found else b""
        alone = {name for name, folders in found.items() if len(_mentions(name, texts)) == len(folders)}
        for one, result in self.tree.results.items():
            source = self.tree.read(one) if alone and result.language in ("cuda", "cxx") else None
            if source is not None:
                alone = {name for name in alone if name not in source.data or not _sets(name, source.data)}
        return {name: found[name] for name in alone}


def _defined(project: CmakeProject) -> Iterator[tuple[str, str]]:
    """The macros that files define for their folder and those below, each with the folder."""
    for path, commands in project.commands.items():
        plain = posixpath.basename(path) == "CMakeLists.txt" and not any(map(_runs_elsewhere, commands))
        for command in commands if plain else ():
            for word in command.words() if command.name in _COMMANDS else ():
                if match := _MACRO.fullmatch(word):
                    yield match[1], posixpath.dirname(path)


def _runs_elsewhere(command: Command) -> bool:
    """Whether commands of a file may count for other folders than those below: of a function, or a folder beside."""
    beside = command.name == "add_subdirectory" and any(".." in word or "$" in word for word in command.words()[:1])
    return command.name in _SCOPES or beside


def _mentions(name: bytes, text: bytes) -> list[bytes]:
    return re.findall(rb"(?:(?<![\w])|(?<=-D))" + re.escape(name) + rb"(?!\w)", text)


def _sets(name: bytes, data: bytes) -> bool:
    return re.search(rb"#[ \t]*(?:cmake)?define(?:01)?[ \t]+" + re.escape(name) + rb"(?!\w)", data) is not None
