"""CUDA's list of architectures -> that of HIP, with the GPUs aimed at, before the language where it is a default."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.analysis import cmake_late_defaults, cmake_loops
from cudamigrate.edits import apply
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Fix, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_OFF = r"(?i:OFF|FALSE|NO|N)"
_VALUE = re.compile(
    rf"(?:(?:\d+[af]?(?:-real|-virtual)?|\$\{{\w+\}}-(?:real|virtual)|native|all|all-major|{_OFF})(?:;|$))+"
)
"""A list of architectures: `80`, `90a-real;100f-virtual`, `${number}-real`, `native`, `all-major`, `OFF`.

Variables alone do not match.
"""
_NONE = re.compile(_OFF)
"""What leaves the choice to the compiler. That of clang for HIP is one old GPU: who builds has to name theirs."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_PROJECT = cmake_loops.PROJECT
_SCOPES = {"set_property": 0, "define_property": 0, "get_property": 1, "get_directory_property": 1}
"""The word of these commands that says what the property is of; of a folder in the last, which names no kind."""
_END = ("CACHE", "PARENT_SCOPE", "FORCE")


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the name of the property is a project's own variable, set or read, or its own property.

    CMake has no such variable, and the property of targets alone: `set_property(GLOBAL PROPERTY ...)` is a store.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or use.name.startswith("CMAKE_"):
        return command is not None
    if "propert" not in command.name or _is_store(command):
        return False
    return any(one.span == use.span for one in command.args)


def _is_store(command: Command) -> bool:
    """Whether a command sets, reads or declares a property of something other than a target."""
    words = command.words()
    scope = _SCOPES.get(command.name)
    return scope is not None and words[scope : scope + 1] not in ([], ["TARGET"])


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name, and where a value follows that names NVIDIA's GPUs, those aimed at; none where it names none.

    A default that comes after the language was enabled moves before that, as one edit of all names in it.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    late = cmake_late_defaults.late_default(parsed, command) if use.name == _PROJECT else None
    made = [] if late is None else _of_default(parsed, late.commands, words)
    if late is None or not made:
        return _in_place(parsed, command, use, words)
    text = _written(parsed.data, late.lines, made)
    return [Edit(Span(late.before, late.before), text), Edit(late.lines, b"")]


def _of_default(parsed: ProjectFile, commands: Sequence[Command], words: Sequence[str]) -> list[Edit]:
    """The edits of a conditional default in its place; none where its list stays as it is."""
    places = [(one, arg) for one in commands for arg in one.args if arg.text == _PROJECT]
    made = [_in_place(parsed, one, Use("name", arg.text, arg.span, one.span), words) for one, arg in places]
    return [edit for each in made for edit in each] if all(made) else []


def _written(data: bytes, lines: Span, made: Sequence[Edit]) -> bytes:
    """Some lines with the edits in them."""
    moved = [Edit(Span(one.span.start - lines.start, one.span.end - lines.start), one.replacement) for one in made]
    return apply(data[lines.start : lines.end], [Fix(tuple(moved), "safe")]).data


def _in_place(parsed: ProjectFile, command: Command, use: Use, words: Sequence[str]) -> list[Edit]:
    if cmake_loops.works_on(parsed, use.name) or _is_others(parsed, command, use, words):
        return []
    renamed = [Edit(use.span, words[0].encode())]
    values = _values(command, use)
    if not values:
        return renamed
    if len(values) == 1 and (_is_read(parsed, values[0].text) or _is_projects(parsed, use, values[0].text)):
        around = (
            [] if values[0].quoted else [Edit(Span(at, at), b'"') for at in (values[0].span.start, values[0].span.end)]
        )
        return [*renamed, *around]
    own = f"${{{use.name}}}" if use.name == _PROJECT else ""  # a property is no variable
    if not all(_VALUE.fullmatch(_without(value.text, own)) or value.text == own for value in values):
        return []
    values = [value for value in values if value.text != own]
    goal = parsed.target
    if not values:
        return renamed
    if use.name != _PROJECT and all(_NONE.fullmatch(value.text) for value in values):
        whole = Span(values[0].outer.start, values[-1].outer.end)
        return [*renamed, Edit(whole, b'"${CMAKE_HIP_ARCHITECTURES}"')]
    quoted = len(values) == 1 and values[0].quoted
    single = command.name in ("set_target_properties", "set_source_files_properties")
    text = (";" if quoted or single else " ").join(goal.arch)
    text = f'"{text}"' if single and not quoted and len(goal.arch) > 1 else text
    whole = values[0].span if quoted else Span(values[0].outer.start, values[-1].outer.end)
    return [*renamed, Edit(whole, text.encode())]


def _is_others(parsed: ProjectFile, command: Command, use: Use, words: Sequence[str]) -> bool:
    """Whether a name depends on another in its command that stays, or whose new value takes its place."""
    if use.name == _PROJECT and (name := _property(command, use)) is not None:
        return not edits(parsed, Use("name", name.text, name.span, command.span), [name.text])
    outer = _longer(command, use)
    if outer is None:
        return False
    made = edits(parsed, Use("name", outer.text, outer.span, command.span), words)
    return not made or any(one.span.start <= use.span.start < one.span.end for one in made)


def _longer(command: Command, use: Use) -> Argument | None:
    """The name of the variable to which a command gives what it had and more, where a use is what it had."""
    outer = command.args[0] if command.name == "set" and command.args else None
    return outer if outer is not None and outer.text == use.name and outer.span != use.span else None


def _without(value: str, own: str) -> str:
    """A list in one value without what its variable had before."""
    return ";".join(one for one in value.split(";") if one != own)


def _is_read(parsed: ProjectFile, value: str) -> bool:
    """Whether a value is a variable that only holds what a target has for this property: there HIP's list is read too.

    A list of several GPUs is one value in quotes alone.
    """
    name = match[1] if (match := _VARIABLE.fullmatch(value)) is not None else ""
    held = [one.words() for one in cmake.commands(parsed) if name in one.words()[:1]] if name else []
    return bool(held) and all(len(words) == 3 and words[2] == "CUDA_ARCHITECTURES" for words in held)


def _is_projects(parsed: ProjectFile, use: Use, value: str) -> bool:
    """Whether a property gets the list of the project, which is renamed here."""
    follows = use.name == "CUDA_ARCHITECTURES" and value == f"${{{_PROJECT}}}"
    return follows and not cmake_loops.works_on(parsed, _PROJECT)


def _property(command: Command, use: Use) -> Argument | None:
    """The name of the property of a target whose value a use is, or is part of."""
    if "propert" not in command.name:
        return None
    before = [one for one in command.args if one.span.end <= use.span.start]
    name = next((one for one in reversed(before) if not _VALUE.fullmatch(one.text)), None)
    return name if name is not None and name.text == "CUDA_ARCHITECTURES" else None


def _values(command: Command, use: Use) -> list[Argument]:
    """The arguments that a command gives to the variable or the property; none where it only reads it."""
    number = next((n for n, one in enumerate(command.args) if one.span == use.span), None)
    if number is None:
        return []
    after = list(command.args[number + 1 :])
    if command.name in ("set_target_properties", "set_source_files_properties"):
        more = itertools.takewhile(lambda one: _VALUE.fullmatch(one.text), after[1:])  # a list without its quotes
        return [*after[:1], *more]
    if command.name in ("set", "set_property") or (command.name == "list" and command.args[0].text == "APPEND"):
        end = next((n for n, one in enumerate(after) if one.text in _END), len(after))
        return after[:end]
    return []
