"""Which version of this program runs, for reports: asked in each run, so without the standard library's slow reader."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache

_START, _END = "cudamigrate-", ".dist-info"


def tool_version() -> str:
    """Version of the installed distribution."""
    return _among(tuple(sys.path))


@cache
def _among(folders: tuple[str, ...]) -> str:
    for folder in folders:
        with suppress(OSError):
            for name in os.listdir(folder or "."):
                if name.startswith(_START) and name.endswith(_END):
                    return name[len(_START) : -len(_END)]
    from importlib.metadata import PackageNotFoundError, version  # knows other forms, and imports a reader of mail

    try:
        return version("cudamigrate")
    except PackageNotFoundError:
        return "0+unknown"
