"""Commands that only show nvcc's version, beside what stays CUDA's, or where nvcc is: they stay with it.

A job that installs CUDA, by a script or an action, or that looks for nvcc is not moved by a conversion. A step of it
that shows the compiler would fail with another one's name.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

SHOWN = "nvcc shown"
"""The name of a use for such a command that stays."""
_SHOWS = re.compile(rb"nvcc[ \t]+(?:--version|-V)")
_INSTALLS = re.compile(
    rb"(?<![\w.-])(?:source|\.|bash|sh|sudo)[ \t]+[\w./${}\"'-]*install[-_]?cuda[\w-]*\.(?:sh|bash)\b"
    rb"|\buses:[ \t]*[\"']?[\w.-]+/cuda-toolkit\b",
    re.IGNORECASE,
)
"""A script that installs CUDA, or an action: `source scripts/install_cuda.sh`, `uses: someone/cuda-toolkit@v1`."""

_PLACE = re.compile(
    rb"(?:^|\n)[ \t]*(?:-[ \t]+)?(?:run:[ \t]+)?(?P<shows>(?:which|type|command[ \t]+-v)[ \t]+nvcc)[ \t]*(?=\r?\n|\Z)"
)
"""A line that is nothing but the question where nvcc is."""
_DECIDED = re.compile(rb"(?:\\|&&|(?<!: )\|\|?|\b(?:if|elif|while|until)|!)[ \t]*\Z")
"""The end of the line before, where it goes on with a command whose answer decides."""
_ANSWER = re.compile(rb"\s*(?:[^\n]*\$\?|\}|\)|then\b|do\b|&&|\|\|)")
"""A next line that reads the answer, or ends a function or a group of which it is the answer."""


def marked(data: bytes, uses: Sequence[Use]) -> list[Use]:
    """The uses, with those that only show nvcc's version under a name of their own where CUDA stays."""
    shows = [use for use in uses if _is_shown(data, use)]
    stays = bool(shows) and (any(use.name == "find nvcc" for use in uses) or _INSTALLS.search(data) is not None)
    made = [replace(use, name=SHOWN, span=use.extent) if use in shows else use for use in uses] if stays else list(uses)
    places = _places(data) if any(use.name == "find nvcc" for use in uses) else {}
    return [
        replace(use, name=SHOWN, span=places[use.span.end], extent=places[use.span.end])
        if use.name == "find nvcc" and use.span.end in places
        else use
        for use in made
    ]


def _places(data: bytes) -> dict[int, Span]:
    """The commands that only show where nvcc is, by their end: nothing in the script goes by the answer."""
    return {
        match.end("shows"): Span(*match.span("shows"))
        for match in _PLACE.finditer(data)
        if _DECIDED.search(data, max(0, match.start() - 200), match.start()) is None
        and _ANSWER.match(data, match.end()) is None
    }


def _is_shown(data: bytes, use: Use) -> bool:
    extent = data[use.extent.start : use.extent.end]
    return use.name in ("nvcc", "nvcc -V") and _SHOWS.fullmatch(extent) is not None
