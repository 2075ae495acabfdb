"""Report -> one line on the build files that stay for CUDA, which ones and why; empty where none does."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.wording import and_more, count_of

_WHOLE, _ENTERED = "build/cmake-left-whole", "build/cmake-left-entered"
_SHOWN = 3
"""How many files the line names."""


def line(report: Report) -> str:
    """The files in order, those that call what has no equivalent first, and what the first of these calls."""
    whole = [one for one in report.findings if one.rule == _WHOLE]
    if not whole:
        return ""
    entered = (one.path for one in report.findings if one.rule == _ENTERED)
    paths = list(dict.fromkeys((*(one.path for one in whole), *entered)))
    verb = "stays" if len(paths) == 1 else "stay"
    named = f"{', '.join(paths[:_SHOWN])}{and_more(len(paths) - _SHOWN)}"
    first = f"{whole[0].path}:{whole[0].position.line}"
    return f"{count_of(len(paths), 'CMake file')} {verb} for CUDA: {named}. {first}: {whole[0].message}"
