"""Code in folders with a vendored name that the project's own builds compile as theirs: it is converted with them.

A folder's name says whose code is in it, and nothing of who compiles it. Where a build file of the project names a
source for CUDA there, AMD's compiler gets that source in this build, with the headers that it includes from beside it.
So it is with a folder that CMake enters and that begins no project: its sources are those of the project around it.
What is built by its own project, or not named, stays other people's.

A repository without any source for CUDA of its own has its GPU code in such folders: all of that is read, but for
projects that its build enters only where an option asks for them that is off by default.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from cudamigrate.analysis import build_choices
from cudamigrate.config import Config
from cudamigrate.cuda.code_files import speaks_cuda
from cudamigrate.cuda.include_paths import IncludePaths, closure, spelled
from cudamigrate.frontends import known_files
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, Inventory, SourceFile
from cudamigrate.pipeline.own_names import BUILDS
from cudamigrate.project import discovery
from cudamigrate.syntax import cmake

_WORD = re.compile(rb"(?:\$[({]\w+[)}]/)?(?P<path>[\w./*+-]+\.cu)\b(?![\w.])")
"""A source for CUDA as a build file names it, behind what may be a variable for the folder of the project."""
_COMMENT = re.compile(rb"(?:^|(?<=\s))#[^\n]*")
_SOURCES = (".cu", ".cuh")
_LISTS = "CMakeLists.txt"
_HOMES = (_LISTS, "Makefile", "makefile", "meson.build", "SConstruct", "pyproject.toml", "setup.py")
"""Build files of a folder."""
_ENTERED = re.compile(rb"(?i)\badd_subdirectory\b")


def added(root: Path, inventory: Inventory, config: Config) -> Inventory:
    """The inventory with the sources for CUDA that its builds name in vendored folders, and what these need there."""
    seen, off = set[str](), set[str]()
    while passed_over := frozenset(inventory.passed_over):
        if not any(path.endswith(".cu") for path in passed_over):
            break
        new = [one for one in inventory.entries if one.language in BUILDS and one.path not in seen]
        seen.update(one.path for one in new)
        builds = [one for entry in new if isinstance(one := discovery.read(root, entry), SourceFile)]
        named = {path for build in builds for path in _named(build, passed_over)}
        entered = {path for build in builds for path in _entered(build, root, passed_over)}
        if not any(one.path.endswith(_SOURCES) for one in inventory.entries):
            off.update(_off(builds))
            every = {path for path in passed_over if path.endswith(_SOURCES) and not path.startswith(tuple(off))}
            named |= every
            entered |= set(_builds(root, every))
        found = _with_headers(root, named, passed_over) | entered - {one.path for one in inventory.entries}
        if not found:
            break
        inventory = discovery.with_own(inventory, found, config, known_files())
    return inventory


def _off(builds: Sequence[SourceFile]) -> Iterator[str]:
    """The folders that files of CMake enter for options alone that are off by default."""
    entered = defaultdict[str, list[bool]](list)
    for build in builds:
        choices = build_choices.of(cmake.read(build.data)) if build.language == "cmake" else None
        if choices is None:
            continue
        for name, asks in choices.named:
            if name.endswith("/"):
                folder = posixpath.normpath(posixpath.join(posixpath.dirname(build.path), name))
                entered[f"{folder}/"].append(not set(choices.off).isdisjoint(asks))
    return (folder for folder, off in entered.items() if all(off))


def _builds(root: Path, paths: Set[str]) -> Iterator[str]:
    """The build files in the folders of some files and in those around them."""
    folders = {posixpath.dirname(path) for path in paths}
    folders |= {str(one) for folder in folders for one in PurePosixPath(folder).parents}
    candidates = (f"{folder}/{name}" for folder in sorted(folders - {".", ""}) for name in _HOMES)
    yield from (path for path in candidates if (root / path).is_file())


def _named(build: SourceFile, passed_over: Set[str]) -> Iterator[str]:
    """The sources in vendored folders that a build file names, by their paths or by a pattern for those of a folder."""
    if b".cu" not in build.data:
        return
    for word in {match["path"].decode() for match in _WORD.finditer(_COMMENT.sub(b"", build.data))}:
        for path in _around(build.path, word):
            if path in passed_over:
                yield path
            elif "*" in path and "*" not in posixpath.dirname(path):
                beside = posixpath.dirname(path)
                fits = (one for one in passed_over if posixpath.dirname(one) == beside and fnmatchcase(one, path))
                yield from fits


def _around(build: str, word: str) -> Iterator[str]:
    """What a path in a build file may be from the root: it counts from the folder of the file or from one around it."""
    folder = posixpath.dirname(build)
    while True:
        yield posixpath.normpath(posixpath.join(folder, word.lstrip("/")))
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _entered(build: SourceFile, root: Path, passed_over: Set[str]) -> Iterator[str]:
    """The code for CUDA, and the build file, of vendored folders that a file of CMake enters and that are no project.

    Code of a folder inside belongs to that folder's own build file, where it has one.
    """
    if build.language != "cmake" or _ENTERED.search(build.data) is None:
        return
    for command in cmake.read(build.data):
        words = command.words() if command.name == "add_subdirectory" else ()
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(build.path), words[0])) if words else ""
        inside = [path for path in passed_over if folder and path.startswith(f"{folder}/")]
        lists = _read(root, f"{folder}/{_LISTS}", "cmake") if inside else None
        if lists is None or any(one.name == "project" for one in cmake.read(lists.data)):
            continue
        own = [path for path in inside if _home(root, path, folder) == folder]
        if any(path.endswith(".cu") for path in own) or len(own) < len(inside):
            yield lists.path
            yield from (path for path in own if (one := _read(root, path, "")) is not None and speaks_cuda(one))


def _home(root: Path, path: str, top: str) -> str:
    """The innermost folder around a file that has a build file of CMake's, up to the folder `top`."""
    folder = posixpath.dirname(path)
    while folder != top and not (root / folder / _LISTS).is_file():
        folder = posixpath.dirname(folder)
    return folder


def _with_headers(root: Path, named: Set[str], passed_over: Set[str]) -> frozenset[str]:
    """Some sources, and the files with code for CUDA that they include from the vendored folder which they are in."""
    if not named:
        return frozenset()
    paths, wanted = IncludePaths(passed_over), {_part(path) for path in named}

    def included(path: str) -> Sequence[str]:
        source = _read(root, path, "")
        names = spelled(source.data) if source is not None else ()
        near = (one for name, *_ in names for one in paths.nearest(path, name))
        return [one for one in near if _part(one) in wanted]

    every = closure(sorted(named), included)
    code = {path for path in every if (one := _read(root, path, "")) is not None and speaks_cuda(one)}
    return frozenset(code)


def _part(path: str) -> str:
    """The folder of one library: the first two of the path, `externals/cusparse`, or what there is."""
    return "/".join(posixpath.dirname(path).split("/")[:2])


def _read(root: Path, path: str, language: str) -> SourceFile | None:
    kind = language or ("cuda" if path.endswith((".cu", ".cuh")) else "cxx")
    source = discovery.read(root, FileEntry(path, kind, 0))
    return source if isinstance(source, SourceFile) else None
