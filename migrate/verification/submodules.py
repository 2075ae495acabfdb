"""A header that is missing because a git submodule of the tree was never fetched: which one brings it.

A submodule is known by its folder, which is empty or not there. That it is the one which has a header is read from its
name: this says what to try and decides nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from cudamigrate.lazy_re import re
from cudamigrate.project import file_listing
from cudamigrate.verification import libraries

_LIBRARY = re.compile(r"^lib|[-_.]?(?:lib|cpp|cxx|headers?)$")
"""What the name of a repository has around that of the library: `libfmt`, `spdlog-cpp`."""


_JOINTS = re.compile(r"[-_.]")
"""What is between the words of a name, which a header and its repository may write differently: `ring_buf.h`."""


_BOOST = "boost/"
"""Where the headers of Boost's libraries are. Source: Boost, "Getting the sources", github.com/boostorg."""


def absent(root: Path) -> list[str]:
    """The submodules of the tree at `root` with nothing in their folder, by their paths below it."""
    return [path for path in file_listing.declared_submodules(root) if _is_empty(root / path)]


def brought(name: str, submodules: Sequence[str]) -> str:
    """A header with the command that fetches the submodule which brings it, else with its package if that is known."""
    found = of(name, submodules)
    return libraries.package(name) if found is None else f"{name} (git submodule update --init {found})"


def of(name: str, submodules: Sequence[str]) -> str | None:
    """The submodule that brings a header, as names show; None where none does."""
    return next((path for path in submodules if _has(path, name)), None)


def _has(submodule: str, name: str) -> bool:
    """Whether a header is of a submodule: its path leads there, or its first folder or its own name is called alike.

    Each library of Boost has a repository of its own, whose headers are below `boost/` and its name.
    """
    if f"/{submodule}/" in f"/{name}":
        return True
    names = {_plain(_first(one)) for one in (name, name.removeprefix(_BOOST))}
    return _plain(PurePosixPath(submodule).name) in names


def _first(name: str) -> str:
    """The first folder of a path, or the name of a file that is in none."""
    parts = PurePosixPath(name).parts
    return parts[0] if len(parts) > 1 else PurePosixPath(name).stem


def _plain(name: str) -> str:
    lower = name.lower()
    return _JOINTS.sub("", _LIBRARY.sub("", lower) or lower)


def _is_empty(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return True
