"""What the engines' messages have in common: both speak clang's words."""

from __future__ import annotations

import os

from cudamigrate.lazy_re import re

_MISSING = re.compile(r"^'([^']+)' file not found")


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
