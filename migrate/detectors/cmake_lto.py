"""Host sources that CMake has optimised when they are linked, in targets that HIP's compiler links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_exclusion, cmake_flow, cmake_targets
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-lto"
_PROPERTY = re.compile(r"INTERPROCEDURAL_OPTIMIZATION(?:_[A-Z]+)?")
_VARIABLE = re.compile(r"CMAKE_INTERPROCEDURAL_OPTIMIZATION(?:_[A-Z]+)?")
_OFF = re.compile(r"(?i:off|false|no|n|0|)")
_REFERENCE = re.compile(r"\$\{(\w+)\}")
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
        if _is_off_for_gpus(command, place, found):
            continue
        named = _named(command)
        if _is_of_project(parsed) if command.name == "set" else not (named & linked) <= alone:
            yield Hit(_RULE, Use("name", place.text, place.span, command.span, command.places, certainty="syntax"))


def _is_off_for_gpus(command: Command, place: Argument, found: Sequence[Command]) -> bool:
    """Whether the value is a variable that the file switches off wherever it enables the language for kernels."""
    value = _REFERENCE.fullmatch(command.args[command.args.index(place) + 1].text)
    enabling = [one for one in found if cmake.enables(one, "CUDA") and one.name in ("project", "enable_language")]
    if value is None or not enabling:
        return False
    off = _last_set(_source(value[1], found), found)
    if off is None or len(off.args) < 2 or not _OFF.fullmatch(off.args[1].text):
        return False
    asked = cmake_exclusion.conditions(found)
    held = asked.of(off)
    return len(asked.around[off.span]) == len(held) and all(asked.implies(one, held) for one in enabling)


def _source(name: str, found: Sequence[Command]) -> str:
    """The variable of which one has the value, where the file sets it once, to that alone; else itself."""
    sets = [one for one in found if one.words()[:1] == [name] or name in one.words()[1:]]
    once = sets[0] if len(sets) == 1 and sets[0].name == "set" and len(sets[0].args) > 1 else None
    other = _REFERENCE.fullmatch(once.args[1].text) if once is not None else None
    last = _last_set(other[1], found) if other is not None else None
    return other[1] if other and once and last and last.span.start < once.span.start else name


def _last_set(name: str, found: Sequence[Command]) -> Command | None:
    """The command that sets a variable, where no command names it after that."""
    named = [one for one in found if name in one.words()]
    return named[-1] if named and named[-1].name == "set" and named[-1].words()[0] == name else None


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
