"""FindCUDA's list of options -> CMake's text of options for HIP."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.analysis import cmake_folded, cmake_options
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake, compiler_options
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_HELD = re.compile(rb"\$\{([\w.+-]+)\}")
_END = ("CACHE", "PARENT_SCOPE", "FORCE")
_BREAK = re.compile(r"(?<!\\)\r?\n")
"""A line end in a value, of which a line that goes on after a backslash has none."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where no compiler gets the variable, or it is the project's own list, taken element by element."""
    return cmake_folded.is_read_list(parsed, use.name)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name; what sets a list or appends to it does so to a text."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not cmake_options.uses_find_cuda(parsed):
        return []  # a list of the project's own
    options = [one for one in parsed.uses if one.kind == "option" and _is_in(one, command)]
    if any(_passes_commas(parsed, one) for one in options):
        return []  # what passes options on is nvcc's, and stays
    if (lines := cmake_options.emptied(parsed, use.span.start)) is not None:
        return [Edit(lines, b"")]
    if (folded := cmake_folded.edits(parsed, use)) is not None:
        return folded
    made = [Edit(use.span, use.name.replace(words[0], words[1]).encode())]
    number = next((n for n, one in enumerate(command.args) if one.span == use.span), None)
    if number is None or command.name not in ("list", "set"):
        return [] if command.name.endswith("_options") else made
    values, name = command.args[number + 1 :], use.name.replace(words[0], words[1])
    if command.name == "set":
        return [] if "CACHE" in command.words() else _set_around(parsed, command, use, values, name)
    if command.args[0].text.upper() != "APPEND" or not values:
        return []
    inside = parsed.data[use.span.end : command.span.end]
    string = Edit(command.at, b"string")
    if all(value.quoted for value in values) and not any(cmake_options.crosses(command, one) for one in options):
        blanks = [Edit(Span(value.span.start, value.span.start), b" ") for value in values]
        return [string, *made, *blanks, *_joined(parsed, command, name, values, inside)]
    if any(mark in inside for mark in (b"\n", b"#", b'"', b";")) or any(map(_is_open, values)):
        whole = Span(command.args[0].span.start, use.span.end)
        return [string, Edit(whole, f'JOIN " " {name} "${{{name}}}"'.encode())]
    return [string, *made, *_quoted(use.span.end, values[-1].span.end, b' "')]


def _is_in(use: Use, command: Command) -> bool:
    return command.span.start <= use.span.start < command.span.end


def _passes_commas(parsed: ProjectFile, use: Use) -> bool:
    """Whether an option passes on what a variable holds with commas between, which stays as it is."""
    passed = compiler_options.passes_on(use.name)
    held = parsed.once(cmake_options.joined_by_commas) if passed else frozenset[str]()
    return any(f"${{{name}}}" in compiler_options.value(use, parsed.data) for name in held)


def _joined(parsed: ProjectFile, command: Command, name: str, values: Sequence[Argument], inside: bytes) -> list[Edit]:
    """A command after this one that makes a text of what was a list between quotes, or of what a variable holds."""
    lists = parsed.once(_lists)
    holds = any(match[1].decode() in lists for match in _HELD.finditer(inside))
    if b";" not in inside and not holds and not _breaks(values):
        return []
    line = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    end = Span(command.span.end, command.span.end)
    return [Edit(end, line + f'string({_parting(values)} {name} "${{{name}}}")'.encode())]


def _breaks(values: Sequence[Argument]) -> bool:
    """Whether a value between quotes has line ends: a list may hold them, in a text of options they end a command."""
    return any(value.quoted and _BREAK.search(value.text) for value in values)


def _parting(values: Sequence[Argument]) -> str:
    """What makes one text of a list: all between its options becomes one blank."""
    return 'REGEX REPLACE "[;\\r\\n]+" " "' if _breaks(values) else 'REPLACE ";" " "'


def _set(parsed: ProjectFile, command: Command, use: Use, values: Sequence[Argument], name: str) -> list[Edit]:
    """What sets a list becomes what sets a text."""
    data, inside = parsed.data, parsed.data[use.span.end : command.span.end]
    string, join = Edit(command.at, b"string"), Edit(use.span, f'JOIN " " {name}'.encode())
    if not values:
        return [Edit(use.span, name.encode())]
    if len(values) == 1 and ";" in values[0].text:
        text = Edit(use.span, f"{_parting(values)} {name}".encode())
        return [string, text] if values[0].quoted else [string, text, *_quoted(*_ends(values))]
    if any(_is_open(one) and one.text != f"${{{use.name}}}" for one in values) and b";" not in inside:
        return [string, join]
    if len(values) == 1:
        return [Edit(use.span, name.encode()), *_joined(parsed, command, name, values, inside)]
    if b";" not in inside and not any(mark in inside for mark in (b"\n", b"#", b'"')):
        return [Edit(use.span, name.encode()), *_quoted(*_ends(values))]
    if b";" not in inside:
        return [string, join, *_joined(parsed, command, name, values, inside)]
    if any(mark in data[use.span.end : command.span.end] for mark in (b"\n", b"#", b'"')):
        return [string, join, *_joined(parsed, command, name, values, inside)]
    return [string, Edit(use.span, f'REPLACE ";" " " {name}'.encode()), *_quoted(*_ends(values))]


def _set_around(parsed: ProjectFile, command: Command, use: Use, values: Sequence[Argument], name: str) -> list[Edit]:
    """What sets a list becomes what sets a text, also where the list is that of the scope around.

    There what joins words sets the function's own variable before. In a folder that would be the list of the folder's
    own targets, and nothing is written.
    """
    if not values or values[-1].text != "PARENT_SCOPE":
        return _set(parsed, command, use, values, name)
    *given, last = values
    made = _set(parsed, command, use, given, name)
    if not any(edit.span == command.at for edit in made):
        return made
    found = cmake.commands(parsed)
    functions = {one.span for one in found if one.name == "function"}
    if functions.isdisjoint(cmake.branches(found)[command.span]):
        return []
    line = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    around = f'set({name} "${{{name}}}" PARENT_SCOPE)'.encode()
    end = Span(command.span.end, command.span.end)
    return [*made, Edit(Span(given[-1].outer.end, last.outer.end), b""), Edit(end, line + around)]


def _is_open(value: Argument) -> bool:
    """Whether a value without quotes has what a variable holds: that may be a list, and is several values then."""
    return not value.quoted and _HELD.search(value.text.encode()) is not None


def _lists(parsed: ProjectFile) -> frozenset[str]:
    """The variables that the file itself makes lists of."""
    found = set()
    for command in cmake.commands(parsed):
        words = command.words()
        if command.name == "list" and words[:1] == ["APPEND"]:
            found.update(words[1:2])
        elif command.name == "set" and words:
            values = list(itertools.takewhile(lambda word: word not in _END, words[1:]))
            found.update(words[:1] if len(values) > 1 or any(";" in value for value in values) else ())
    return frozenset(name for name in found if not name.startswith("CUDA_NVCC_FLAGS"))


def _ends(values: Sequence[Argument]) -> tuple[int, int]:
    return values[0].span.start, values[-1].span.end


def _quoted(start: int, end: int, opening: bytes = b'"') -> list[Edit]:
    return [Edit(Span(start, start), opening), Edit(Span(end, end), b'"')]
