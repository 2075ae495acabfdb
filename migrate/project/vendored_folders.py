"""Folders of other people's code: by the configuration's globs, and whole copies of libraries by what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cudamigrate.config import Config
from cudamigrate.lazy_re import re
from cudamigrate.project.file_listing import globs

KNOWN_COPIES = (
    ("catch2", "src/catch2/catch_all.hpp"),
    ("cub", "cub/cub.cuh"),
    ("cutlass", "include/cutlass/cutlass.h"),
    ("eigen", "Eigen/Core"),
    ("fmt", "include/fmt/core.h"),
    ("glm", "glm/glm.hpp"),
    ("googletest", "googletest/include/gtest/gtest.h"),
    ("libcudacxx", "cuda/std/version"),
    ("libcudacxx", "include/cuda/std/version"),
    ("moderngpu", "include/moderngpu.cuh"),
    ("moderngpu", "src/moderngpu/context.hxx"),
    ("nvtx", "nvToolsExt.h"),
    ("pybind11", "include/pybind11/pybind11.h"),
    ("thrust", "thrust/version.h"),
)
"""Libraries that are copied whole into other trees: the folder's name, with or without a version, and a file in it.

Both must be there, so neither a repository that is such a library nor a project's folder of that name is a copy.
"""
KNOWN_HEADERS = (("cub", ("cub.cuh", "util_type.cuh")), ("thrust", ("version.h", "device_vector.h")))
"""Libraries whose headers alone are copied, in the folder that includes name, and some of these headers.

Converted code includes hipCUB and rocThrust in their place, so that nothing reads the copy.
"""
_RELEASE = r"(?:[-_]?v?[\d.]*|-(?:master|main|trunk|develop|dev))"
"""What is behind the name of a library's folder: a version, or the branch that an archive of a repository is of."""
_CODE = (".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp")
_BESIDE = re.compile(r"(?i)(?:.*[/_-])?(?:tests?|testing|examples?|bench(?:mark)?s?|tune|perf|internal|experimental)/")
"""Folders of code that a library's own repository has beside its headers."""


def outermost(config: Config, paths: Iterable[str], at: str, base: str) -> Callable[[str], str]:
    """A function from a folder's path to the outermost vendored folder around it, empty where there is none.

    `at` is what to put before a path to match globs; `base` and the folders around it are what the user asked for,
    so they are not vendored whatever their names.
    """
    if config.enter_vendored:
        return lambda folder: ""
    spec = globs(glob.lower() for glob in config.vendored)
    copies = _copies(paths)
    under = f"{base}/" if base else ""
    inside = spec.match_file((at + under).lower())  # all that lies in it would match too
    outermost_of: dict[str, str] = {}

    def around(folder: str) -> str:
        new: list[str] = []
        while folder and folder != base and folder not in outermost_of:
            new.append(folder)
            folder = folder.rpartition("/")[0]
        found = outermost_of.get(folder, "")
        for one in reversed(new):  # from the outside in; folders nest deeper than calls may
            name = one.removeprefix(under) if inside else at + one
            here = one if not found and (one in copies or spec.match_file(f"{name}/".lower())) else ""
            found = outermost_of[one] = found or here
        return found

    return around


def without_code(paths: Iterable[str], code: Iterable[str]) -> Iterator[str]:
    """Those of some files that are scripts of CMake in a folder without any code: a library's folder holds some."""
    scripts = [path for path in paths if path.endswith(".cmake")]
    folders = set[str]()
    for one in code if scripts else ():
        folder = one.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return (path for path in scripts if path.rpartition("/")[0] not in folders)


def _copies(paths: Iterable[str]) -> frozenset[str]:
    """The folders that `KNOWN_COPIES` shows to be whole copies of a library."""
    markers = tuple(f"/{marker}" for _, marker in KNOWN_COPIES)
    paths = list(paths)
    found = set(_headers(paths))
    for path in filter(lambda path: path.endswith(markers), paths):
        for name, marker in KNOWN_COPIES:
            folder = path.removesuffix(f"/{marker}")
            if folder != path and re.fullmatch(rf"{name}{_RELEASE}", folder.rpartition("/")[2].lower()):
                found.add(folder)
    return frozenset(found)


def _headers(paths: Sequence[str]) -> Iterator[str]:
    """The folders that are copies by `KNOWN_HEADERS`, in a repository with more code than the library's own has."""
    for name, (first, *others) in KNOWN_HEADERS:
        ending = f"{name}/{first}"
        for path in (one for one in paths if one == ending or one.endswith(f"/{ending}")):
            folder = path.removesuffix(f"/{first}")
            inside = {one.removeprefix(f"{folder}/") for one in paths if one.startswith(f"{folder}/")}
            outside = (one for one in paths if one.endswith(_CODE) and not one.startswith(f"{folder}/"))
            if inside.issuperset(others) and any(_BESIDE.match(one) is None for one in outside):
                yield folder
