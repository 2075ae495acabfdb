"""Host sources that CMake has optimised when they are linked, in targets that HIP's compiler links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_flow, cmake_targets
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-lto"
_PROPERTY = re.compile(r"INTERPROCEDURAL_OPTIMIZATION(?:_[A-Z]+)?")
_VARIABLE = re.compile(r"CMAKE_INTERPROCEDURAL_OPTIMIZATION(?:_[A-Z]+)?")
_OFF = re.compile(r"(?i:off|false|no|n|0|)")
_CLANG = re.compile(r"clang|hipcc", re.IGNORECASE)
"""A compiler of C++ whose objects HIP's compiler links, in what sets it or in a condition."""
_LINKS = "target_link_libraries"
_CONDITIONS = ("if", "elseif")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit where a file turns it on for such a target, or for all of a project that has some."""
    if parsed.ported or parsed.kept or b"INTERPROCEDURAL_OPTIMIZATION" not in parsed.data:
        return
    found = cmake.commands(parsed)
    if any("CMAKE_CXX_COMPILER" in one.words()[:1] and _CLANG.search(" ".join(one.words())) for one in found):
        return
    away, around = _elsewhere(found), cmake.branches(found)
    linked, alone = _linked(parsed, found), cmake_targets.names_for_gpu_alone(parsed)
    for command in found:
        place = _place(command)
        if place is None or not away.isdisjoint((command.span, *around[command.span])):
            continue
        named = _named(command)
        if _is_of_project(parsed) if command.name == "set" else not (named & linked) <= alone:
            yield Hit(_RULE, Use("name", place.text, place.span, command.span, command.places, certainty="syntax"))


def _elsewhere(found: Sequence[Command]) -> frozenset[Span]:
    """Branches in which no GCC compiles for Linux."""
    asked = (one for one in found if one.name in _CONDITIONS)
    return frozenset((*cmake_flow.for_windows(found), *(one.span for one in asked if _is_for_clang(one))))


def _is_for_clang(condition: Command) -> bool:
    return _CLANG.search(" ".join(condition.words())) is not None and "NOT" not in condition.words()


def _place(command: Command) -> Argument | None:
    """What a command turns on: the property of targets, or the variable that all of them take it from."""
    if command.name not in ("set", *cmake.PROPERTIES):
        return None
    named = _VARIABLE if command.name == "set" else _PROPERTY
    for one, value in zip(command.args, command.args[1:], strict=False):
        if named.fullmatch(one.text):
            return None if _OFF.fullmatch(value.text) else one
    return None


def _named(command: Command) -> set[str]:
    """The targets to which a command gives properties."""
    words = command.words()
    if command.name == "set_target_properties" and "PROPERTIES" in words:
        return set(words[: words.index("PROPERTIES")])
    if command.name == "set_property" and words[:1] == ["TARGET"] and "PROPERTY" in words:
        return set(words[1 : words.index("PROPERTY")])
    return set()


def _linked(parsed: ProjectFile, found: Sequence[Command]) -> set[str]:
    """The targets that HIP's compiler links: those with sources for the GPU, and the libraries that go into them."""
    links = [one.words() for one in found if one.name == _LINKS]
    reached = cmake_targets.names(parsed)
    while more := {word for words in links if words[:1] and words[0] in reached for word in words[1:]} - reached:
        reached |= more
    return reached


def _is_of_project(parsed: ProjectFile) -> bool:
    """Whether a file, or the project that begins in it, has such targets, and not all of them for the GPU alone."""
    made = cmake_targets.names(parsed)
    return parsed.cmake.cuda or (bool(made) and not made <= cmake_targets.names_for_gpu_alone(parsed))
