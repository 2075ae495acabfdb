"""Scripts of CMake in folders with a vendored name that the project includes by their path: they are its own.

A project keeps in `cmake/thirdparty` what fetches the libraries that it needs. Such a folder holds scripts and no code;
the scripts of a library lie beside its code, and stay the library's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_re import re
from cudamigrate.model import Inventory, SourceFile
from cudamigrate.project import discovery
from cudamigrate.syntax import cmake

_HERE = re.compile(r"\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}/")
_ROOT = re.compile(r"\$\{\w+\}/")
"""A folder of the project's, or one around it: `${CMAKE_SOURCE_DIR}/`, `${PROJECT_SOURCE_DIR}/`."""


def added(root: Path, inventory: Inventory, config: Config) -> Inventory:
    """The inventory with the scripts that build files of the project include, and those that these include."""
    seen = set[str]()
    while inventory.scripts:
        new = [entry for entry in inventory.entries if entry.language == "cmake" and entry.path not in seen]
        read = [one for entry in new if isinstance(one := discovery.read(root, entry), SourceFile)]
        seen.update(entry.path for entry in new)
        found = {path for source in read for path in _included(source, inventory.scripts)}
        if not found:
            break
        inventory = discovery.with_own(inventory, found, config, known_files())
    return inventory


def _included(source: SourceFile, scripts: Sequence[str]) -> Iterator[str]:
    """The scripts that a build file includes by their path."""
    for command in cmake.read(source.data):
        word = command.words()[0] if command.name == "include" and command.args else ""
        if not word.endswith(".cmake"):
            continue
        folder = posixpath.dirname(source.path)
        here, below = _HERE.sub("", word, count=1), _ROOT.match(word)
        near = {posixpath.normpath(posixpath.join(folder, here))}
        if below is None:
            near.add(posixpath.normpath(word))
        outer = posixpath.normpath(word[below.end() :]) if below is not None and here == word else ""
        yield from (one for one in scripts if one in near or (outer and f"/{one}".endswith(f"/{outer}")))
