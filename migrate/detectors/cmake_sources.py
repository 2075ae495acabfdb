"""Targets of CMake with sources that end in `.cu`: in the language HIP these are no sources by their name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cudamigrate.analysis import cmake_targets, cmake_tree
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-cu-sources"
_LANGUAGES = frozenset(("HIP", "CXX", "CUDA"))
"""Languages that a command may give a source; `CUDA` becomes `HIP` in place."""
_OF_CMAKE = ("add_library", "add_executable", "target_sources")
"""Commands of CMake's own that compile sources of the languages which are enabled, and pass over others."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each command that makes a target of such sources, unless their language is given.

    What nothing compiled for CUDA is none for HIP either: the branch without a GPU, where no language is enabled.
    """
    if parsed.ported:
        return
    found = cmake.commands(parsed)
    branches = cmake.branches(found)
    declared = [one for one in found if "LANGUAGE" in one.words() and _LANGUAGES & set(one.words())]
    hip = [one for one in declared if "HIP" in one.words()]
    enabling = [one for one in found if one.name in ("project", "enable_language") and cmake.enables(one, "CUDA")]
    by_find_cuda, of = cmake_tree.by_find_cuda_alone(parsed), cmake.conditionals(found)
    for target in cmake_targets.of(parsed):
        command, texts = target.command, {one.text for one in target.chosen}
        beside = partial(cmake.is_beside, command=command, branches=branches, of=of)
        without = any(map(beside, hip)) or (bool(enabling) and all(map(beside, enabling)))
        if command.name in _OF_CMAKE and (by_find_cuda or without):
            continue
        if not any(_reaches(one, command, branches) and _covers(one, texts, found) for one in declared):
            use = Use("name", command.name, command.at, command.span, command.places, certainty="syntax")
            yield Hit(_RULE, use, {"source": target.chosen[0].text})


def _reaches(declared: Command, command: Command, branches: Mapping[Span, Sequence[Span]]) -> bool:
    """Whether a command is never carried out without the one that tells the language: no other branch is taken."""
    return branches[command.span][: len(branches[declared.span])] == branches[declared.span]


def _covers(declared: Command, texts: set[str], found: Sequence[Command]) -> bool:
    """Whether a command that tells a language names these sources, or a variable that was set to them."""
    words = set(declared.words())
    sets = [command for command in found if command.name == "set" and command.args]
    return texts <= words or any(
        f"${{{command.args[0].text}}}" in words and texts <= set(command.words()) for command in sets
    )
