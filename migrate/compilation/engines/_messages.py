"""What the engines' messages have in common: both speak clang's words."""

from __future__ import annotations

import os

from cudamigrate.lazy_re import re

_MISSING = re.compile(r"^'([^']+)' file not found")
_SIDE = re.compile(r"call to (__\w+__) function from (__\w+__(?: __\w+__)?) function")
"""Why a function that is there is no candidate: it is for the other side."""


def side(note: str) -> str:
    """What a note says of the sides of a call, in brackets for the end of a message; empty where it says nothing."""
    found = _SIDE.search(note)
    return f" ({found[0]})" if found else ""


def missing(message: str) -> str:
    """The header that a message says is not there, empty where it says something else."""
    found = _MISSING.match(message)
    return found[1] if found else ""


def relative(path: str, root: str) -> str:
    """`path` as seen from `root`, or as it is where it lies elsewhere."""
    if not path:
        return ""
    clean = os.path.normpath(path)
    return os.path.relpath(clean, root).replace(os.sep, "/") if clean.startswith(root.rstrip("/") + "/") else clean
