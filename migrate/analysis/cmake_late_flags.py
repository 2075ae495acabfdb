"""CMake: what is added to FindCUDA's list of options after a target was made, which that target does not get.

FindCUDA reads the list where a target is made; CMake reads the options of its own languages once, where the folder
ends, and gives them to all targets of the folder. What `add_compile_options` adds, targets made later get.
Source: FindCUDA.cmake; CMake documentation, "CMAKE_<LANG>_FLAGS" and "COMPILE_OPTIONS" of folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import cmake_flow
from cudamigrate.analysis.cmake_options import COMPILES, LIST
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

LATER, LEFT = "for later targets", "after a target"
"""What is behind the list's name in a use: where it can be given to later targets alone, and where it stays."""
_DEFINITION = re.compile(r"-[DU]\w+(?:=[\w.+/-]*)?")
"""An option that no rule changes."""
_CHANGES = ("set", "list", "string", "unset")


def marked(uses: Sequence[Use], found: Sequence[Command]) -> list[Use]:
    """The uses, with what says so behind the list's name in commands that change it after a target was made."""
    if not any(use.name.startswith(LIST) for use in uses):
        return list(uses)
    kinds, branches = {one.span: one.name for one in found}, cmake.branches(found)
    changes = [one for one in found if _changed(one)]
    late = {
        one.span: LATER if _is_movable(one, [kinds[around] for around in branches[one.span]], changes) else LEFT
        for one in _late(found, changes, branches, kinds)
    }
    return [_as_late(use, late) for use in uses]


def _as_late(use: Use, late: Mapping[Span, str]) -> Use:
    if use.extent not in late or use.kind != "name" or not use.name.startswith(LIST):
        return use
    return replace(use, name=f"{use.name} {late[use.extent]}")


def _late(
    found: Sequence[Command],
    changes: Sequence[Command],
    branches: Mapping[Span, Sequence[Span]],
    kinds: Mapping[Span, str],
) -> Iterator[Command]:
    """The changes of the list that come after a target of the same function, or of the file outside all."""
    of = cmake.conditionals(found)
    targets = [one for one in found if one.name in COMPILES]
    for command in changes:
        around = branches[command.span]
        loops = {one for one in around if kinds[one] in ("foreach", "while")}
        called = _called(around, kinds)
        for target in targets:
            before = target.span.start < command.span.start or not loops.isdisjoint(branches[target.span])
            same = _called(branches[target.span], kinds) == called
            if before and same and not cmake.is_beside(target, command, branches, of):
                yield command
                break


def _called(around: Sequence[Span], kinds: Mapping[Span, str]) -> Set[Span]:
    return {one for one in around if kinds[one] in ("function", "macro")}


def _changed(command: Command) -> str:
    """The list of FindCUDA's that a command changes, empty where none."""
    words = command.words()
    at = 1 if command.name in ("list", "string") else 0
    named = words[at] if command.name in _CHANGES and len(words) > at else ""
    return named if named.startswith(LIST) and words[0] not in ("FIND", "LENGTH", "GET") else ""


def _is_movable(command: Command, around: Sequence[str], changes: Sequence[Command]) -> bool:
    """Whether a command adds definitions for all kinds of build, once, and no later change takes any back.

    `around` are the names of the commands whose branches it is in.
    """
    words = command.words()
    if command.name != "list" or words[:2] != ["APPEND", LIST] or len(words) < 3:
        return False
    if not {"function", "macro", "foreach", "while"}.isdisjoint(around):
        return False
    plain = all(map(_is_definition, command.args[2:]))
    later = [one for one in changes if one.span.start > command.span.start]
    return plain and all(map(cmake_flow.is_adding, later))


def _is_definition(value: Argument) -> bool:
    return value.around < 2 and _DEFINITION.fullmatch(value.text) is not None
