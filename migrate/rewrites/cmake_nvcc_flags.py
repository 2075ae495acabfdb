"""FindCUDA's list of options -> CMake's text of options for HIP."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.cuda.parsed_file import ParsedFile
from migrate.model import Edit, Span, Use
from migrate.syntax import cmake
from migrate.syntax.cmake import Command
from migrate.syntax.project_file import ProjectFile


def edits(parsed: ParsedFile | ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name; what sets a list becomes what sets a text, where its values are plain and on one line."""
    command = cmake.command_at(parsed, use.span.start) if isinstance(parsed, ProjectFile) else None
    if command is None or not isinstance(parsed, ProjectFile):
        return []
    if not any(_finds_cuda(one) for one in cmake.commands(parsed)):
        return []  # a list of the project's own
    made = [Edit(use.span, use.name.replace(words[0], words[1]).encode())]
    number = next((n for n, one in enumerate(command.args) if one.span == use.span), None)
    if number is None or command.name not in ("list", "set"):
        return [] if command.name.endswith("_options") else made
    values = command.args[number + 1 :]
    if command.name == "set" and len(values) == 1 and ";" not in values[0].text:
        return made
    inside = parsed.data[use.span.end : command.span.end]
    appends = command.name == "list" and command.args[0].text.upper() == "APPEND"
    name = [Edit(command.at, b"string")] if appends else []
    if appends and values and all(value.quoted for value in values):
        blanks = [Edit(Span(value.span.start, value.span.start), b" ") for value in values]
        return [*name, *made, *blanks]
    if not values or any(mark in inside for mark in (b"\n", b"#", b'"', b";")):
        return []
    if appends:
        return [*name, *made, *_quoted(use.span.end, values[-1].span.end, b' "')]
    if command.name == "set" and not {"CACHE", "PARENT_SCOPE"} & set(command.words()):
        return [*made, *_quoted(values[0].span.start, values[-1].span.end)]
    return []


def _finds_cuda(command: Command) -> bool:
    """Whether a command is FindCUDA's, or looks for it."""
    looks = command.name == "find_package" and command.words()[:1] == ["CUDA"]
    return looks or command.name.startswith(("cuda_add_", "cuda_compile"))


def _quoted(start: int, end: int, opening: bytes = b'"') -> list[Edit]:
    return [Edit(Span(start, start), opening), Edit(Span(end, end), b'"')]
