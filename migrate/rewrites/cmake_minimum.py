"""`cmake_minimum_required` below the release that knows the language HIP -> that release."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use, release
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_LEAST = "3.21"


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether the release is too low, in a file that builds kernels, is the project of one, or sets it for one.

    A project of no language compiles nothing: it fetches or packs something.
    """
    if not _low(parsed.source.text(use.span)):
        return False
    found = cmake.commands(parsed)
    of_project = parsed.cmake.cuda and any(one.name == "project" and "NONE" not in one.words() for one in found)
    return of_project or parsed.cmake.minimum or any(cmake.enables(command, "CUDA") for command in found)


def _low(text: str) -> bool:
    match = re.match(r"\d+(?:\.\d+)*", text)
    return match is not None and release(match[0]) < release(_LEAST)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The lowest release; the end of a range stays unless it is too low as well."""
    text = parsed.source.text(use.span)
    low, dots, high = text.partition("...")
    if dots and _low(high):
        return [Edit(use.span, _LEAST.encode())]
    return [Edit(Span(use.span.start, use.span.start + len(low)), _LEAST.encode())]
