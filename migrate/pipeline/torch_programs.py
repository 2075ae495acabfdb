"""Programs of a repository with an extension that PyTorch's build never compiles: another build, or nvcc itself, does.

Nothing renames CUDA's names in them, so that they and the builds that make them are converted for HIP as they would be
without an extension beside them. A program has a function `main`, which an extension has not.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from typing import NamedTuple

from cudamigrate.compilation.torch_hipify import Hipified, Text
from cudamigrate.cuda.include_paths import IncludePaths, closure, spelled
from cudamigrate.lazy_re import re

_MAIN = re.compile(rb"^[ \t]*int[ \t\n]+main[ \t\n]*\(", re.MULTILINE)
_CUDA = re.compile(rb"\bcuda[A-Z_]\w*|\bcu(?:blas|fft|rand|sparse|solver|dnn)\w*|__global__|<<<")
_OF_TORCH = re.compile(rb"\b(?:at|c10)::cuda::\w|(?<=[<\"])(?:ATen|c10)/cuda/")
"""PyTorch's own names for CUDA, which are its build's to convert."""
_UNITS = (".cu", ".cc", ".cpp", ".cxx", ".c")
_WORDS = re.compile(rb"[%*]?[\w.+-]+")
"""Names of files in the text of a build, without their folders, and patterns of such."""
_PATTERN = re.compile(rb"([\w./-]*)[*%](\.(?:cu|cc|cpp|cxx|c))\b")
"""A pattern of sources with the folder before it: `${CMAKE_SOURCE_DIR}/src/*.cu`."""


class Programs(NamedTuple):
    """`files` are the sources, headers and builds of programs alone, `shared` what they read of an extension's."""

    files: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()


def programs(made: Sequence[Hipified], paths: Set[str], text: Text, builds: Mapping[str, str]) -> Programs:
    """The programs beside the extensions that are `made`; `builds` are the languages of other build files, by path.

    A program that reads PyTorch's own names is left to whoever builds it, and so is one that a build makes beside the
    sources of an extension: both would have to be converted at once.
    """
    taken = frozenset[str]().union(*(one.taken for one in made))
    theirs = frozenset[str]().union(*(one.left for one in made)) | taken
    units = [path for path in sorted(paths) if path.endswith(_UNITS) and path not in theirs]
    mains = {path for path in units if _is_program(path, text(path))}
    if not mains:
        return Programs()
    groups = _groups(builds)
    named = {group: _named(files, [*units, *sorted(theirs)], text) for group, files in groups.items()}
    sources = mains | {path for group, found in named.items() if not mains.isdisjoint(found) for path in found - theirs}
    included = cache(partial(_included, tree=IncludePaths(frozenset(paths)), text=text))
    reached = {path: closure((path,), included) for path in sorted(sources)}
    reached = {path: found for path, found in reached.items() if not any(_OF_TORCH.search(text(one)) for one in found)}
    named |= {group: _around(group, mains, theirs, text) for group, found in named.items() if not found}
    making = {group: found for group, found in named.items() if not mains.isdisjoint(found)}
    own, kept = set(making), {*reached}
    while more := {group for group in own if not (theirs.isdisjoint(making[group]) and making[group] <= kept)}:
        own -= more
        kept.difference_update(*(making[group] for group in more))
    whole = frozenset[str]().union(*(reached[path] for path in kept))
    files = {path for group in own for path in groups[group]}
    return Programs((whole - theirs) | files, whole & taken)


def _is_program(path: str, data: bytes) -> bool:
    named = b"main" in data and _MAIN.search(data) is not None
    return named and (path.endswith(".cu") or _CUDA.search(data) is not None)


def _included(path: str, tree: IncludePaths, text: Text) -> tuple[str, ...]:
    return tuple(one for name, _, _ in spelled(text(path)) for one in tree.nearest(path, name)[:1])


def _groups(builds: Mapping[str, str]) -> dict[str, list[str]]:
    """The files that are one build, by the file that begins it: CMake's below the outermost of their folders."""
    folders = {posixpath.dirname(path) for path in builds if posixpath.basename(path) == "CMakeLists.txt"}
    found: dict[str, list[str]] = {}
    for path, language in sorted(builds.items()):
        around = posixpath.dirname(path)
        outer = [one for one in folders if not one or around == one or around.startswith(f"{one}/")]
        top = posixpath.join(min(outer, key=len), "CMakeLists.txt") if language == "cmake" and outer else path
        found.setdefault(top, []).append(path)
    return found


def _around(build: str, mains: Set[str], theirs: Set[str], text: Text) -> frozenset[str]:
    """The programs in the folder of a build that calls nvcc with sources of whatever name: `nvcc $1`.

    None where something of an extension is below that folder.
    """
    folder = posixpath.dirname(build)
    alone = not any(not folder or path.startswith(f"{folder}/") for path in theirs)
    calls = alone and b"nvcc" in text(build)
    return frozenset(path for path in mains if posixpath.dirname(path) == folder) if calls else frozenset()


def _named(files: Iterable[str], units: Sequence[str], text: Text) -> frozenset[str]:
    """The sources below the folders of build files that these name, or collect by a pattern in their very folder."""
    return frozenset(path for file in files for path in _named_by(file, units, text))


def _named_by(file: str, units: Sequence[str], text: Text) -> Iterator[str]:
    data = text(file)
    words = frozenset(_WORDS.findall(data))
    folder = posixpath.dirname(file)
    patterns = {(match[1].decode().strip("/"), match[2].decode()) for match in _PATTERN.finditer(data)}
    deep = b"GLOB_RECURSE" in data
    for path in (one for one in units if not folder or one.startswith(f"{folder}/")):
        named = posixpath.basename(path).encode() in words
        if named or any(_fits(path, folder, *pattern, deep) for pattern in patterns):
            yield path


def _fits(path: str, home: str, below: str, ending: str, deep: bool) -> bool:
    """Whether a pattern in a build file in a folder collects a source: `src/*.cu`."""
    folder = posixpath.normpath(posixpath.join(home, below or "."))
    folder = "" if folder == "." else folder
    inside = posixpath.dirname(path) == folder or (deep and (not folder or path.startswith(f"{folder}/")))
    return path.endswith(ending) and inside
