"""Which sources no build for HIP compiles: those that builds name for CUDA alone, and those that no build names.

A build names a source for CUDA alone where a variable that turns CUDA on is needed: around the list that it is in,
around the `add_subdirectory` of its folder, or because the whole file is the one for CUDA beside another for HIP.
"""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from cudamigrate.analysis.port_sides import without_vendors
from cudamigrate.analysis.port_values import side
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BuildNames, BuildSource, FileEvidence

_SOURCE = re.compile(r"\.(?:cu|c|cc|cpp|cxx)$")
_BUILD = re.compile(r"CMakeLists\.txt$|\.[cC][mM]ake$")
_HOME = re.compile(
    r"(?:^|/)(?:CMakeLists\.txt|(?:GNU)?[Mm]akefile(?:\.\w+)?|BUILD(?:\.bazel)?|setup\.py|meson\.build)$|\.mk$"
)
"""The build file of a folder."""
_SEPARATED = bytes(
    byte if chr(byte).isascii() and (chr(byte).isalnum() or byte in b"_-") else 32 for byte in range(256)
)
"""Translates all that is in no name of a file into blanks."""
_TAKING = (b"aux_source_directory", b"listdir", b"walk", b"iterdir")
_ALL = re.compile(rb"\b(?:%s)\b" % b"|".join(_TAKING))
"""What takes all sources of a folder."""
_GLOBS = re.compile(rb"(?<![A-Za-z])(?:GLOB|wildcard|[ir]?glob)(?![A-Za-z])")
"""What looks for names: without it a lone `*` is an ornament. `sum_global.o` looks for nothing."""
_LOOKING = (b"GLOB", b"wildcard", b"glob")
_VARIABLE = re.compile(rb"\$\{[^{}\s]*\}|\$\(\w+\)|\{\w+\}|%s")
"""A part of a name that is not known here: `${name}` of CMake, `$(NAME)` of Make, `{name}` and `%s` of Python."""
_PATTERN = re.compile(rb"[*\x00][\w.*+\x00-]*")
"""The last part of a path from its first pattern or unknown part on: `*.cu`, `*`, of `test_*.c*` what is after `_`."""
_LAST = frozenset(b"*\0ucpx")
"""How a pattern ends that a source fits."""
_BEHIND = frozenset(b" \t\n\r\f\v\"');,]")
_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")
"""What the part of a name before a pattern is made of."""
_COMMENT = re.compile(rb"#(?<!\S#).*")
"""A comment. The lookbehind is after `#`, so that the search begins with a fixed byte."""
_NAMED = 3
"""So many sources of a folder that builds name say that they name what they compile."""


def named_in(build: str, name: str) -> str:
    """The path of a source that a build file names, which counts from its own folder."""
    return posixpath.normpath(str(PurePosixPath(build).parent / name.rpartition("}/")[2]))


def located(build: str, name: str, paths: Container[str]) -> str:
    """The same among the `paths` of a repository: names in a `.cmake` file count from the folder that includes it."""
    path = named_in(build, name)
    if path in paths or not build.lower().endswith(".cmake"):
        return path
    rest = name.rpartition("}/")[2]
    around = (posixpath.normpath(str(one / rest)) for one in PurePosixPath(build).parent.parents)
    return next((one for one in around if one in paths), path)


def by_vendor(evidence: Sequence[FileEvidence]) -> Iterator[FileEvidence]:
    """The evidence, where a build file that sets up CUDA beside a namesake that sets up HIP is CUDA's as a whole."""
    hip = {without_vendors(one.path) for one in evidence if one.build and not one.cuda}
    for one in evidence:
        if not one.cuda or one.build or not _BUILD.search(one.path) or without_vendors(one.path) not in hip:
            yield one
            continue
        yield replace(
            one,
            macros=tuple(replace(macro, cuda=True, sure=True) for macro in one.macros),
            sources=tuple(replace(source, cuda=True) for source in one.sources),
            folders=tuple(replace(folder, cuda=True) for folder in one.folders),
        )


