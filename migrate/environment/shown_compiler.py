"""Commands that only show nvcc's version, beside what stays CUDA's: they stay with it.

A job that installs CUDA, by a script or an action, or that looks for nvcc is not moved by a conversion. A step of it
that shows the compiler would fail with another one's name.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Use

SHOWN = "nvcc shown"
"""The name of a use for such a command that stays."""
_SHOWS = re.compile(rb"nvcc[ \t]+(?:--version|-V)")
_INSTALLS = re.compile(
    rb"(?<![\w.-])(?:source|\.|bash|sh|sudo)[ \t]+[\w./${}\"'-]*install[-_]?cuda[\w-]*\.(?:sh|bash)\b"
    rb"|\buses:[ \t]*[\"']?[\w.-]+/cuda-toolkit\b",
    re.IGNORECASE,
)
"""A script that installs CUDA, or an action: `source scripts/install_cuda.sh`, `uses: someone/cuda-toolkit@v1`."""


def marked(data: bytes, uses: Sequence[Use]) -> list[Use]:
    """The uses, with those that only show nvcc's version under a name of their own where CUDA stays."""
    shows = [use for use in uses if _is_shown(data, use)]
    stays = bool(shows) and (any(use.name == "find nvcc" for use in uses) or _INSTALLS.search(data) is not None)
    return [replace(use, name=SHOWN, span=use.extent) if use in shows else use for use in uses] if stays else list(uses)


def _is_shown(data: bytes, use: Use) -> bool:
    extent = data[use.extent.start : use.extent.end]
    return use.name in ("nvcc", "nvcc -V") and _SHOWS.fullmatch(extent) is not None
