"""Sources that end in `.cu` -> a line that gives them the language HIP, before the command that names them."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_targets
from cudamigrate.analysis.cmake_targets import Target
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_EXPRESSIONS = ('string(REGEX REPLACE "[$<>:,]+" ";" hip_sources "${hip_sources}")',)
"""What takes the names of files out of generator expressions: properties of sources are not given by those."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line; three where a variable may hold other sources too. The target may belong to another folder."""
    target = parsed.once(_targets).get(use.span)
    if target is None:
        return []
    command, chosen = target.command, target.chosen
    blanks = cmake.indent(parsed.data, command.span.start)
    if parsed.data[: command.span.start].rpartition(b"\n")[2].strip():
        return []  # something else is on the line before it
    end = cmake.line_end(parsed.data) + blanks
    sources = [cmake.as_list(one) for one in chosen]
    there = f" TARGET_DIRECTORY {command.args[0].text}" if command.name == "target_sources" else ""
    if target.pure:
        lines = [f"set_source_files_properties({' '.join(sources)}{there} PROPERTIES LANGUAGE HIP)"]
    else:
        lines = [
            f"set(hip_sources {' '.join(sources)})",
            *(_EXPRESSIONS if target.expressions else ()),
            'list(FILTER hip_sources INCLUDE REGEX "\\\\.cu$")',
            f"set_source_files_properties(${{hip_sources}}{there} PROPERTIES LANGUAGE HIP)",
        ]
    start = command.span.start
    return [Edit(Span(start, start), b"".join(line.encode() + end for line in lines))]


def _targets(parsed: ProjectFile) -> dict[Span, Target]:
    """The commands that name such sources, by where their names are."""
    return {one.command.at: one for one in cmake_targets.of(parsed)}
