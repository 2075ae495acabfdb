"""Folders of NVIDIA's CCCL in a command that gives folders of headers -> the command without them, or none."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_cccl, cmake_options
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The lines of the command go, or with other folders the arguments; none where a keyword would be left alone."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    gone = cmake_cccl.folders(command)
    if not cmake_cccl.gives_others(command):
        lines = cmake_options.lines(parsed.data, command.span)
        return [] if lines is None else [Edit(lines, b"")]
    sides = [one.text for one in command.args if one not in gone]
    if any(left.isupper() and right.isupper() for left, right in zip(sides, [*sides[1:], "END"], strict=True)):
        return []
    return [Edit(_with_gap(command, command.args.index(one)), b"") for one in gone]


def _with_gap(command: Command, number: int) -> Span:
    """An argument with the blanks before it, or behind it where it is the first."""
    outer = command.args[number].outer
    if number:
        return Span(command.args[number - 1].outer.end, outer.end)
    return Span(outer.start, command.args[1].outer.start)
