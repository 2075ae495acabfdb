"""Files without an ending whose first line names a program that runs them: scripts in the language of that.

A build script is often called `build` or `compile_all`, and says `#!/bin/bash` in its first line. What is run by a
shell, by Python or by make is read as a file of these is. Source: execve(2), "Interpreter scripts".
"""

from __future__ import annotations

from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_re import re
from cudamigrate.model import Inventory
from cudamigrate.project import discovery
from cudamigrate.project.file_access import read_head

_FIRST_LINE = re.compile(
    rb"#![ \t]*(?:/\S*/)?(?:env[ \t]+(?:-S[ \t]*|--split-string=)?(?:\w+=\S*[ \t]+)*(?:/\S*/)?)?([a-z]+)[\d.]*(?=\s|\Z)"
)
"""The interpreter, by its path or by `env`, without its release: `#!/usr/bin/env -S python3.11 -u`."""
_RUN_BY = {
    b"sh": "shell", b"ash": "shell", b"bash": "shell", b"dash": "shell", b"ksh": "shell", b"zsh": "shell",
    b"python": "python", b"make": "make", b"gmake": "make",
}  # fmt: skip
_TEMPLATE = ".tpl"
"""How templates end whose places Bazel fills: the file that is made of one has the name before it."""
_LONGEST = 256
"""The bytes of a first line that Linux reads."""


def added(inventory: Inventory, config: Config) -> Inventory:
    """The inventory with such files; the same one where there are none.

    Only files without a dot in their names are opened, and of these the first bytes: an ending that is not known says
    that a file is of another kind.
    """
    root, chosen = Path(inventory.root), dict[str, str]()
    for path in inventory.naming:
        language = _language(root, path) if "." not in path.rpartition("/")[2].removesuffix(_TEMPLATE) else ""
        if language:
            chosen[path] = language
    return discovery.with_languages(inventory, chosen, config, known_files()) if chosen else inventory


def _language(root: Path, path: str) -> str:
    """The language of the file's interpreter, empty where it names none or cannot be read."""
    try:
        head = read_head(root, path, _LONGEST)
    except OSError:
        return ""
    named = _FIRST_LINE.match(head)
    return _RUN_BY.get(named[1], "") if named is not None else ""
