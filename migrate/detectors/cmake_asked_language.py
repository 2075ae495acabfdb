"""Conditions of CMake that look for CUDA in a list from elsewhere, and that ask for something of HIP's beside it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import cmake_languages
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-language-asked"
_OF_LANGUAGE = "CMAKE_CUDA_"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each word that is looked for, where a variable of the language is renamed in the same condition."""
    if parsed.ported or parsed.kept:
        return
    for one in cmake_languages.unseen(parsed.commands):
        if any(_is_renamed(parsed, use, one.command.span) for use in parsed.uses):
            yield Hit(_RULE, Use("name", "CUDA", one.span, one.command.span, one.command.places, certainty="syntax"))


def _is_renamed(parsed: ProjectFile, use: Use, condition: Span) -> bool:
    """Whether a use is a variable of the language in a condition, and gets another name."""
    if use.extent != condition or not use.name.startswith(_OF_LANGUAGE) or parsed.rule is None:
        return False
    rule = parsed.rule(use)
    return rule is not None and rule.change.kind != "none"
