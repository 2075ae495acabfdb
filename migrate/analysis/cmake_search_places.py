"""CMake: where a file looks for a package that several of its commands need, so that it is looked for once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.model import Edit, Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, command: Command, packages: Sequence[str]) -> Iterator[Edit]:
    """A line for each package: behind what enables the language CUDA for a command, else before the command.

    Commands that need the same package have the same edit then.
    """
    data = parsed.data
    end = cmake.line_end(data)
    enabling = _enabling(parsed, command)
    if enabling is None:
        blanks, at = cmake.indent(data, command.span.start), command.span.start
    else:
        blanks, at = cmake.indent(data, enabling.span.start), enabling.span.end
    for package in packages:
        line = f"find_package({package} REQUIRED)".encode()
        yield Edit(Span(at, at), line + end + blanks if enabling is None else end + blanks + line)


def _enabling(parsed: ProjectFile, command: Command) -> Command | None:
    """The first command before another that enables the language wherever that one is carried out."""
    found = parsed.once(_enabling_all)
    if not found:
        return None
    branches = parsed.once(_branches)
    inside = branches[command.span]
    earlier = [one for one in found if one.span.start < command.span.start]
    return next((one for one in earlier if inside[: len(branches[one.span])] == branches[one.span]), None)


def _branches(parsed: ProjectFile) -> dict[Span, tuple[Span, ...]]:
    return cmake.branches(cmake.commands(parsed))


def _enabling_all(parsed: ProjectFile) -> list[Command]:
    named = ("project", "enable_language")
    return [one for one in cmake.commands(parsed) if one.name in named and cmake.enables(one, "CUDA")]
