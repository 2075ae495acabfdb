"""`project` -> the same, and the language that its kernels need enabled, under the condition of these.

A build without a GPU needs no HIP then. Where the targets are in other files, or under several conditions, the lines
are after `project` and ask whether there is a compiler for HIP: a build without the GPU goes on where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_options, cmake_tree
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Lines after the command, or in the first branch with the condition of the kernels; `words` is the language."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    branches = cmake.branches(cmake.commands(parsed))
    around = [branches[one.span] for one in _building(parsed)]
    branch = _branch(parsed, command)
    after = command if branch is None else branch
    begin = cmake.line_end(parsed.data) + cmake.indent(parsed.data, after.span.start)
    begin += b"  " if branch is not None else b""
    lines = [f"enable_language({words[0]})"]
    if branch is None and (not around or all(around)):
        asks = ["include(CheckLanguage)", f"check_language({words[0]})", f"if(CMAKE_{words[0]}_COMPILER)"]
        lines = [*asks, f"  {lines[0]}", "endif()"]
    return [Edit(Span(after.span.end, after.span.end), b"".join(begin + line.encode() for line in lines))]


def _building(parsed: ProjectFile) -> list[Command]:
    """The commands of a file that make targets of kernels."""
    found = cmake.commands(parsed)
    return [one for one in found if one.name in cmake_options.COMPILES or cmake_tree.names_sources(one)]


def _branch(parsed: ProjectFile, project: Command) -> Command | None:
    """The first `if` after a project that has the condition which all that builds kernels in the file is under."""
    found, building = cmake.commands(parsed), _building(parsed)
    branches, by_place = cmake.branches(found), {one.span: one for one in found}
    if any(not branches[one.span] for one in building):
        return None
    outer = [by_place[branches[one.span][0]] for one in building]
    if not outer or any(one.name != "if" or one.words() != outer[0].words() for one in outer):
        return None
    like = (one for one in found if one.name == "if" and one.words() == outer[0].words() and not branches[one.span])
    return next((one for one in like if project.span.end <= one.span.start), None)
