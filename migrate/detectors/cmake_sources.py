"""Targets of CMake with sources that end in `.cu`: in the language HIP these are no sources by their name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.model import Hit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-cu-sources"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each command that makes a target of such sources, unless their language is given."""
    found = cmake.commands(parsed)
    if parsed.ported:
        return
    declared = [command for command in found if "LANGUAGE" in command.words() and {"HIP", "CXX"} & set(command.words())]
    for command, chosen, _ in cmake.targets_with(found, ".cu"):
        texts = {one.text for one in chosen}
        if not any(_covers(one, texts, found) for one in declared):
            use = Use("name", command.name, command.at, command.span, command.places, certainty="syntax")
            yield Hit(_RULE, use, {"source": chosen[0].text})


def _covers(declared: Command, texts: set[str], found: Sequence[Command]) -> bool:
    """Whether a command that tells a language names these sources, or a variable that was set to them."""
    words = set(declared.words())
    sets = [command for command in found if command.name == "set" and command.args]
    return texts <= words or any(
        f"${{{command.args[0].text}}}" in words and texts <= set(command.words()) for command in sets
    )