def cuda_only(
    evidence: Sequence[FileEvidence], graph: IncludeGraph, marks: frozenset[bytes], guards: Set[str]
) -> dict[str, str]:
    """Sources that builds name for CUDA alone, with the headers that only those include, and the place that says so.

    So are those that a build takes out of its lists for HIP.

    `marks` are the guards of the port, `guards` macros that only CUDA's side has: a header may pass such a variable of
    the build on.
    """
    passed = {name for one in evidence for name, _, _ in one.configured}
    hip = {name for one in evidence for name in one.switches}
    cuda = ({name for one in evidence for name in one.cuda_switches} | (passed & guards)) - hip
    folders = dict(_folders(evidence, hip, cuda))
    places: dict[str, str] = {}
    elsewhere = set[str]()
    removed: dict[str, str] = {}
    for one in evidence:
        around = _around(one.path, folders)
        for source in sorted(one.sources, key=lambda source: source.line):
            path = located(one.path, source.name, graph.spelled)
            if source.removed:
                if source.hip or not hip.isdisjoint(source.needs):
                    removed[path] = f"{one.path}:{source.line}"
                continue
            if source.hip:
                removed.pop(path, None)  # taken out of one list for another: `list(REMOVE_ITEM all a.cu)`
            if around or _is_for_cuda(source, hip, cuda):
                places.setdefault(path, around or f"{one.path}:{source.line}")
            else:
                elsewhere.add(path)
    places, elsewhere = places | removed, elsewhere - removed.keys()
    for path in graph.spelled if folders else ():
        if _SOURCE.search(path) and (around := _around(path, folders)):
            places.setdefault(path, around)
    found = {path: place for path, place in places.items() if path in graph.spelled and path not in elsewhere}
    return _with_headers(found, elsewhere, graph, _for_cuda(evidence, marks)) if found else found


def replaced(evidence: Sequence[FileEvidence], for_cuda: Set[str]) -> dict[str, str]:
    """For sources `for_cuda` those whose place they take in a list: without them, these do the same work."""
    pairs = (
        (named_in(one.path, source.name), named_in(one.path, source.instead))
        for one in evidence
        for source in one.sources
        if source.instead
    )
    return {path: other for path, other in pairs if path in for_cuda and other not in for_cuda}


def _is_for_cuda(source: BuildSource, hip: Set[str], cuda: Set[str]) -> bool:
    for_cuda = source.cuda or not cuda.isdisjoint(source.needs)
    return for_cuda and not source.hip and hip.isdisjoint(source.needs)


def _folders(evidence: Sequence[FileEvidence], hip: Set[str], cuda: Set[str]) -> Iterator[tuple[str, str]]:
    """The folders that builds enter for CUDA alone, each with the place that says so."""
    entered: dict[str, list[str]] = {}
    for one in evidence:
        for folder in one.folders:
            place = f"{one.path}:{folder.line}" if _is_for_cuda(folder, hip, cuda) else ""
            entered.setdefault(named_in(one.path, folder.name), []).append(place)
    yield from ((path, places[0]) for path, places in entered.items() if all(places))


def _around(build: str, folders: Mapping[str, str]) -> str:
    """The place where builds enter a folder around a build file for CUDA alone, empty where they enter it for all."""
    return next((folders[str(path)] for path in PurePosixPath(build).parents if str(path) in folders), "")


def _for_cuda(evidence: Sequence[FileEvidence], marks: frozenset[bytes]) -> dict[str, frozenset[str]]:
    """For each file the last parts of the includes that it has on CUDA's side alone."""
    found: dict[str, frozenset[str]] = {}
    for one in evidence:
        sides: dict[str, set[bool | None]] = {}
        for name, conditions in one.guarded:
            sides.setdefault(name.rpartition("/")[2], set()).add(side(conditions, marks))
        found[one.path] = frozenset(name for name, each in sides.items() if each == {False})
    return found


def _with_headers(
    found: dict[str, str], elsewhere: Set[str], graph: IncludeGraph, for_cuda: Mapping[str, frozenset[str]]
) -> dict[str, str]:
    """The sources, with the headers that only they include, or CUDA's side of another file.

    A header beside one of these that no file includes is compiled by no build, and no other user of it.
    """
    count = 0
    while count < len(found):  # headers of headers
        count = len(found)
        for path, users in graph.users.items():
            name = path.rpartition("/")[2]
            ours = users & found.keys()
            others = (
                user
                for user in users - ours
                if name not in for_cuda.get(user, ()) and not _is_unused_beside(user, path, graph)
            )
            if ours and path not in found and path not in elsewhere and not any(others):
                found[path] = found[min(ours)]
    return found


def _is_unused_beside(user: str, path: str, graph: IncludeGraph) -> bool:
    """Whether a file is a header in the folder of another one that no file of the repository includes."""
    beside = user.rpartition("/")[0] == path.rpartition("/")[0]
    return beside and not _SOURCE.search(user) and not graph.users.get(user)


def stems(paths: Iterable[str]) -> frozenset[bytes]:
    """What a build may call the sources among some files: their names up to the first dot."""
    return frozenset(_stem(path) for path in paths if _SOURCE.search(path))


def folders(paths: Iterable[str]) -> frozenset[str]:
    """The folders that have sources in them, or below."""
    own = {PurePosixPath(path).parent for path in paths if _SOURCE.search(path)}
    return frozenset(str(one) for folder in own for one in (folder, *folder.parents))


