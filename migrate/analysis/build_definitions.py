"""Macros that build files give compilers: by options, `-DNAME=VALUE`, or in what takes definitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

LISTS = ("python", "bazel", "meson")
"""Languages in which options are strings of a list."""
_QUOTE = rb"(?:\\?[\"'])?"
_NAME = rb"(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()\n]*\))?"
_VALUE = rb"(?:=(?P<value>" + _QUOTE + rb"[^\s\"';]+)|(?![\w=(]))"
_OPTION = re.compile(rb"(?<![\w-])" + _QUOTE + rb"-D[ \t]*" + _QUOTE + _NAME + _VALUE)
"""A definition for a compiler: `-DLANES=warpSize`, `'-DSTEP(v, d)=__shfl_down(v, d)'`, `-D"ANY(p)=__any(p)"`."""
_PLAIN = re.compile(rb"\A\"?" + _NAME + _VALUE)
"""The same where a command of CMake takes definitions: `LANES=warpSize`."""
_DEFINING = re.compile(r"\w*compile_definitions|add_definitions")
_SCOPES = (b"PRIVATE", b"PUBLIC", b"INTERFACE")
_LINE = re.compile(rb"(?:[^\\\n]|\\.)*", re.DOTALL)
"""A line with those that go on after a backslash."""
_STRING = re.compile(rb"(?<![\"'])[\"'](?:[^\"'\n]*[ \t])?-D[ \t]*" + _NAME + _VALUE)
"""The same in a string, not in one that goes over lines: `"-O3 -DLANES=warpSize"`, `f"-DLANES={lanes}"`."""
_MACROS = re.compile(rb"\bdefine_macros\b[^\n(\[]*(?P<list>[(\[](?:[^()\[\]]|\((?:[^()]|\([^()]*\))*\))*)")
"""What setuptools takes definitions in: `define_macros=[("LANES", "warpSize")]`."""
_DEFINES = re.compile(rb"\b(?:local_)?defines\s*=\s*(?P<list>\[[^\[\]#]*)")
"""The same of Bazel: `defines = ["LANES=warpSize"]`."""
_PAIR = re.compile(
    rb"\(\s*[\"'](?P<name>\w+)(?P<parameters>\([^()\n]*\))?[\"']\s*,"
    rb"\s*(?:f?[\"'](?P<value>[^\"'\n]+)[\"']|None|\d+)\s*,?\s*\)"
)
_ELEMENT = re.compile(rb"[\"']" + _NAME + _VALUE)
_COMMENT = re.compile(rb"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
_REST = re.compile(rb"(?:\A|(?<=\s))#.*", re.DOTALL)


class Definition(NamedTuple):
    """A macro that a build file defines: its name, its value as written, empty where it has none, and their range.

    `line` is the text that it is in without comments: a line of make or the shell, the whole file elsewhere.
    """

    name: bytes
    value: bytes
    span: Span
    line: bytes


def of(parsed: ProjectFile) -> Iterator[Definition]:
    """The definitions outside of comments, in the order of the file as far as one pattern finds them."""
    data, language = parsed.data, parsed.source.language
    if language == "cmake":
        yield from _of_commands(parsed)
    elif language in LISTS:
        yield from _of_lists(data)
    else:
        for line in _LINE.finditer(data) if b"-D" in data else ():
            code = _REST.sub(b"", line[0]) if b"-D" in line[0] else b""
            yield from (_definition(match, line.start(), code) for match in _OPTION.finditer(code))


def _of_commands(parsed: ProjectFile) -> Iterator[Definition]:
    """The definitions in CMake's commands, as options or as what a command that takes definitions is given."""
    for command in cmake.commands(parsed):
        takes = _DEFINING.fullmatch(command.name) is not None or "COMPILE_DEFINITIONS" in command.words()
        for argument in command.args:
            text = parsed.data[argument.span.start : argument.span.end]
            found = [*_OPTION.finditer(text)] or ([*_PLAIN.finditer(text)] if takes else [])
            yield from (
                _definition(match, argument.span.start, parsed.data) for match in found if match["name"] not in _SCOPES
            )


def _of_lists(data: bytes) -> Iterator[Definition]:
    """The definitions in strings of lists, as options or as what a list of definitions holds."""
    code = _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)
    yield from (_definition(match, 0, code) for match in _STRING.finditer(code))
    for lists, one in ((_MACROS, _PAIR), (_DEFINES, _ELEMENT)):
        for match in lists.finditer(code):
            yield from (_definition(each, match.start("list"), code) for each in one.finditer(match["list"]))


def _definition(match: re.Match[bytes], offset: int, line: bytes) -> Definition:
    end = match.end("value") if match["value"] is not None else match.end("name")
    span = Span(offset + match.start("name"), offset + end)
    return Definition(match["name"], match["value"] or b"", span, line)
