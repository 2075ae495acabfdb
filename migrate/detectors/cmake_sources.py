"""Targets of CMake with sources that end in `.cu`: in the language HIP these are no sources by their name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cudamigrate.analysis import cmake_exclusion, cmake_targets, cmake_tree
from cudamigrate.analysis.cmake_endings import assigned
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake, foreign_patterns
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-cu-sources"
_LANGUAGES = frozenset(("HIP", "CXX", "CUDA"))
"""Languages that a command may give a source; `CUDA` becomes `HIP` in place."""
_OF_CMAKE = ("add_library", "add_executable", "target_sources")
"""Commands of CMake's own that compile sources of the languages which are enabled, and pass over others."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_TAKES = ("FILTER", "REMOVE_AT", "POP_FRONT", "POP_BACK")
"""Actions of `list` that take elements from it, whatever they are."""
_COMPARES = ("STREQUAL", "MATCHES")
_ENDINGS = (".cu", ".cu$", "cu")
"""What a source for the GPU ends in, as texts and patterns ask for it, without the signs before dots."""
_SAMPLES = ("a.cu", "/src/gpu/kernel_1.cu")
"""Names of sources that have nothing in common but how they end."""


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
    targets = cmake_targets.of(parsed)
    asked = cmake_exclusion.conditions(found if enabling and targets else ())
    for target in targets:
        command, texts = target.command, {one.text for one in target.chosen}
        beside = partial(cmake.is_beside, command=command, branches=branches, of=of)
        without = any(map(beside, hip))
        without |= bool(enabling) and all(beside(one) or asked.exclude(one, command) for one in enabling)
        if command.name in _OF_CMAKE and (by_find_cuda or without):
            continue
        if _is_told_in_loop(declared, command, texts, found, branches):
            continue
        if not any(_reaches(one, command, branches) and _covers(one, command, texts, found) for one in declared):
            use = Use("name", command.name, command.at, command.span, command.places, certainty="syntax")
            yield Hit(_RULE, use, {"source": target.chosen[0].text})


def _reaches(declared: Command, command: Command, branches: Mapping[Span, Sequence[Span]]) -> bool:
    """Whether a command is never carried out without the one that tells the language: no other branch is taken."""
    return branches[command.span][: len(branches[declared.span])] == branches[declared.span]


def _is_told_in_loop(
    declared: Sequence[Command],
    command: Command,
    texts: set[str],
    found: Sequence[Command],
    branches: Mapping[Span, Sequence[Span]],
) -> bool:
    """Whether a loop over the sources of a target tells the language of each, or of each that ends in `.cu`."""
    heads = {one.span: one for one in found if one.name in ("foreach", "if")} if declared else {}
    for one in declared:
        around = branches[one.span]
        at = next((number for number, span in enumerate(around) if _is_loop(heads.get(span), one, texts)), None)
        if at is None or branches[command.span][:at] != around[:at]:
            continue
        inside = [heads.get(span) for span in around[at + 1 :]]
        if all(head is not None and head.name == "if" and _asks_ending(head) for head in inside):
            return True
    return False


def _is_loop(head: Command | None, declared: Command, texts: set[str]) -> bool:
    """Whether a command begins a loop over all of the sources whose variable a command gives a language."""
    words = head.words() if head is not None and head.name == "foreach" else []
    listed = {f"${{{word}}}" for word in words[3:]} if words[1:3] == ["IN", "LISTS"] else set(words[1:])
    return bool(words) and texts <= listed and declared.words()[:1] == [f"${{{words[0]}}}"]


def _asks_ending(condition: Command) -> bool:
    """Whether a condition is true for each source that ends in `.cu`: it compares something with that ending alone."""
    words = condition.words()
    return len(words) == 3 and words[1] in _COMPARES and words[2].replace("\\", "") in _ENDINGS


def _covers(declared: Command, command: Command, texts: set[str], found: Sequence[Command]) -> bool:
    """Whether a command that tells a language names these sources of a target, or a variable that was set to them.

    No more than that: what a variable lost or was filled with again since, the command does not reach.
    """
    words, told = set(declared.words()), declared.span.start
    own = {_VARIABLE.fullmatch(text) for text in texts}
    if texts <= words and not any(one and _is_other(one[1], command.span.start, told, found) for one in own):
        return True
    sets = [one for one in found if one.name == "set" and one.args and f"${{{one.args[0].text}}}" in words]
    return any(texts <= set(one.words()) and not _is_other(one.args[0].text, one.span.end, told, found) for one in sets)


def _is_other(name: str, start: int, end: int, found: Sequence[Command]) -> bool:
    """Whether a variable may hold fewer sources for the GPU at one place than it did at another before it."""
    return any(start < one.span.start < end and _lessens(one, name) for one in found)


def _lessens(command: Command, name: str) -> bool:
    """Whether a command takes sources for the GPU from a variable, or fills it with something else."""
    words = command.words()
    if command.name != "list" or words[1:2] != [name]:
        return any(filled == name and f"${{{name}}}" not in given for filled, given in assigned(command))
    if words[0] == "FILTER" and words[3:4] == ["REGEX"] and len(words) > 4:
        return not _keeps(words[4], words[2] == "INCLUDE")
    removed = words[2:] if words[0] == "REMOVE_ITEM" else []
    return words[0] in _TAKES or any(one.endswith((cmake_targets.SOURCE, "}")) for one in removed)


def _keeps(pattern: str, including: bool) -> bool:
    """Whether a filter leaves all sources for the GPU in a list, whatever their names are before the ending."""
    known = foreign_patterns.compiled_if_quick(pattern.replace("\\\\", "\\"))
    if known is None:
        return False
    matched = [known.search(one) is not None for one in _SAMPLES]
    return all(matched) if including else not any(matched)
