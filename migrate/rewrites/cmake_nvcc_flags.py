"""FindCUDA's list of options -> CMake's text of options for HIP."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_FLAGS = re.compile(r"CMAKE_[A-Z]+_FLAGS\w*")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name; what sets a list or appends to it does so to a text."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    if not any(_finds_cuda(one) for one in cmake.commands(parsed)):
        return []  # a list of the project's own
    made = [Edit(use.span, use.name.replace(words[0], words[1]).encode())]
    number = next((n for n, one in enumerate(command.args) if one.span == use.span), None)
    if number is None or command.name not in ("list", "set"):
        return [] if command.name.endswith("_options") else made
    if {"CACHE", "PARENT_SCOPE"} & set(command.words()):
        return []
    values = command.args[number + 1 :]
    name = use.name.replace(words[0], words[1])
    if command.name == "set":
        return _set(parsed, command, use, values, name)
    if command.args[0].text.upper() != "APPEND" or not values:
        return []
    inside = parsed.data[use.span.end : command.span.end]
    string = Edit(command.at, b"string")
    if all(value.quoted for value in values):
        blanks = [Edit(Span(value.span.start, value.span.start), b" ") for value in values]
        return [string, *made, *blanks, *_joined(parsed.data, command, name, inside)]
    if any(mark in inside for mark in (b"\n", b"#", b'"', b";")) or _may_be_list(parsed, values):
        whole = Span(command.args[0].span.start, use.span.end)
        return [string, Edit(whole, f'JOIN " " {name} "${{{name}}}"'.encode())]
    return [string, *made, *_quoted(use.span.end, values[-1].span.end, b' "')]


def _joined(data: bytes, command: Command, name: str, inside: bytes) -> list[Edit]:
    """A command after this one that makes a text of what was a list between quotes."""
    if b";" not in inside:
        return []
    line = cmake.line_end(data) + cmake.indent(data, command.span.start)
    end = Span(command.span.end, command.span.end)
    return [Edit(end, line + f'string(REPLACE ";" " " {name} "${{{name}}}")'.encode())]


def _set(parsed: ProjectFile, command: Command, use: Use, values: Sequence[Argument], name: str) -> list[Edit]:
    """What sets a list becomes what sets a text."""
    data, lists = parsed.data, _may_be_list(parsed, [one for one in values if one.text != f"${{{use.name}}}"])
    if not values or (len(values) == 1 and ";" not in values[0].text and not lists):
        return [Edit(use.span, name.encode())]
    inside = data[use.span.end : command.span.end]
    string = Edit(command.at, b"string")
    if lists and b";" not in inside and b'"' not in inside:
        return [string, Edit(use.span, f'JOIN " " {name}'.encode())]
    if len(values) == 1:
        text = Edit(use.span, f'REPLACE ";" " " {name}'.encode())
        return [string, text] if values[0].quoted else [string, text, *_quoted(*_ends(values))]
    if b";" not in inside and not any(mark in inside for mark in (b"\n", b"#", b'"')):
        return [Edit(use.span, name.encode()), *_quoted(*_ends(values))]
    if b";" not in inside:
        return [string, Edit(use.span, f'JOIN " " {name}'.encode())]
    if any(mark in inside for mark in (b"\n", b"#", b'"')):
        return [string, Edit(use.span, f'JOIN " " {name}'.encode()), *_joined(data, command, name, inside)]
    return [string, Edit(use.span, f'REPLACE ";" " " {name}'.encode()), *_quoted(*_ends(values))]


def _may_be_list(parsed: ProjectFile, values: Sequence[Argument]) -> bool:
    """Whether a variable outside of quotes may hold several words: all but one that each command sets to one text."""
    names = {match[1] for one in values if not one.quoted and (match := _VARIABLE.fullmatch(one.text))}
    return any(not _is_text(parsed, name) for name in names)


def _is_text(parsed: ProjectFile, name: str) -> bool:
    """Whether a variable holds one text: options of a language are one, and what is only set to one is."""
    if _FLAGS.fullmatch(name):
        return True
    changes = [
        one for one in cmake.commands(parsed) if name in one.words()[:2] and one.name in ("set", "list", "string")
    ]
    sets = [one.args[1:] for one in changes if one.name == "set"]
    return bool(sets) and len(sets) == len(changes) and all(len(one) == 1 and one[0].quoted for one in sets)


def _ends(values: Sequence[Argument]) -> tuple[int, int]:
    return values[0].span.start, values[-1].span.end


def _finds_cuda(command: Command) -> bool:
    """Whether a command is FindCUDA's, or looks for it."""
    looks = command.name == "find_package" and command.words()[:1] == ["CUDA"]
    return looks or command.name.startswith(("cuda_add_", "cuda_compile"))


def _quoted(start: int, end: int, opening: bytes = b'"') -> list[Edit]:
    return [Edit(Span(start, start), opening), Edit(Span(end, end), b'"')]