def named(path: str, data: bytes, names: frozenset[bytes], places: Set[str]) -> BuildNames:
    """Which of some names of sources a build file has outside of its comments, and its patterns for more.

    `places` are the folders in which a pattern may find a source.
    """
    words = names.intersection(data.translate(_SEPARATED).split())
    finds = str(PurePosixPath(path).parent) in places
    if b"#" in data and (words or finds):
        data = _COMMENT.sub(b"", data)
        words = names.intersection(data.translate(_SEPARATED).split()) if words else words
    return BuildNames(path, words, frozenset(_patterns(data) if finds else ()))


def unbuilt(builds: Iterable[BuildNames], paths: Sequence[str], evidence: Sequence[FileEvidence]) -> frozenset[str]:
    """Sources that no build names, in folders whose sources builds name one by one; headers that only those include.

    `builds` are the build files with what they name. A pattern in one, as `*.cu` or `${name}.cu`, names what it fits in
    the folder of the file and below.
    """
    graph = IncludeGraph(dict.fromkeys(paths, ()) | {one.path: (*one.includes, *one.unknown) for one in evidence})
    words, patterns, homes = set[bytes](), dict[str, set[str]](), set[str]()
    for build in builds:
        folder = str(PurePosixPath(build.path).parent)
        if _HOME.search(build.path):
            homes.add(folder)
        words.update(build.words)
        if build.patterns:
            patterns.setdefault(folder, set()).update(build.patterns)
    listed: dict[str, list[str]] = {}
    for path in paths:
        if _SOURCE.search(path):
            listed.setdefault(str(PurePosixPath(path).parent), []).append(path)
    found = set[str]()
    for folder, sources in listed.items():
        around = {folder, *(str(one) for one in PurePosixPath(folder).parents)}
        taken = set[str]().union(*(patterns.get(one, ()) for one in around))
        named = {path for path in sources if _is_named(path, words)}
        if len(named) >= _NAMED and 2 * len(named) >= len(sources):
            open_ = (path for path in sources if path not in named and not graph.users.get(path))
            found |= {path for path in open_ if not any(fnmatchcase(PurePosixPath(path).name, one) for one in taken)}
    folders = {folder: sources for folder, sources in listed.items() if not found.intersection(sources)}
    found |= set(_beside(folders, homes, words, graph, patterns))
    for _ in range(3 if found else 0):  # headers of headers
        found |= {path for path, users in graph.users.items() if users and users <= found}
    return frozenset(found)


def _beside(
    listed: Mapping[str, Sequence[str]],
    builds: Set[str],
    words: Set[bytes],
    graph: IncludeGraph,
    patterns: Mapping[str, Set[str]],
) -> Iterator[str]:
    """The sources of folders of which no build names one, where the build around them names those of other folders.

    `listed` has the sources of each folder, `builds` are the folders that have a build file.
    """
    by_build: dict[str, dict[str, Sequence[str]]] = {}
    for folder, sources in listed.items():
        inside = (folder, *(str(one) for one in PurePosixPath(folder).parents))
        home = next((one for one in inside if one in builds), None)
        if home is not None:
            by_build.setdefault(home, {})[folder] = sources
    for home, folders in by_build.items():
        named = {folder: sum(_is_named(path, words) for path in sources) for folder, sources in folders.items()}
        others = sum(len(sources) for folder, sources in folders.items() if named[folder])
        if sum(named.values()) < _NAMED or 2 * sum(named.values()) < others:
            continue
        taken = set[str]().union(*(patterns.get(str(one), ()) for one in (home, *PurePosixPath(home).parents)))
        for folder, sources in folders.items():
            names = [PurePosixPath(path).name for path in sources]
            if (
                not named[folder]
                and folder != home
                and not any(fnmatchcase(name, one) for name in names for one in taken)
            ):
                yield from (path for path in sources if not graph.users.get(path))


def _is_named(path: str, words: Set[bytes]) -> bool:
    return _stem(path) in words


def _stem(path: str) -> bytes:
    return PurePosixPath(path).name.partition(".")[0].encode()


def _patterns(code: bytes) -> Iterator[str]:
    """The patterns for names of sources in a build file; a name that variables alone give is no pattern."""
    if any(word in code for word in _TAKING) and _ALL.search(code):
        yield "*"
    globs = any(word in code for word in _LOOKING) and _GLOBS.search(code) is not None
    parts = _VARIABLE.sub(b"\0", code)
    for match in _PATTERN.finditer(parts):
        start, end = match.span()
        if parts[end - 1] not in _LAST or (end < len(parts) and parts[end] not in _BEHIND):
            continue
        while start and parts[start - 1] in _NAME:
            start -= 1
        found = parts[start:end]
        if found.strip(b"\0*." if not globs else b"\0"):
            yield found.replace(b"\0", b"*").decode()
