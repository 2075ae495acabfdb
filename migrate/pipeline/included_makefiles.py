"""Files that Makefiles include by names which say nothing, `include make_targets`: make reads them as its own.

They are read in make's language, and so is what they include. A file whose name is known to be of another language
stays that.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path

from cudamigrate.analysis import makefile_families
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_re import re
from cudamigrate.model import Inventory, SourceFile
from cudamigrate.project import discovery


def added(root: Path, inventory: Inventory, config: Config) -> Inventory:
    """The inventory with the files that its Makefiles include and no name tells; the same one where there are none.

    `root` is the folder that the paths of the inventory begin at. A path is looked for as a header is, in the folder
    of the Makefile and in those around it; of one that begins with a variable, what follows that. Where a variable is a
    part of the name, all files count that it may mean.
    """
    language, seen = discovery.languages(known_files()), set[str]()
    while new := [one for one in inventory.entries if one.language == "make" and one.path not in seen]:
        seen.update(one.path for one in new)
        sources = [one for entry in new if isinstance(one := discovery.read(root, entry), SourceFile)]
        named = {(one.path, name) for one in sources for name in makefile_families.included_names(one.data)}
        found = {discovery.near(root, *one) for one in sorted(named) if not language(one[1])} - {""}
        patterns = [
            (one.path, each) for one in sources for each in makefile_families.included_patterns(one.path, one.data)
        ]
        found |= {path for one in patterns for path in _fitting(root, *one) if not language(path)}
        taken = dict.fromkeys(sorted(found - seen), "make")
        inventory = discovery.with_languages(inventory, taken, config, known_files()) if taken else inventory
    return inventory


def _fitting(root: Path, path: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """The files of a folder whose paths fit a pattern of the Makefile at `path`, whose own folder is its first part."""
    folder = posixpath.dirname(re.sub(r"\\(.)", r"\1", pattern.pattern.replace("[^/]+", "")))
    if folder.startswith(("..", "/")) or not (root / folder).is_dir():
        return
    for entry in sorted((root / folder).iterdir()):
        name = f"{folder}/{entry.name}" if folder else entry.name
        if pattern.fullmatch(name) and name != path and entry.is_file():
            yield name
