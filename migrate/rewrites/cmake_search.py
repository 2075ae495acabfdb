"""A library of CUDA's that CMake's `find_library` looks for -> the library of ROCm, looked for in its folder too."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_library_names
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_LIBRARY = re.compile(r"find_library\((\w+)\)")
_THERE = re.compile(rb"(?:/usr/local|/opt)/(?:cuda[\w.-]*/lib64|rocm[\w.-]*/lib)(?![\w-])")
"""A folder of libraries that is ROCm's, or becomes it."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name that linking by `-l` has, and with the first of a command ROCm's folder at its end.

    None where the command looks for something else beside it: the library found first is taken.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    searched = [one for one in parsed.uses if command.span.start <= one.span.start < command.span.end]
    names = [(one, new) for one in searched if (new := _linked(parsed, one))]
    if not names or len(names) < sum(map(_is_search, searched)):
        return []
    made = [Edit(one.span, new.encode()) for one, new in names if one == use]
    if names[0][0] != use or _THERE.search(parsed.data, command.span.start, command.span.end):
        return made
    return [*made, cmake_library_names.with_folder(command, words[0])]


def _is_search(use: Use) -> bool:
    return use.name.startswith("find_library(")


def _linked(parsed: ProjectFile, use: Use) -> str:
    """What `-l` links in place of a library that is looked for; empty where that is not known."""
    match = _LIBRARY.fullmatch(use.name)
    if match is None or parsed.rule is None:
        return ""
    rule = parsed.rule(Use("option", f"-l{match[1]}", use.span, use.span))
    return rule.change.text[0].removeprefix("-l") if rule is not None and rule.change.kind == "rename" else ""
